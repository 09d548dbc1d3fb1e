"""The summary on a terminal, 100 columns wide, plain text where there is no terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.accounting.purposes import CLASS_OF
from results.against import Change
from results.bridge import TERMS, Bridge
from results.frames import Results
from results.summary import Cost, Group, SummaryRow, summarize
from results.tally import RULE
from results.yardstick import Best

WIDTH = 100
CELLS_ABREAST = 3
BANNER = "SIMULATED"
NOTHING = "-"
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


def print_summary(results: Results, experiment: str | None = None, console: Console | None = None) -> None:
    """Print the summary of one experiment (an id or ``last``), or of all in ``results``.

    Without a console: to standard output, 100 columns wide. Raises StoreError for an experiment that is not there.
    """
    console = console or Console(width=WIDTH)
    summary = summarize(results if experiment is None else results.of(experiment))
    for group in summary.groups:
        _print_group(group, console)
    for note in summary.notes:
        console.print(Text(f"note: {note}"))


def count(value: int) -> str:
    """Whole numbers with thousands separators."""
    return f"{value:,}"


def usd(value: float | None) -> str:
    """An amount in USD to four significant digits, and to the cent at least; ``unknown`` is never 0."""
    if value is None:
        return "unknown"
    if not value:
        return "0"
    return f"{value:,.{max(2, 3 - math.floor(math.log10(abs(value))))}f}"


def cost(value: Cost) -> str:
    """A cost that may be a lower bound only."""
    return usd(value.usd) if value.complete or value.usd is None else f"≥ {usd(value.usd)} (incomplete)"


def percent(fraction: float | None) -> str:
    return NOTHING if fraction is None else f"{100 * fraction:.1f} %"


def _print_group(group: Group, console: Console) -> None:
    banner(f"experiment {group.experiment_id} · task {group.task}", group.simulated, console)
    if group.graders != (RULE,):
        console.print(Text(f"Scores by: {', '.join(group.graders)} (suite: the task's own rule)."))
    for table in (
        _outcome(group),
        _tokens(group),
        _costs(group),
        _coordination(group),
    ):
        console.print(table)
    for line in _reasoning(group):
        console.print(Text(line))
    for table in (_time(group), _traffic(group), _retries(group)):
        console.print(table)
    if group.yardsticks:
        console.print(_yardsticks(group))
    if any(row.delegations.tries for row in group.rows):
        console.print(_subtasks(group))
        console.print(_delegated(group))
    for first in dict.fromkeys(c.first_cell_id for c in group.changes):
        console.print(_changes(group, first))
    for start in range(0, len(group.rows), CELLS_ABREAST):
        console.print(_purposes(group, group.rows[start : start + CELLS_ABREAST]))
    for bridge in group.bridges:
        console.print(_bridge(bridge, group.row(bridge.cell_id).label))


def banner(what: str, simulated: bool, console: Console) -> None:
    """What follows is about this, and whether any of it is evidence."""
    console.print(Text(f"{BANNER} · {what}" if simulated else what, style="bold"))
    if simulated:
        console.print(Text("No model was asked: what-if figures, never evidence about a real model."))


def plain_table(title: str, simulated: bool, first: str, columns: Sequence[str]) -> Table:
    """An empty table whose title says if its figures are simulated: names to the left, figures to the right."""
    shown = f"{BANNER} · {title}" if simulated else title
    table = Table(title=Text(shown), title_justify="left", box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(Text(first), overflow="fold")
    for column in columns:
        longest = max(map(len, column.split()), default=1)  # no word of a heading is to be broken
        table.add_column(Text(column), justify="right", overflow="fold", min_width=longest)
    return table


def add(table: Table, first: str, cells: Sequence[str]) -> None:
    """One row, its texts taken as they are."""
    table.add_row(Text(first), *(Text(c) for c in cells))


def _outcome(group: Group) -> Table:
    columns = ["runs", "status not ok", "mean score", "passed", "USD per success"]
    table = plain_table(
        "Outcome (means and sums over all runs, failures included)", group.simulated, "topology", columns
    )
    for row in group.rows:
        failures = ", ".join(f"{n} {status}" for status, n in row.statuses.items()) or "none"
        add(
            table,
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


def _tokens(group: Group) -> Table:
    columns = ["total", "work", "coordination", "verification", "judge (apart)", "reread self", "reread cross"]
    table = plain_table("Tokens", group.simulated, "topology", columns)
    for row in group.rows:
        classes = [row.purposes.content.class_tokens(c) for c in ("work", "coordination", "verification")]
        figures = [row.tokens, *classes, row.judge_tokens, row.reread_self, row.reread_cross]
        add(table, row.label, [count(n) for n in figures])
    return table


def _costs(group: Group) -> Table:
    table = plain_table("Cost in USD", group.simulated, "topology", ["billed", "as if uncached", "judge (apart)"])
    for row in group.rows:
        judge = cost(row.judge_cost) if row.judge_tokens else NOTHING
        add(table, row.label, [cost(row.cost), cost(row.uncached), judge])
    return table


def _coordination(group: Group) -> Table:
    columns = ["against single", "content", "activity", "content, USD", "activity, USD"]
    title = "Coordination: tokens against single's total, then as a share of the topology's own spending"
    table = plain_table(title, group.simulated, "topology", columns)
    for row in group.rows:
        content, activity = row.purposes.content, row.purposes.activity
        shares = [content.coordination_share, activity.coordination_share]
        shares += [content.coordination_share_usd, activity.coordination_share_usd]
        add(table, row.label, [percent(f) for f in (row.coordination_per_single, *shares)])
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


def _time(group: Group) -> Table:
    columns = ["wall-clock mean", "working mean", "parallelism", "speedup over single"]
    table = plain_table("Time", group.simulated, "topology", columns)
    for row in group.rows:
        means = [f"{row.wall_mean_s:,.1f} s", f"{row.working_mean_s:,.1f} s"]
        ratios = [NOTHING if r is None else f"{r:.2f}" for r in (row.parallelism, row.speedup)]
        add(table, row.label, [*means, *ratios])
    return table


def _traffic(group: Group) -> Table:
    columns = ["messages", "redelivered\ntokens", "late\ntokens", "depth\nviolations", "refused"]
    columns += ["left out\n(agents)", "parse\nfailures"]
    table = plain_table("Messages, late tokens, refusals and failures", group.simulated, "topology", columns)
    for row in group.rows:
        figures = [row.messages, row.redelivery_tokens, row.late_tokens, row.depth_violations, row.refused]
        figures += [row.left_out, row.parse_failures]
        add(table, row.label, [count(n) for n in figures])
    return table


def _retries(group: Group) -> Table:
    columns = ["transport", "validation", "revision", "escalation"]
    table = plain_table("Retries by kind", group.simulated, "topology", columns)
    for row in group.rows:
        figures = [row.retries_transport, row.retries_validation, row.revisions, row.escalations]
        add(table, row.label, [count(n) for n in figures])
    return table


def _subtasks(group: Group) -> Table:
    columns = ["subtasks", "tries", *(s.replace("_", "\n") for s in ENDS)]
    table = plain_table(
        "Delegations: how subtasks ended (status of the last try)", group.simulated, "topology", columns
    )
    for row in group.rows:
        d = row.delegations
        if d.tries:
            add(table, row.label, [count(n) for n in (d.subtasks, d.tries, *(d.ended.get(s, 0) for s in ENDS))])
    return table


def _delegated(group: Group) -> Table:
    columns = ["workers' tokens", "copied tokens in results", "card tokens a subtask"]
    table = plain_table("Delegations: tokens over all tries", group.simulated, "topology", columns)
    for row in group.rows:
        d = row.delegations
        if d.card_tokens is not None:
            add(table, row.label, [count(d.tokens), count(d.copied_tokens), f"{d.card_tokens:.1f}"])
    return table


def _changes(group: Group, first_cell_id: str) -> Table:
    first = group.row(first_cell_id)
    title = f"Against {first.label}: means over pairs, failures included"
    title += "; ± Monte-Carlo" if group.simulated else ""
    columns = ["pairs", "Δ tokens", "Δ %", "Δ\ncoordination", "Δ score", "Δ copied", "Δ\nvalidation\nretries"]
    table = plain_table(title, group.simulated, "changed", columns)
    changes = [c for c in group.changes if c.first_cell_id == first_cell_id]
    for c in changes:
        pairs = f"{c.pairs:,}{UNPAIRED if c.left_out else ''}"
        percent = NOTHING if c.percent is None else f"{c.percent:+.1f} %"
        counts = [_change(c.coordination, 0), _change(c.score, 3), _change(c.copied, 1), _change(c.retries, 2)]
        changed = " ".join(word for word in group.row(c.cell_id).name if word not in first.name)
        add(table, changed or c.cell_id, [pairs, _change(c.tokens, 0), percent, *counts])
    if any(c.left_out for c in changes):
        table.caption = Text(f"{UNPAIRED} runs of one cell without a partner in the other are left out")
        table.caption_justify = "left"
    return table


def _change(change: Change, digits: int) -> str:
    spread = "" if change.monte_carlo is None else f"\n± {change.monte_carlo:,.{digits}f}"
    return f"{change.mean:+,.{digits}f}{spread}"


def _yardsticks(group: Group) -> Table:
    title = "Against single, and the best that one agent does for no more money"
    columns = ["pairs", "tokens", "USD", "time", "Δ score", "best of the\nsingle family", "its cost", "its score"]
    table = plain_table(title, group.simulated, "topology", columns)
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
        add(table, group.row(y.cell_id).label, [count(y.pairs), *ratios, f"{y.score:+.3f}", *best])
    remarks = [f"{UNCACHED} as if nothing had been cached: {'; '.join(turned)}"] if turned else []
    if any(y.usd is None for y in group.yardsticks):
        remarks.append("without a known cost nobody can say what the same money buys")
    if remarks:
        table.caption = Text("\n".join(remarks))
        table.caption_justify = "left"
    return table


def _of(best: Best | None) -> str | None:
    return None if best is None else best.cell_id


def _purposes(group: Group, rows: Sequence[SummaryRow]) -> Table:
    columns = [f"{row.label}\n{view}" for row in rows for view in ("content", "activity")]
    table = plain_table("Tokens by purpose", group.simulated, "purpose (class)", columns)
    for purpose, kind in CLASS_OF.items():
        cells = [
            view.tokens.get(purpose.value, 0) for row in rows for view in (row.purposes.content, row.purposes.activity)
        ]
        if any(cells):
            add(table, f"{purpose.value} ({kind})", [count(n) if n else NOTHING for n in cells])
    return table


def _bridge(bridge: Bridge, label: str) -> Table:
    versus = f"{bridge.topology} − single"
    where = "" if bridge.params == "{}" else f" at {bridge.params}"
    left_out = f"; runs without a partner: {bridge.team_only + bridge.single_only:,}"
    title = f"Bridge: {label} − single{where}, {bridge.pairs:,} pairs"
    title += left_out if bridge.team_only or bridge.single_only else ""
    table = plain_table(title, bridge.simulated, "term", ["tokens", "% of single", "USD billed", "% of single's USD"])
    lines = [("single total", "single_total"), *((TERM_NAMES[t], t) for t in TERMS), (versus, "delta")]
    lines.insert(lines.index((TERM_NAMES["other_work"], "other_work")) + 1, ("  of Δ work: sent again", "resent_work"))
    lines.append((f"{bridge.topology} total", "team_total"))
    for name, term in lines:
        sides = (bridge.tokens, bridge.pusd)
        values = [None if side is None else int(getattr(side, term)) for side in sides]
        if term == "unknown" and not any(values):
            continue
        shares = [None if side is None else side.percent(term) for side in sides]
        cells = [
            count(values[0] or 0),
            NOTHING if shares[0] is None else f"{shares[0]:.1f} %",
            "unknown" if values[1] is None else usd(values[1] / 10**12),
            NOTHING if shares[1] is None else f"{shares[1]:.1f} %",
        ]
        if term == "delta":
            table.add_section()
        add(table, name, cells)
    if bridge.uncached_usd is not None:
        single, team = bridge.uncached_usd
        share = f"{100 * (team - single) / single:.1f} %" if single else NOTHING
        add(table, f"{versus}, as if uncached", ["", "", usd(team - single), share])
    return table
