"""The sentence that says why, with its three figures."""

from __future__ import annotations

from results.bridge import Bridge
from results.comparison.comparison import Compared
from results.comparison.contrast import Difference
from results.stats import LEVEL
from results.writing import count, usd


def sentence(row: Compared, bridge: Bridge | None) -> str | None:
    """What a run of a team cost, how much of it is coordination, and what the single agent cost and scored on the same
    samples; means a run. None without a bridge; in tokens where a cost is unknown."""
    if bridge is None:
        return None
    if bridge.unmeasured and bridge.pusd is None:
        return f"What a run of {row.cell.label} took beside single is not known: calls of either have no usage."
    terms = bridge.tokens if bridge.pusd is None else bridge.pusd
    figures = (terms.team_total, terms.coordination, terms.single_total)
    spent, talk, alone = (_amount(f / bridge.pairs, bridge.pusd is not None) for f in figures)
    share = (
        f"of which {talk} is coordination" if not bridge.untold else "of which nobody knows how much is coordination"
    )
    past = "took" if bridge.pusd is None else "cost"
    return (
        f"A run of {row.cell.label} {past} {spent}, {share}; single {past} {alone} and scored "
        f"{_scored(row.score)} (means of {bridge.pairs:,} pairs)."
    )


def _amount(value: float, money: bool) -> str:
    return f"USD {usd(value / 10**12)}" if money else f"{count(round(value))} tokens"


def _scored(score: Difference) -> str:
    apart = "the same" if not score.value else f"{abs(score.value):.3f} {'less' if score.value > 0 else 'more'}"
    if score.found is None:
        return apart if score.monte_carlo is None else f"{apart} (Monte-Carlo ± {score.monte_carlo:.3f})"
    if score.found.interval is None:
        return f"{apart} (no interval: {score.clusters} clusters)"
    low, high = score.found.interval.low, score.found.interval.high
    return f"{apart} ({100 * LEVEL:.0f} % CI of the team's advantage {low:+.3f} to {high:+.3f})"
