"""What a language gives the generator: names, kinds of documents, their fields, filler, and its typical scan errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from tasks.common.companies import Names


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
class Lexicon(Names):
    """A language."""

    question: str
    kinds: tuple[Kind, ...]
    filler: tuple[tuple[str, tuple[str, ...]], ...]
    clause: str
    page: str
    confusions: Mapping[str, str]
    gap: str
