"""Where a sub-agent stands among layers of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

RUN = 4
"""From so many equal numbers in a row on, a name says how many there are instead of repeating them."""


@dataclass(frozen=True, slots=True)
class Place:
    """``path``: of each agent from the lead's own sub-agent down to this one, its number among its lead's, from 1;
    empty for the lead."""

    path: tuple[int, ...] = ()

    @property
    def depth(self) -> int:
        return len(self.path)

    def below(self, number: int) -> Place:
        """The place of this agent's sub-agent of that number."""
        return Place((*self.path, number))

    def __str__(self) -> str:
        """``1_2``: the second of the first; a long chain stays short: ``2_1x40``. No two places read the same."""
        runs = [(number, len(list(equal))) for number, equal in groupby(self.path)]
        return "_".join(f"{n}x{times}" if times >= RUN else "_".join([str(n)] * times) for n, times in runs)
