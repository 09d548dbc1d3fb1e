"""The tables of a gate, ready to be shown: a line a rule, then what did not pass, then what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from results.gate.figures import SKEWED, figure, interval
from results.gate.report import Difference, Judgement, Report, Verdict
from results.gate.rules import COMPARABLE
from results.sheet import Sheet, sheet
from results.writing import NOTHING, count

SHOWN = 20
"""Lines of what differs or did not pass; the rest are counted."""


def gate_sheets(report: Report) -> Iterator[Sheet]:
    """Simulated and real rows never in one table."""
    for simulated in (False, True):
        some = [j for j in report.judgements if j.simulated == simulated]
        if some:
            yield _rules(some, simulated, report.exempt)
    judged = [j for j in report.judgements if j.figures is not None]
    if judged:
        yield _figures(judged)
    for simulated in (False, True):
        bad = [j for j in report.judgements if j.simulated == simulated and j.verdict is not Verdict.PASS]
        if bad:
            yield _reasons(bad, simulated)
    if report.differences:
        yield _differences(report.differences)


def notes(report: Report) -> Iterator[str]:
    """Sentences that stand under the tables."""
    if report.exemptions:
        yield report.exemptions
    yield from report.notes
    if report.made is not None:
        made = report.made
        commits = ", ".join(c[:12] for c in made.git_commits) or "an unknown commit"
        yield f"baseline {report.baseline}: {', '.join(made.experiments)} at {commits}, {made.closed_at}"
    if report.count(Verdict.FAIL) and report.update:
        yield f"if the change is meant, make the candidate the baseline: {report.update}"


def _rules(judgements: list[Judgement], simulated: bool, exempt: Iterable[str]) -> Sheet:
    table = sheet(
        "Gate: cells by rule", simulated, "rule", ["cells", *("\n".join(v.value.rsplit(" ", 1)) for v in Verdict)]
    )
    for rule in dict.fromkeys(j.rule for j in judgements):
        own = [j.verdict for j in judgements if j.rule == rule]
        at = sum(j.cell is not None for j in judgements if j.rule == rule)
        table.add(rule, [count(at), *(count(own.count(v)) for v in Verdict)])
    if simulated:
        but = f", but for the exempt {', '.join(exempt)}" if exempt else ""
        table.notes.append(
            f"Simulated rows are compared exactly, each run and column of docs/ci.md{but}: any difference is a "
            f"regression."
        )
    return table


def _figures(judgements: list[Judgement]) -> Sheet:
    columns = ["baseline", "candidate", "worse by", "interval", "allowed", "clusters", "verdict"]
    table = sheet("Gate: real rows by rule and cell", False, "rule, cell", columns)
    for judgement in judgements:
        f = judgement.figures
        if f is not None:
            one, other = (figure(v, f.metric.unit) for v in (f.baseline, f.candidate))
            worse, allowed = (figure(v, f.metric.unit) for v in (f.worse, f.allowed))
            cells = [one, other, worse, interval(f), allowed, count(f.clusters), judgement.verdict.value]
            table.add(f"{judgement.rule}, {_cell(judgement)}", cells)
    if any(j.figures is not None and j.figures.skewed for j in judgements):
        table.notes.append(f"{SKEWED.strip()} a long tail: the interval holds the truth less often (docs/coverage.md).")
    table.notes.append("Intervals: of how much worse the candidate is; 95 % for all of them together (Holm).")
    return table


def _reasons(judgements: list[Judgement], simulated: bool) -> Sheet:
    table = sheet("Gate: what did not pass", simulated, "rule, cell", ["verdict", "why"])
    # what cannot be compared says so once, and not again for every rule
    told = {(j.cell, j.says) for j in judgements if j.rule == COMPARABLE}
    listed = [j for j in judgements if j.rule == COMPARABLE or (j.cell, j.says) not in told]
    for judgement in sorted(listed, key=lambda j: j.verdict is not Verdict.FAIL)[:SHOWN]:
        table.add(f"{judgement.rule}, {_cell(judgement)}", [judgement.verdict.value, judgement.says])
    if len(listed) > SHOWN:
        table.notes.append(f"{len(listed) - SHOWN:,} more are not shown.")
    return table


def _differences(found: tuple[Difference, ...]) -> Sheet:
    columns = ["sample", "epoch", "column", "baseline → candidate", "named by"]
    table = sheet("Gate: what differs", True, "cell", columns)
    for d in found[:SHOWN]:
        table.add(d.cell.label, [d.sample, count(d.epoch), d.column, d.what, ", ".join(d.rules) or NOTHING])
    if len(found) > SHOWN:
        table.notes.append(f"{len(found) - SHOWN:,} more differences are not shown.")
    return table


def _cell(judgement: Judgement) -> str:
    return "no cell" if judgement.cell is None else judgement.cell.label
