"""Whether any of several figures lies above a mark, or all below one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from results.comparison.contrast import Difference
from results.stats import LEVEL, MIN_CLUSTERS, holm, needed
from results.verdict.returns import ALPHA
from results.verdict.tree.question import Outcome
from results.writing import counted

FEW = f"no interval is honest from fewer than {MIN_CLUSTERS} clusters of samples"

ROUNDING = 1e-12
"""A mean of sums that is no further above a mark than this is not above it."""


class Side(StrEnum):
    """``SOME_ABOVE``: at least one figure surely is, adjusted for being several; ``ALL_BELOW``: every one surely is,
    which needs no adjustment; else ``OPEN``. Of simulated rows the means decide, and nothing is sure."""

    SOME_ABOVE = "some above"
    ALL_BELOW = "all below"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Ruling:
    """``names``: of the figures that are above. ``why``: a clause for a sentence."""

    side: Side
    names: tuple[str, ...]
    why: str

    def outcome(self, expected: Side) -> Outcome:
        """Of a prediction that expects this side."""
        if self.side is Side.OPEN:
            return Outcome.UNCLEAR
        return Outcome.HELD if self.side is expected else Outcome.REFUTED


def ruling(figures: Mapping[str, Difference | None], above: float, below: float, effect: float | None = None) -> Ruling:
    """``figures``: by name, None where it is unknown, so that not all can be below. ``above`` and ``below``: marks;
    ``effect``: what is worth finding, in the unit of the figures, if it is to be said how many clusters would find it.
    """
    known = {name: d for name, d in figures.items() if d is not None}
    missing = [name for name in figures if name not in known]
    if not known:
        return Ruling(Side.OPEN, (), f"unknown of {', '.join(missing)}")
    tested = [d.found for d in known.values() if d.found is not None]
    if len(tested) < len(known):  # simulated
        found = tuple(name for name, d in known.items() if d.value > above + ROUNDING)
        return _ruled(found, not found, missing, (above, above), "by the means")
    up, down = [t.p_above(above) for t in tested], [t.p_below(below) for t in tested]
    found = exceeding(list(known), up)
    if None in up:
        return Ruling(Side.OPEN, (), FEW)
    all_below = all(p is not None and p <= ALPHA for p in down)
    ruled = _ruled(found, all_below, missing, (above, below), sure(len(known)))
    if ruled.why:
        return ruled
    best = max(known, key=lambda name: known[name].value)
    return Ruling(Side.OPEN, (), f"closest is {best}, whose interval does not decide{_needed(known[best], effect)}")


def exceeding(names: Sequence[str], p_values: Sequence[float | None]) -> tuple[str, ...]:
    """Whose p-value for being above is small enough, adjusted for being several; nobody's where one is unknown."""
    known = [p for p in p_values if p is not None]
    if len(known) < len(p_values):
        return ()
    return tuple(name for name, p in zip(names, holm(known), strict=True) if p <= ALPHA)


def sure(figures: int) -> str:
    """How real figures decide."""
    return f"by {100 * LEVEL:.0f} % intervals{f', adjusted for {figures}' if figures > 1 else ''}"


def _ruled(found: tuple[str, ...], below: bool, missing: Sequence[str], marks: tuple[float, float], how: str) -> Ruling:
    if found:
        return Ruling(Side.SOME_ABOVE, found, f"above {marks[0]:g}: {', '.join(found)}, {how}")
    if missing:
        return Ruling(Side.OPEN, (), f"unknown of {', '.join(missing)}")
    return Ruling(Side.ALL_BELOW, (), f"above {marks[1]:g}: none, {how}") if below else Ruling(Side.OPEN, (), "")


def _needed(best: Difference, effect: float | None) -> str:
    if effect is None or best.found is None or best.found.scatter is None:
        return ""
    wanted = needed(best.found.scatter, effect)
    here = counted(best.clusters, "cluster")
    return f" ({here} here; {wanted:,} find a difference of {effect:g} in four of five experiments)"
