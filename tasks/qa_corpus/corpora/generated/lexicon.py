"""What a language gives the generator: names, kinds of documents, their fields, filler, and its typical scan errors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property


@dataclass(frozen=True)
class Values:
    """A series of values: ``count`` numbers from ``low`` in steps of ``step``, written by ``form`` (``{n}`` is the
    number), or the ``texts`` with their other wordings."""

    low: str = "0"
    step: str = "1"
    count: int = 0
    form: str = "{n}"
    units: tuple[str, ...] = ()
    texts: tuple[tuple[str, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.texts) or self.count

    def number(self, index: int) -> Decimal | None:
        return None if self.texts else Decimal(self.low) + Decimal(self.step) * index

    def answer(self, index: int) -> str:
        return self.texts[index][0] if self.texts else self.form.format(n=f"{self.number(index):,}")

    def aliases(self, index: int) -> tuple[str, ...]:
        return self.texts[index][1:] if self.texts else ()


@dataclass(frozen=True)
class Field:
    """One fact a document states. ``ask`` ends the question; ``states`` is the evidence sentence, with ``{company}``,
    ``{year}`` and ``{value}``; ``decoy`` a sentence near it with another value, which does not answer the question."""

    heading: str
    ask: str
    states: str
    decoy: str
    values: Values
    kind: str


@dataclass(frozen=True)
class Kind:
    """One kind of document. ``slug`` is for file names; ``numbered`` documents have clause numbers."""

    name: str
    slug: str
    title: str
    opening: str
    fields: tuple[Field, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Lexicon:
    """A language. A company's name is one piece of each list in ``names``, joined by ``joint``, and ``form`` around it;
    from the second round through all combinations on, ``branch`` tells the rounds apart."""

    names: tuple[tuple[str, ...], ...]
    joint: str
    form: str
    branch: str
    question: str
    kinds: tuple[Kind, ...]
    filler: tuple[tuple[str, tuple[str, ...]], ...]
    clause: str
    page: str
    confusions: Mapping[str, str]
    gap: str

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
