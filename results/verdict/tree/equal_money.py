"""Whether a team beats the single family at equal money, as billed and as if nothing had been cached."""

from __future__ import annotations

from collections.abc import Collection

from results.bridge import BASELINE
from results.comparison.comparison import Comparison
from results.comparison.contrast import MIN_EFFECT
from results.verdict.prices import COSTS
from results.verdict.tree.commands import sweep
from results.verdict.tree.exceeds import Ruling, Side, ruling
from results.verdict.tree.question import Figure, Outcome, Prediction

BEATS = "the single family at equal money"


def no_team_beats(comparison: Comparison) -> Prediction:
    """Refuted by a team whose advantage is above 0; held where that of every team is below what is worth finding."""
    return _prediction(comparison, f"no team beats {BEATS}", expected=Side.ALL_BELOW)


def some_team_beats(comparison: Comparison, where: str = "", among: Collection[str] | None = None) -> Prediction:
    """Held and refuted the other way round. ``where``: on which samples, a phrase to begin with; ``among``: labels of
    the teams that are meant, None: all."""
    who = "some team" if among is None else " or ".join(among)
    return _prediction(comparison, f"{where}{who} beats {BEATS}", expected=Side.SOME_ABOVE, among=among)


def _prediction(
    comparison: Comparison, says: str, *, expected: Side, among: Collection[str] | None = None
) -> Prediction:
    scenario = comparison.scenario
    labels = {c.label for c in scenario.teams if among is None or c.label in among}
    teams = [row for row in comparison.rows if row.cell.label in labels]
    if not teams:
        return Prediction(says, Outcome.UNCLEAR, f"no team ran here: {_command(comparison)}")
    by_way = {
        "billed": {row.cell.label: row.equal for row in teams},
        "as if uncached": {row.cell.label: row.equal_uncached for row in teams},
    }
    assert tuple(by_way) == tuple(COSTS)
    figures = tuple(
        Figure("Δ score at equal money", equal.score, "> 0" if expected is Side.SOME_ABOVE else "≤ 0", f"{name}, {way}")
        for way, equals in by_way.items()
        for name, equal in equals.items()
        if equal is not None
    )
    found = {
        way: _outcome(
            comparison,
            ruling({name: None if e is None else e.score for name, e in equals.items()}, 0.0, MIN_EFFECT, MIN_EFFECT),
            expected,
        )
        for way, equals in by_way.items()
    }
    (outcome, why), (other, _) = found.values()
    if outcome is other:
        return Prediction(says, outcome, why, figures)
    apart = "; ".join(f"{way}: {o} ({w})" for way, (o, w) in found.items())
    return Prediction(says, Outcome.UNCLEAR, apart, figures)


def _outcome(comparison: Comparison, found: Ruling, expected: Side) -> tuple[Outcome, str]:
    alone = all(m.topology == BASELINE for m in comparison.scenario.family)
    if found.side is Side.SOME_ABOVE and alone:
        return Outcome.UNCLEAR, f"{found.why}, but no equal-budget baseline: {_command(comparison)}"
    return found.outcome(expected), found.why


def _command(comparison: Comparison) -> str:
    """What to run: other members of the family, and teams."""
    scenario = comparison.scenario
    return sweep(scenario, teams=tuple(dict.fromkeys(c.topology for c in scenario.teams)))
