"""What a language gives the generator: names, units, sentences that count, sentences that do not, and filler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from tasks.common.companies import Names

CENT = Decimal("0.01")


@dataclass(frozen=True)
class Unit:
    """``name``: as an entry gives it; ``form``: an amount in running text, ``{n}`` its number; ``size``: how many of it
    make one of the wanted unit."""

    name: str
    form: str
    size: Decimal

    def number(self, amount: Decimal) -> str:
        """An amount of the wanted unit as a number of this one: no more digits than it takes."""
        return f"{(amount * self.size).normalize():,f}"

    def written(self, amount: Decimal) -> str:
        """The same with the unit, as papers write it."""
        return self.form.format(n=self.number(amount))


@dataclass(frozen=True)
class Sheet:
    """A kind of paper. ``heading`` may have ``{n}``, a number; ``opening`` may have ``{company}``, ``{person}``,
    ``{room}`` and the day on which it was written: ``{n}``, ``{month}`` and ``{year}``."""

    heading: str
    opening: str


@dataclass(frozen=True)
class Lexicon(Names):
    """A language. Sentences may have ``{month}``, ``{year}``, ``{last}`` (the year before) and ``{amount}``.

    ``units``: the wanted one first. ``ask``: what stands after a month's label in the statement. ``states``: give the
    amount of a month. ``first`` and ``second``: its two parts. ``corrects``: take ``{before}`` back. ``gone``: say that
    there is none. ``decoys``: name of a kind → sentences with an amount that does not count. ``caption`` and ``row``: a
    table, ``torn`` a cell that cannot be read. ``filler``: may have an opening's fields and ``{other_person}``, but no
    month or year. ``footer``: ends every sheet.
    """

    months: tuple[str, ...]
    quarters: tuple[str, ...]
    units: tuple[Unit, ...]
    ask: str
    title: str
    states: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    corrects: tuple[str, ...]
    gone: tuple[str, ...]
    decoys: Mapping[str, tuple[str, ...]]
    caption: str
    row: str
    torn: str
    sheets: tuple[Sheet, ...]
    people: tuple[str, ...]
    rooms: tuple[str, ...]
    filler: tuple[str, ...]
    footer: str
    confusions: Mapping[str, str]
    gap: str
