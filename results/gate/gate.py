"""Hold a candidate against a baseline: the verdict of every rule on every cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from results.columns import Columns
from results.gate.baseline import Baseline
from results.gate.contrast import CannotJudge, Contrast, contrast
from results.gate.declared import COMPARED
from results.gate.exact import differences, judged
from results.gate.pairing import Pair, pair
from results.gate.report import Difference, Judgement, Report, Verdict, first
from results.gate.rows import Cell, CellKey, cells
from results.gate.rules import COMPARABLE, JUDGED, Rule, Rules
from results.stats import LEVEL, holm, needed


@dataclass(frozen=True, eq=False)
class _Waiting:
    """A judgement that waits for all others of real rows, since the levels depend on how many there are."""

    rule: Rule
    pair: Pair
    contrast: Contrast


def evaluate(
    baseline: Baseline, candidate: Columns, rules: Rules, *, names: tuple[str, str] = ("", ""), update: str = ""
) -> Report:
    """``candidate``: as ``results.gate.rows.gathered`` makes it. ``names``: of the baseline's file and the candidate's
    folder; ``update``: the command that a report names."""
    olds, news = list(cells(baseline.rows)), list(cells(candidate))
    of = {cell.key: cell for cell in news}
    pairs = [pair(old, of.get(old.key)) for old in olds]
    compared = {p.base.key: differences(p, rules) for p in pairs if p.simulated}
    found = {key: some for key, (some, _) in compared.items()}
    hidden = sum((more for _, more in compared.values()), Counter[str]())
    exempt = {column: hidden[column] for column in COMPARED if compared and column in rules.exempt}
    made: list[Judgement | _Waiting] = []
    for each in pairs:
        made.append(_comparable(each))
        if each.simulated:
            made += judged(each, found[each.base.key], rules)
        else:
            made += _all_real(rules, each, olds, news)
    made += _idle(rules, olds)
    everything: list[Difference] = [d for some in found.values() for d in some]
    notes = tuple(_notes(baseline, rules, pairs, of, {o.key for o in olds}))
    return Report(*names, update, tuple(_decided(made)), tuple(everything), notes, baseline.provenance, exempt)


def _comparable(each: Pair) -> Judgement:
    verdict = Verdict.UNKNOWN if each.problems else Verdict.PASS
    return Judgement(COMPARABLE, each.base.key, each.simulated, verdict, "; ".join(each.problems))


def _all_real(rules: Rules, each: Pair, olds: Sequence[Cell], news: Sequence[Cell]) -> Iterator[Judgement | _Waiting]:
    """By every rule that covers the cell; where there is none, that nothing was judged, unless the rules allow it."""
    covering = [rule for rule in rules.rules if rule.covers(each.base)]
    yield from (_real(rule, each, olds, news) for rule in covering)
    if not covering and not rules.unjudged:
        says = "no rule judges this cell of real rows: give it one, or say `unjudged: allow` in the rules (--rules)"
        yield Judgement(JUDGED, each.base.key, False, Verdict.UNKNOWN, says)


def _real(rule: Rule, each: Pair, olds: Sequence[Cell], news: Sequence[Cell]) -> Judgement | _Waiting:
    try:
        if each.problems:  # what is left out may be what went wrong
            raise CannotJudge("; ".join(each.problems))
        return _Waiting(rule, each, contrast(rule, each, olds, news))
    except CannotJudge as reason:
        return Judgement(rule.name, each.base.key, False, Verdict.UNKNOWN, str(reason))


def _decided(made: Sequence[Judgement | _Waiting]) -> Iterator[Judgement]:
    """Holm over all judgements of real rows, whichever side they lie on: the interval of each is at the level at which
    its adjusted p-value decides, so that it lies wholly on one side exactly where something is decided."""
    waiting = [w for w in made if isinstance(w, _Waiting)]
    adjusted = iter(holm([w.contrast.p for w in waiting]))
    for each in made:
        yield each if isinstance(each, Judgement) else _judgement(each, next(adjusted), len(waiting))


def _judgement(each: _Waiting, adjusted: float, among: int) -> Judgement:
    known, p = each.contrast.found, each.contrast.p
    alpha = 1 - LEVEL
    figures = each.contrast.at(1 - (alpha * p / adjusted if adjusted else alpha / among))
    decided = adjusted <= alpha
    middle = known.centre if known.se else known.value
    verdict = Verdict.OPEN if not decided else Verdict.FAIL if middle > 0 else Verdict.PASS
    says = ""
    if verdict is Verdict.FAIL:
        says = "the whole interval lies beyond what is allowed"
    elif verdict is Verdict.OPEN:
        says = f"what is allowed lies inside the interval: {known.n} clusters are too few to say"
        if known.sd and known.value:
            enough = needed(known.sd, known.value)
            says += f"; about {enough:,} would do for this rule alone, were the difference as it seems"
    return Judgement(each.rule.name, each.pair.base.key, False, verdict, says, figures)


def _idle(rules: Rules, olds: Sequence[Cell]) -> Iterator[Judgement]:
    for rule in rules.rules:
        if not any(rule.covers(cell) for cell in olds):
            teams = " of a team" if rule.judged.ratio else ""
            says = (
                f"it judged nothing: no cell{teams} in the baseline has a topology of {', '.join(rule.topologies)} and "
                f"a task of {', '.join(rule.tasks)}. Mend the rule or leave it out (--rules)"
            )
            yield Judgement(rule.name, None, all(cell.simulated for cell in olds), Verdict.UNKNOWN, says)


def _notes(
    baseline: Baseline, rules: Rules, pairs: Sequence[Pair], of: Mapping[CellKey, Cell], old: set[CellKey]
) -> Iterator[str]:
    new = [key.label for key in of if key not in old]
    if new:
        yield f"{len(new)} cells are not in the baseline and are not judged: {first(new)}"
    if old.isdisjoint(of):
        yield "no cell is in both the baseline and the candidate"
    more = [f"{p.base.key.label} ({p.more:,})" for p in pairs if p.more]
    if more:
        yield f"runs that only the candidate has are not judged: {first(more)}"
    unruled = [p.base.key.label for p in pairs if not p.simulated and not any(r.covers(p.base) for r in rules.rules)]
    if unruled:
        allowed = ", as `unjudged: allow` has it" if rules.unjudged else ""
        yield f"{len(unruled)} cells of real rows are judged by no rule{allowed}: {first(unruled, len(unruled))}"
    if baseline.provenance.rules and baseline.provenance.rules != rules.digest:
        yield f"the rules ({rules.source}) are not those that the baseline was made under"
