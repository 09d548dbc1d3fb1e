"""Question 3: does somebody who has not written a thing find more in it than its author?

004: "an independent agent reviews with a fresh context, without the anchor of having written it. The key word is
independent: whoever writes first and then reviews tends to be too lenient with his own".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from results.bridge import BASELINE
from results.comparison.cells import Cell, Scenario, Values
from results.comparison.comparison import Comparison
from results.comparison.contrast import MIN_EFFECT, Difference, Quotient, difference, of, quotient
from results.verdict.prices import COSTS, Prices
from results.verdict.tree.commands import suite
from results.verdict.tree.equal_money import some_team_beats
from results.verdict.tree.escaped import Escaped, escaped
from results.verdict.tree.exceeds import Side, ruling
from results.verdict.tree.joined import alike, joined
from results.verdict.tree.question import Answer, Figure, Outcome, Prediction, Question
from results.verdict.tree.rows import Rows
from results.writing import counted, usd

KEY = ".reviewer"
OWN = "self"
"""The value at which the agent is told that the drafts are its own."""
TOKENS = 0.05
"""How far the tokens of both may be apart and still be called equal."""
NAME = "does an independent reviewer find more"
ASKED = (
    f"on frozen drafts at equal tokens, an independent reviewer scores > {MIN_EFFECT:g} more than a self-review, and "
    "what fewer defects escape is worth more than its extra cost"
)
COMMAND = suite("review", f"task.reviewer={OWN},fresh")
"""On the suite that was written for this question."""
_NOT_ASKED = f"no cells of {BASELINE} that differ in nothing but a parameter *{KEY}, `{OWN}` and another: {COMMAND}"


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Another reviewer against the self-review. ``gained``: ΔJ; ``tokens``: the ratio; ``fewer``: escaped defects a
    sample, self-review − this one; ``extra``: USD a sample, by way of counting costs; ``net``: ``fewer`` × price −
    ``extra``, likewise."""

    name: str
    gained: Difference
    tokens: Quotient | None
    fewer: Difference
    extra: Mapping[str, Difference | None]
    net: Mapping[str, Difference | None]

    @property
    def equal_tokens(self) -> bool:
        ratio = None if self.tokens is None else self.tokens.value
        return ratio is not None and abs(ratio - 1) <= TOKENS + 1e-12


def adversarial(
    comparison: Comparison,
    every: Sequence[Scenario],
    comparisons: Sequence[Comparison],
    rows: Rows,
    prices: Prices,
) -> Question:
    """``every`` scenario of the analysis, also those of ``single`` alone; ``comparisons``: likewise."""
    found = alike(comparison.scenario, every, KEY)
    own = found.pop(OWN, None)
    others = {name: s for name, (_, s) in found.items() if s.single is not None}
    if own is None or own[1].single is None or not others:
        return Question(3, NAME, ASKED, Answer.NOT_ASKED, _NOT_ASKED)
    key, mine = own
    counted, reviewers = _reviewers(mine, others, rows, prices)
    if not reviewers:
        why = f"the cells of {BASELINE} with {key}={OWN} share no sample with the others"
        return Question(3, NAME, ASKED, Answer.NOT_ASKED, why)
    independent = ruling({r.name: r.gained for r in reviewers}, MIN_EFFECT, MIN_EFFECT)
    judged = [(r, *_judged(r, r.name in independent.names, independent.side, prices)) for r in reviewers]
    answer = next((a for a in (Answer.YES, Answer.UNCLEAR) if a in [j[1] for j in judged]), Answer.NO)
    why = "; ".join(f"`{r.name}`: {said}" for r, _, said in judged)
    if not counted:
        why += "; the rows do not count defects, so a sample counts as one of which 1 − J escapes, which is the most"
    own_drafts = next((c for c in comparisons if c.scenario is mine), None)
    predicted = (_prediction(own_drafts, key),) if answer is Answer.YES else ()
    figures = tuple(f for r in reviewers for f in _figures(r, prices))
    return Question(3, NAME, ASKED, answer, why, figures, predicted)


def _reviewers(
    mine: Scenario, others: Mapping[str, Scenario], rows: Rows, prices: Prices
) -> tuple[bool, list[Reviewer]]:
    """Whether the rows count defects, and everybody who shares a sample with the self-review."""
    parts = [mine, *others.values()]
    singles = [s.single for s in parts if s.single is not None]
    over = joined(parts, singles)
    counts = escaped(rows, parts, singles, over)
    missed = counts or Escaped(tuple(1 - c.values["score"] for c in over.cells), 1.0)
    own, *rest = zip(over.cells, missed.by_cell, strict=True)
    found = [_reviewer(over, name, one, own, missed.most, prices) for name, one in zip(others, rest, strict=True)]
    return counts is not None, [r for r in found if r is not None]


def _reviewer(
    over: Scenario, name: str, other: tuple[Cell, Values], own: tuple[Cell, Values], most: float, prices: Prices
) -> Reviewer | None:
    """``most``: defects of a sample, which is what ties prove nothing about, as of scores."""
    (cell, missed), (self_cell, self_missed) = other, own
    gained, fewer = of(over, "score", cell, self_cell), difference(over, self_missed, missed, pseudo=(most, -most))
    if gained is None or fewer is None:
        return None
    extra = {way: of(over, metric, cell, self_cell) for way, metric in COSTS.items()}
    saved = prices.escape_usd * (self_missed - missed)
    worth = prices.escape_usd * most
    net = {
        way: difference(over, saved, cell.values[m] - self_cell.values[m], pseudo=(worth, -worth))
        for way, m in COSTS.items()
    }
    tokens = quotient(over, cell.values["tokens"], self_cell.values["tokens"])
    return Reviewer(name, gained, tokens, fewer, extra, net)


def _judged(found: Reviewer, more: bool, side: Side, prices: Prices) -> tuple[Answer, str]:
    """The answer for one reviewer, and a clause that says why. ``more``: whether it surely scores more."""
    if not more:
        few = side is Side.OPEN and found.gained.found is not None and found.gained.found.interval is None
        if few:
            few_clusters = counted(found.gained.clusters, "cluster of samples", "clusters of samples")
            return Answer.UNCLEAR, f"{few_clusters}: too few for an interval"
        return Answer.NO, f"ΔJ is not shown to be above {MIN_EFFECT:g}"
    if not found.equal_tokens:
        return Answer.UNCLEAR, f"not at equal tokens (± {100 * TOKENS:g} %)"
    worth = {way: _worth(found, way, prices) for way in COSTS}
    (answer, why), (other, _) = worth.values()
    if answer is other:
        return answer, why
    return Answer.UNCLEAR, "; ".join(f"{way}: {said}" for way, (_, said) in worth.items())


def _worth(found: Reviewer, way: str, prices: Prices) -> tuple[Answer, str]:
    """By the means: net escaped defects × price > extra USD."""
    extra, net, fewer = found.extra[way], found.net[way], found.fewer.value
    if extra is None or net is None:
        return Answer.UNCLEAR, "its cost is unknown"
    if fewer <= 0:
        catches = f"{-fewer:.3g} more defects a sample escape" if fewer else "as many defects escape"
        return (Answer.NO, f"{catches} for no less money") if extra.value >= 0 else _priced(net, prices, catches)
    if extra.value <= 0:
        return Answer.YES, f"{fewer:.3g} fewer defects a sample escape, for no more money"
    at = f"pays from USD {usd(extra.value / fewer)} an escaped defect on"
    return _priced(net, prices, at)


def _priced(net: Difference, prices: Prices, at: str) -> tuple[Answer, str]:
    if not prices.escape_usd:
        return Answer.UNCLEAR, f"{at}; no price is given (--escape-usd)"
    return (Answer.YES if net.value > 0 else Answer.NO), f"{at}, at USD {usd(prices.escape_usd)} each"


def _figures(found: Reviewer, prices: Prices) -> list[Figure]:
    name = found.name
    made = [Figure(f"ΔJ against {OWN}", found.gained, f"> {MIN_EFFECT:g}", name)]
    if found.tokens is not None:
        made.append(Figure(f"tokens ÷ those of {OWN}", found.tokens, f"1 ± {100 * TOKENS:g} %", name))
    made.append(Figure("fewer defects escape", found.fewer, who=name))
    for way in COSTS:
        extra, net = found.extra[way], found.net[way]
        if extra is not None:
            made.append(Figure("extra cost", extra, who=f"{name}, {way}", usd=True))
        if net is not None and prices.escape_usd:
            made.append(Figure("fewer × price − extra cost", net, "> 0", f"{name}, {way}", usd=True))
    return made


def _prediction(own: Comparison | None, key: str) -> Prediction:
    """Teams on the drafts that the agent takes for its own: their other agents are independent readers of them."""
    where = f"where the agent takes the drafts for its own ({key}={OWN}), "
    if own is None:
        return Prediction(f"{where}some team beats {BASELINE}", Outcome.UNCLEAR, f"no team ran there: {COMMAND}")
    return some_team_beats(own, where)
