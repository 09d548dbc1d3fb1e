"""Companies by number: each with a name of its own in one language, and found again from the name."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tasks.common.draws import draw


@dataclass(frozen=True)
class Names:
    """How companies are called in a language. A name is one piece of each list in ``names``, joined by ``joint``, and
    ``form`` around it; from the second round through all combinations on, ``branch`` tells the rounds apart."""

    names: tuple[tuple[str, ...], ...]
    joint: str
    form: str
    branch: str

    @cached_property
    def combinations(self) -> int:
        return math.prod(map(len, self.names))

    def company(self, number: int) -> str:
        """The name of company ``number`` (any integer from 0); no two numbers share one."""
        turn, rest = divmod(number, self.combinations)
        pieces: list[str] = []
        for choices in self.names:
            rest, at = divmod(rest, len(choices))
            pieces.append(choices[at])
        whole = self.form.format(name=self.joint.join(pieces))
        return whole + (self.branch.format(n=turn + 1) if turn else "")

    def number(self, pieces: Sequence[str]) -> int:
        """The company of the first round with these name pieces: the inverse of ``company``."""
        number, weight = 0, 1
        for choices, piece in zip(self.names, pieces, strict=True):
            number += choices.index(piece) * weight
            weight *= len(choices)
        return number


class Companies:
    """Company numbers ↔ names, scattered by the seed so that neighbours do not sound alike. ``pattern``: of any name,
    to stand in a larger one; it has the only groups without a name there, and one called ``turn``."""

    def __init__(self, names: Names, seed: int) -> None:
        self._names = names
        size = names.combinations
        factor = draw(seed, "factor") % size
        while math.gcd(factor, size) != 1:
            factor += 1
        self._factor, self._shift = factor, draw(seed, "shift") % size
        self._back = pow(factor, -1, size)
        pieces = names.joint.join(f"({'|'.join(map(re.escape, choices))})" for choices in names.names)
        branch = names.branch.format(n=r"(?P<turn>[1-9][0-9]{0,8})")
        self.pattern = names.form.format(name=pieces) + f"(?:{branch})?"

    def name(self, number: int) -> str:
        """The name of company ``number``, from 0."""
        turn, rest = divmod(number, self._names.combinations)
        size = self._names.combinations
        return self._names.company((rest * self._factor + self._shift) % size + turn * size)

    def number(self, found: re.Match[str]) -> int:
        """The company whose name a match of a pattern with ``pattern`` in it holds."""
        named = set(found.re.groupindex.values())
        pieces = [piece for i, piece in enumerate(found.groups(), 1) if i not in named]
        size = self._names.combinations
        return (self._names.number(pieces) - self._shift) * self._back % size + (int(found["turn"] or 1) - 1) * size
