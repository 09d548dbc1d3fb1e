"""Which pairs form a sample, and which version of each it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, zip_longest
from random import Random

from tasks.review.pairs import Pair


@dataclass(frozen=True)
class Selection:
    """Groups of ``size`` pairs that share none, with the kinds of defect spread over them; what is left over is left
    out. A sample shows one group, with ``defective`` of its drafts defective. The samples go through the groups, time
    and again; of two times that follow each other, the even and the odd one, the second shows other defects: the pairs
    that were clean come first. ``seed``: of all draws."""

    pairs: Sequence[Pair]
    size: int
    defective: int
    seed: int

    @cached_property
    def groups(self) -> list[list[Pair]]:
        draws = Random(f"review groups {self.seed}")
        kinds: dict[str, list[Pair]] = {}
        for pair in self.pairs:
            kinds.setdefault(pair.kind, []).append(pair)
        order = draws.sample(sorted(kinds), len(kinds))
        rows = zip_longest(*(draws.sample(kinds[kind], len(kinds[kind])) for kind in order))
        deck = [pair for pair in chain.from_iterable(rows) if pair is not None]
        return [deck[n : n + self.size] for n in range(0, len(deck) - self.size + 1, self.size)]

    def group_of(self, number: int) -> int:
        return number % len(self.groups)

    def shown(self, number: int) -> list[tuple[Pair, bool]]:
        """The pairs of a sample by file, each with whether it is the defective version that stands there. If the group
        has two pairs that need another file, one of them is defective and one is not, unless nearly all or nearly none
        are to be."""
        time = number // len(self.groups)
        group = self.groups[self.group_of(number)]
        order = Random(f"review versions {self.seed} {self.group_of(number)} {time // 2}").sample(group, len(group))
        across = [pair for pair in order if pair.context is not None]
        if len(across) > 1:  # one at either end
            order = [across[0], *(pair for pair in order if pair not in (across[0], across[-1])), across[-1]]
        if time % 2:
            order.reverse()
        broken = {pair.file for pair in order[: self.defective]}
        return [(pair, pair.file in broken) for pair in sorted(group, key=lambda pair: pair.file)]
