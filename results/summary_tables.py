"""The tables of a summary, ready to be shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from harness.accounting.purposes import CLASS_OF
from results.against import Change
from results.bridge import TERMS, Bridge
from results.sheet import Sheet, sheet
from results.summary import Group, SummaryRow
from results.tally import RULE
from results.writing import NOTHING, cost, count, counted, percent, usd
from results.yardstick import Best

CELLS_ABREAST = 3
UNPAIRED = "*"
UNCACHED = " †"
ENDS = ("success", "partial_success", "failed", "needs_person", "forbidden", "blocked", "unanswered")
"""Statuses that a subtask's last try may have: one that was returned is followed by another."""
TERM_NAMES = {
    "coordination": "coordination",
    "verification": "Δ verification",
    "duplicated_task": "duplicated task text",
    "other_work": "other Δ work",
    "unknown": "unknown purpose",
    "fees": "Δ fees",
}


def summary_sheets(group: Group, *, bridged: bool = True) -> Iterator[Sheet | str]:
    """The tables of one group in the order in which they are read, and sentences between them. ``bridged``: with the
    bridges, which stand last."""
    if group.graders != (RULE,):
        yield f"Scores by: {', '.join(group.graders)} (suite: the task's own rule)."
    if group.imported:
        yield "Imported rows: what was spent on what, by whom and when, in calls and messages, is not known."
        yield from (_outcome(group), _totals(group), _costs(group), _time(group))
        if group.yardsticks:
            yield _yardsticks(group)
        return
    yield _outcome(group)
    yield _tokens(group)
    yield _costs(group)
    yield _coordination(group)
    yield from _reasoning(group)
    yield _time(group)
    yield _traffic(group)
    yield _retries(group)
    if group.yardsticks:
        yield _yardsticks(group)
    if any(row.delegations.tries for row in group.rows):
        yield _subtasks(group)
        yield _delegated(group)
    for first in dict.fromkeys(c.first_cell_id for c in group.changes):
        yield _changes(group, first)
    for start in range(0, len(group.rows), CELLS_ABREAST):
        yield _purposes(group, group.rows[start : start + CELLS_ABREAST])
    for bridge in group.bridges if bridged else ():
        yield bridge_sheet(bridge, group.row(bridge.cell_id).label)


def _outcome(group: Group) -> Sheet:
    columns = ["runs", "status not ok", "mean score", "passed", "USD per success"]
    table = sheet("Outcome (means and sums over all runs, failures included)", group.simulated, "topology", columns)
    for row in group.rows:
        failures = ", ".join(f"{n} {status}" for status, n in row.statuses.items()) or "none"
        table.add(
            row.label,
            [
                count(row.runs),
                failures,
                f"{row.score_mean:.3f} (n={row.runs:,})",
                f"{row.passed:,} of {row.runs:,}",
                "no success" if row.cost_per_success is None else cost(row.cost_per_success),
            ],
        )
    return table


def _tokens(group: Group) -> Sheet:
    columns = ["total", "work", "coordination", "verification", "judge (apart)", "reread self", "reread cross"]
    table = sheet("Tokens", group.simulated, "topology", columns)
    for row in group.rows:
        classes = [row.purposes.content.class_tokens(c) for c in ("work", "coordination", "verification")]
        figures = [row.tokens, *classes, row.judge_tokens, row.reread_self, row.reread_cross]
        table.add(row.label, [count(n) for n in figures])
    return table


def _totals(group: Group) -> Sheet:
    """Of imported rows, of which a part may have come without tokens."""
    table = sheet("Tokens", group.simulated, "topology", ["total", "runs without\nusage"])
    for row in group.rows:
        total = count(row.tokens) if not row.unmeasured else f"≥ {count(row.tokens)}" if row.tokens else "unknown"
        table.add(row.label, [total, count(row.unmeasured)])
    return table


def _costs(group: Group) -> Sheet:
    table = sheet("Cost in USD", group.simulated, "topology", ["billed", "as if uncached", "judge (apart)"])
    for row in group.rows:
        judge = cost(row.judge_cost) if row.judge_tokens else NOTHING
        table.add(row.label, [cost(row.cost), cost(row.uncached), judge])
    return table


def _coordination(group: Group) -> Sheet:
    columns = ["against single", "content", "activity", "content, USD", "activity, USD"]
    title = "Coordination: tokens against single's total, then as a share of the topology's own spending"
    table = sheet(title, group.simulated, "topology", columns)
    for row in group.rows:
        content, activity = row.purposes.content, row.purposes.activity
        shares = [content.coordination_share, activity.coordination_share]
        shares += [content.coordination_share_usd, activity.coordination_share_usd]
        table.add(row.label, [percent(f) for f in (row.coordination_per_single, *shares)])
    return table


def _reasoning(group: Group) -> list[str]:
    """What hidden reasoning could change, where there is enough of it to matter."""
    lines = []
    for row in group.rows:
        bounds = row.purposes.coordination_bounds
        if bounds is not None:
            lines.append(
                f"{row.label}: {percent(row.purposes.reasoning_share)} of what was written is hidden reasoning; its "
                f"coordination share (content) lies between {percent(bounds[0])} and {percent(bounds[1])}"
            )
    return lines


def _time(group: Group) -> Sheet:
    columns = ["wall-clock mean", "working mean", "parallelism", "speedup over single"]
    table = sheet("Time", group.simulated, "topology", columns)
    for row in group.rows:
        means = [_seconds(s) for s in (row.wall_mean_s, row.working_mean_s)]
        ratios = [NOTHING if r is None else f"{r:.2f}" for r in (row.parallelism, row.speedup)]
        table.add(row.label, [*means, *ratios])
    return table


def _seconds(mean: float) -> str:
    return "unknown" if math.isnan(mean) else f"{mean:,.1f} s"


def _traffic(group: Group) -> Sheet:
    columns = ["messages", "redelivered\ntokens", "late\ntokens", "depth\nviolations", "refused"]
    columns += ["left out\n(agents)", "parse\nfailures"]
    table = sheet("Messages, late tokens, refusals and failures", group.simulated, "topology", columns)
    for row in group.rows:
        figures = [row.messages, row.redelivery_tokens, row.late_tokens, row.depth_violations, row.refused]
        figures += [row.left_out, row.parse_failures]
        table.add(row.label, [count(n) for n in figures])
    return table


def _retries(group: Group) -> Sheet:
    columns = ["transport", "validation", "revision", "escalation"]
    table = sheet("Retries by kind", group.simulated, "topology", columns)
    for row in group.rows:
        figures = [row.retries_transport, row.retries_validation, row.revisions, row.escalations]
        table.add(row.label, [count(n) for n in figures])
    return table


def _subtasks(group: Group) -> Sheet:
    columns = ["subtasks", "tries", *(s.replace("_", "\n") for s in ENDS)]
    table = sheet("Delegations: how subtasks ended (status of the last try)", group.simulated, "topology", columns)
    for row in group.rows:
        d = row.delegations
        if d.tries:
            table.add(row.label, [count(n) for n in (d.subtasks, d.tries, *(d.ended.get(s, 0) for s in ENDS))])
    return table


def _delegated(group: Group) -> Sheet:
    columns = ["workers' tokens", "copied tokens in results", "card tokens a subtask"]
    table = sheet("Delegations: tokens over all tries", group.simulated, "topology", columns)
    for row in group.rows:
        d = row.delegations
        if d.card_tokens is not None:
            table.add(row.label, [count(d.tokens), count(d.copied_tokens), f"{d.card_tokens:.1f}"])
    return table


def _changes(group: Group, first_cell_id: str) -> Sheet:
    first = group.row(first_cell_id)
    title = f"Against {first.label}: means over pairs, failures included"
    title += "; ± Monte-Carlo" if group.simulated else ""
    columns = ["pairs", "Δ tokens", "Δ %", "Δ\ncoordination", "Δ score", "Δ copied", "Δ\nvalidation\nretries"]
    table = sheet(title, group.simulated, "changed", columns)
    changes = [c for c in group.changes if c.first_cell_id == first_cell_id]
    for c in changes:
        pairs = f"{c.pairs:,}{UNPAIRED if c.left_out else ''}"
        percent = NOTHING if c.percent is None else f"{c.percent:+.1f} %"
        counts = [_change(c.coordination, 0), _change(c.score, 3), _change(c.copied, 1), _change(c.retries, 2)]
        changed = " ".join(word for word in group.row(c.cell_id).name if word not in first.name)
        table.add(changed or c.cell_id, [pairs, _change(c.tokens, 0), percent, *counts])
    if any(c.left_out for c in changes):
        table.notes.append(f"{UNPAIRED} runs of one cell without a partner in the other are left out")
    return table


def _change(change: Change, digits: int) -> str:
    spread = "" if change.monte_carlo is None else f"\n± {change.monte_carlo:,.{digits}f}"
    return f"{change.mean:+,.{digits}f}{spread}"


def _yardsticks(group: Group) -> Sheet:
    title = "Against single, and the best that one agent does for no more money"
    columns = ["pairs", "tokens", "USD", "time", "Δ score", "best of the\nsingle family", "its cost", "its score"]
    table = sheet(title, group.simulated, "topology", columns)
    found, turned = {y.cell_id: y for y in group.yardsticks}, list[str]()
    for y in (found[row.cell_id] for row in group.rows if row.cell_id in found):
        ratios = [NOTHING if r is None else f"{r:.2f} ×" for r in (y.tokens, y.usd, y.wall)]
        best = [NOTHING] * 3
        if y.best is not None:
            paid = NOTHING if y.best.cost_ratio is None else percent(y.best.cost_ratio)
            best = [group.row(y.best.cell_id).label, paid, f"{y.best.its_score:.3f}"]
        if _of(y.best) != _of(y.best_uncached):
            best[0] += UNCACHED
            other = "nobody" if y.best_uncached is None else group.row(y.best_uncached.cell_id).label
            score = "" if y.best_uncached is None else f" ({y.best_uncached.its_score:.3f})"
            turned.append(f"{group.row(y.cell_id).label}: {other}{score}")
        table.add(group.row(y.cell_id).label, [count(y.pairs), *ratios, f"{y.score:+.3f}", *best])
    remarks = [f"{UNCACHED} as if nothing had been cached: {'; '.join(turned)}"] if turned else []
    if any(y.usd is None for y in group.yardsticks):
        remarks.append("without a known cost nobody can say what the same money buys")
    table.notes += remarks
    return table


def _of(best: Best | None) -> str | None:
    return None if best is None else best.cell_id


def _purposes(group: Group, rows: Sequence[SummaryRow]) -> Sheet:
    columns = [f"{row.label}\n{view}" for row in rows for view in ("content", "activity")]
    table = sheet("Tokens by purpose", group.simulated, "purpose (class)", columns)
    for purpose, kind in CLASS_OF.items():
        cells = [
            view.tokens.get(purpose.value, 0) for row in rows for view in (row.purposes.content, row.purposes.activity)
        ]
        if any(cells):
            table.add(f"{purpose.value} ({kind})", [count(n) if n else NOTHING for n in cells])
    return table


def bridge_sheet(bridge: Bridge, label: str) -> Sheet:
    versus = f"{bridge.topology} − single"
    where = "" if bridge.params == "{}" else f" at {bridge.params}"
    left_out = f"; runs without a partner: {bridge.team_only + bridge.single_only:,}"
    title = f"Bridge: {label} − single{where}, {counted(bridge.pairs, 'pair')}"
    title += left_out if bridge.team_only or bridge.single_only else ""
    table = sheet(title, bridge.simulated, "term", ["tokens", "% of single", "USD billed", "% of single's USD"])
    lines = [("single total", "single_total"), *((TERM_NAMES[t], t) for t in TERMS), (versus, "delta")]
    lines.insert(lines.index((TERM_NAMES["other_work"], "other_work")) + 1, ("  of Δ work: sent again", "resent_work"))
    lines.append((f"{bridge.topology} total", "team_total"))
    unmeasured = bool(bridge.unmeasured) and not (bridge.tokens.single_total and bridge.tokens.team_total)
    if bridge.unmeasured and not unmeasured:
        table.notes.append(f"calls without usage, whose tokens are not among these: {bridge.unmeasured:,}")
    for name, term in lines:
        sides = (bridge.tokens, bridge.pusd)
        values = [None if side is None else int(getattr(side, term)) for side in sides]
        told = term in ("single_total", "delta", "team_total") or not (bridge.untold or term == "unknown")
        if not told and (term != "unknown" or not any(values)):
            continue
        shares = [None if side is None else side.percent(term) for side in sides]
        cells = [
            "unknown" if unmeasured else count(values[0] or 0),
            NOTHING if unmeasured or shares[0] is None else f"{shares[0]:.1f} %",
            "unknown" if values[1] is None else usd(values[1] / 10**12),
            NOTHING if shares[1] is None else f"{shares[1]:.1f} %",
        ]
        if term == "delta":
            table.rule()
        table.add(name, cells)
    if bridge.uncached_usd is not None:
        single, team = bridge.uncached_usd
        share = f"{100 * (team - single) / single:.1f} %" if single else NOTHING
        table.add(f"{versus}, as if uncached", ["", "", usd(team - single), share])
    return table
