"""The papers of one company's year: sheets in which the figures stand among others that do not count, and noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from random import Random

from tasks.common.documents import Document
from tasks.common.scans import scanned
from tasks.monthly_figures.material.lexicon import Lexicon
from tasks.monthly_figures.material.year import CORRECTED, MISSING, MONTHS, SPLIT, TABLE, Amounts, Year

FILLERS = 6
"""Sentences about nothing on a sheet."""
DECOYS = 2
"""Sentences on a sheet with an amount that does not count, on average; beside those about missing months."""
PARAGRAPH = 3
"""Lines of a paragraph."""
DAYS = 330
"""Over which the dates of sheets are spread, in months of 28 days."""


@dataclass(frozen=True)
class Papers:
    """``evidence``: month → what shows its amount, as it stands in the document, what is to be read first before what
    is to be read last; for a missing month the foot of every sheet, since only who has read them all can know."""

    document: Document
    evidence: dict[int, tuple[str, ...]]


@dataclass
class Writer:
    """Writes one company's papers, once. ``others``: names of other companies, by number from 0. ``key``: of this
    document among all, for its scan errors."""

    lexicon: Lexicon
    company: str
    year: Year
    pages: int
    draws: Random
    amounts: Amounts
    others: Callable[[int], str]
    key: tuple[object, ...]
    _lines: list[tuple[float, str]] = field(default_factory=list)
    _evidence: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def papers(self, name: str) -> Papers:
        """The document of that name. Each line has a place, a number below ``pages`` whose whole part is its sheet."""
        self._tables()
        for month, kind in self.year.kinds.items():
            self._tell(month, kind)
        for line in self._noise():
            self._put(self._place(), line)
        feet = [self.lexicon.footer.format(company=self.company, n=n + 1, count=self.pages) for n in range(self.pages)]
        for month in (m for m, kind in self.year.kinds.items() if kind == MISSING):
            self._evidence[month] = tuple(feet)
        title = self.lexicon.title.format(company=self.company, year=self.year.year)
        sections = tuple(self._sheet(n, foot, title if n == 0 else "") for n, foot in enumerate(feet))
        return Papers(Document(name, title, sections), self._evidence)

    # -- figures -------------------------------------------------------------------------------------------------------

    def _tell(self, month: int, kind: str) -> None:
        """The lines that tell a month's amount, or that it is not to be had."""
        closed, places = self.year.closed[month], sorted((self._place(), self._place()))
        if kind == TABLE:
            return
        if kind == MISSING:
            for decoy in ("last", "plan"):
                self._put(self._place(), self._decoy(decoy, month))
            if self.draws.random() < 0.5:
                self._put(places[0], self._said(self.lexicon.gone, month))
        elif kind == CORRECTED:
            before = self._written(self.year.first[month])
            told = self._said(self.lexicon.states, month, amount=before)
            right = self._said(self.lexicon.corrects, month, amount=self._written(closed), before=before)
            self._evidence[month] = (told, right)
        elif kind == SPLIT:
            first = self.year.first[month]
            told = self._said(self.lexicon.first, month, amount=self._written(first))
            self._evidence[month] = (told, self._said(self.lexicon.second, month, amount=self._written(closed - first)))
        else:
            self._evidence[month] = (self._said(self.lexicon.states, month, amount=self._written(closed)),)
        for place, line in zip(places, self._evidence.get(month, ()), strict=False):
            self._put(place, line)

    def _tables(self) -> None:
        """One table with the months that are told so, and with one missing month if there is any, its cell torn."""
        rows = [month for month, kind in self.year.kinds.items() if kind == TABLE]
        torn = [month for month, kind in self.year.kinds.items() if kind == MISSING][:1] if rows else []
        if not rows:
            return
        unit = self.draws.choice(self.lexicon.units)
        caption = self.lexicon.caption.format(company=self.company, unit=unit.name, last=self.year.year - 1)
        lines = [caption]
        for month in sorted([*rows, *torn]):
            head = self.lexicon.row.format(month=self._month(month), year=self.year.year)
            closed = self.lexicon.torn if month in torn else unit.number(self.year.closed[month])
            cells = (head, closed, unit.number(self.year.planned[month]), unit.number(self.year.before[month]))
            row = "|" + "|".join(" " * self.draws.randrange(3) + c + " " * self.draws.randrange(4) for c in cells) + "|"
            lines.append(row)
            if month in rows:
                self._evidence[month] = (caption, row)
        self._put(self._place(), "\n\n" + "\n".join(lines) + "\n\n")

    def _noise(self) -> Iterator[str]:
        kinds = list(self.lexicon.decoys)
        for i in range(DECOYS * self.pages):
            yield self._decoy(kinds[i % len(kinds)], self.draws.randrange(1, MONTHS + 1))

    def _decoy(self, kind: str, month: int) -> str:
        """A sentence with an amount that does not count. Totals are those of the year as it was, so that what a missing
        month would have been can be worked out now and then, which the brief rules out."""
        quarter = (month - 1) // 3
        if kind == "plan":
            amount = self.year.planned[month]
        elif kind == "last":
            amount = self.year.before[month]
        elif kind == "quarter":
            amount = self.year.total(range(3 * quarter + 1, 3 * quarter + 4))
        elif kind == "running":
            month = max(month, 2)
            amount = self.year.total(range(1, month + 1))
        else:
            amount = self.amounts.passing()
        line = self._said(
            self.lexicon.decoys[kind],
            month,
            amount=self._written(amount),
            quarter=self.lexicon.quarters[quarter],
            other=self.others(self.draws.randrange(1000)) if kind == "other" else "",
        )
        return scanned(line, self.lexicon, *self.key, "decoy", len(self._lines))

    # -- words ---------------------------------------------------------------------------------------------------------

    def _place(self) -> float:
        return self.draws.random() * self.pages

    def _put(self, place: float, line: str) -> None:
        self._lines.append((place, line))

    def _month(self, month: int) -> str:
        return self.lexicon.months[month - 1]

    def _written(self, amount: Decimal) -> str:
        return self.draws.choice(self.lexicon.units).written(amount)

    def _said(self, sentences: tuple[str, ...], month: int, **values: str) -> str:
        year = self.year.year
        return self.draws.choice(sentences).format(month=self._month(month), year=year, last=year - 1, **values)

    def _about_nothing(self, sentence: str, **dated: str | int) -> str:
        """``dated``: a sheet's date; a number drawn stands for its day where there is none."""
        person, other = self.draws.sample(self.lexicon.people, 2)
        room, n = self.draws.choice(self.lexicon.rooms), self.draws.randrange(2, 29)
        values = {"company": self.company, "person": person, "other_person": other, "room": room, "n": n, **dated}
        return sentence.format(**values)

    def _date(self, number: int) -> dict[str, str | int]:
        """When a sheet was written: in the year after the one that it tells of, and none before the sheet above it."""
        month, day = divmod(DAYS * number // self.pages + 6, 28)
        return {"n": day + 1, "month": self._month(month + 1), "year": self.year.year + 1}

    def _sheet(self, number: int, foot: str, title: str) -> str:
        """One sheet: heading, opening, lines in the order of their places, foot."""
        kind = self.draws.choice(self.lexicon.sheets)
        lines = [(place, line) for place, line in self._lines if int(place) == number]
        for i, sentence in enumerate(self.draws.sample(self.lexicon.filler, FILLERS)):
            line = scanned(self._about_nothing(sentence), self.lexicon, *self.key, "filler", number, i)
            lines.append((number + self.draws.random(), line))
        ordered = [line for _, line in sorted(lines)]
        groups = (ordered[i : i + PARAGRAPH] for i in range(0, len(ordered), PARAGRAPH))
        body = "\n\n".join(self.lexicon.gap.join(group) for group in groups)
        head = f"{self._about_nothing(kind.heading)}\n{self._about_nothing(kind.opening, **self._date(number))}"
        return "\n\n".join(part for part in (title, head, body, foot) if part)
