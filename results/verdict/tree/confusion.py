"""What the tree says against what the money says, counted over scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from results.stats import Interval, wilson

TEAM, ONE, NOTHING_SAID = "team", "single", "nothing"
UNDECIDED = "inconclusive"


@dataclass(frozen=True, slots=True)
class Right:
    """``part`` of the ``whole`` scenarios on which both tree and money decide. ``interval``: Wilson's, of real rows."""

    part: int
    whole: int
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Confusion:
    """``counts``: (what the tree says, what the money says) → scenarios; the tree says ``team``, ``single`` or
    ``nothing``, the money ``team``, ``single`` or ``inconclusive``. ``tree`` and ``always_single``: how often each rule
    is right, among the scenarios on which both decide; None where there is none."""

    simulated: bool
    counts: Mapping[tuple[str, str], int]
    tree: Right | None
    always_single: Right | None

    @property
    def scenarios(self) -> int:
        return sum(self.counts.values())

    @property
    def decided(self) -> int:
        return sum(self.counts.get((a, b), 0) for a in (TEAM, ONE) for b in (TEAM, ONE))


def confusion(said: Iterable[tuple[bool | None, str]], *, simulated: bool) -> Confusion:
    """``said``: one a scenario; whether the tree says team (None: nothing), and what the money says."""
    counts = Counter((NOTHING_SAID if team is None else TEAM if team else ONE, money) for team, money in said)
    both = counts[TEAM, TEAM] + counts[ONE, ONE]
    decided = both + counts[TEAM, ONE] + counts[ONE, TEAM]
    single = counts[TEAM, ONE] + counts[ONE, ONE]
    if not decided:
        return Confusion(simulated, dict(counts), None, None)
    tree, always = (Right(part, decided, None if simulated else wilson(part, decided)) for part in (both, single))
    return Confusion(simulated, dict(counts), tree, always)
