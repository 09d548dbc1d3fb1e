"""The lines of a report: what each asks for, what the notes say to it, and what is meant."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from harness.models.oracle import Item
from tasks.briefing.terms import AMBIGUOUS, PLAIN, SITES, Term, Unit
from tasks.common.labels import label

PREFIX = "b"


@dataclass(frozen=True)
class Figure:
    """One figure as notes write it."""

    reading: str
    number: str
    unit: Unit

    @property
    def value(self) -> str:
        return f"{self.number} {self.unit.written}"

    def __str__(self) -> str:
        return f"{self.value} ({self.reading})"


@dataclass(frozen=True)
class Field:
    """One line. ``figures``: one for each reading of the term, in its order; ``meant``: which of them is asked for.
    ``shown``: in which order a note gives them; ``withdrawn``: a figure that does not count."""

    label: str
    term: Term
    site: str
    figures: tuple[Figure, ...]
    meant: int
    shown: tuple[int, ...]
    withdrawn: Figure

    @property
    def ambiguous(self) -> bool:
        return len(self.figures) > 1

    @property
    def line(self) -> str:
        return f"{self.label}: {self.term.name} of the {self.site} works"

    @property
    def sentence(self) -> str:
        """What one of the notes says."""
        *others, last = (str(self.figures[i]) for i in self.shown)
        told = f"{', '.join(others)} or {last}, as one takes it" if others else last
        return f"The {self.site} works, {self.term.name}: {told}."

    @property
    def old_sentence(self) -> str:
        """What another one says."""
        return f"The {self.term.name} of the {self.site} works was once given as {self.withdrawn}, since withdrawn."

    @property
    def answer(self) -> str:
        """What the requester says to whoever asks about the term."""
        return meaning(self.term, self.figures[self.meant].reading)

    def entry(self, figure: Figure, reading: str | None = None) -> dict[str, str]:
        return {"field": self.label, "value": figure.value, "reading": figure.reading if reading is None else reading}

    @property
    def key(self) -> dict[str, str]:
        return self.entry(self.figures[self.meant])

    def item(self) -> Item:
        """For the oracle. Whoever has the note and not the requester's word takes the natural reading."""
        meant = self.figures[self.meant]
        wrong = [self.entry(self.withdrawn), *(self.entry(f) for f in self.figures if f is not meant)]
        if self.ambiguous:  # the right figure under another name, the natural one where that is another
            wrong.append(self.entry(meant, self.figures[self.meant == 0].reading))
        slipped = Figure(meant.reading, _slip(meant.number), meant.unit)
        return Item(
            self.line,
            (self.sentence, self.answer) if self.ambiguous else (self.sentence,),
            self.key,
            (*wrong, self.entry(slipped)),
            mixups=((self.old_sentence, self.entry(self.withdrawn)),),
            partial=self.entry(self.figures[0]) if self.ambiguous else None,
        )


def meaning(term: Term, reading: str) -> str:
    """The requester's word on a term."""
    if len(term.readings) == 1:
        return f'By "{term.name}" I mean what the notes say: there is only one figure ({reading}).'
    return f'By "{term.name}" I mean: {reading}.'


def most(terms: tuple[Term, ...]) -> int:
    """How many lines there can be about these terms in one report."""
    return len(terms) * len(SITES)


def fields(seed: int, number: int, count: int, ambiguous: int) -> tuple[Field, ...]:
    """The lines of sample ``number``: ``ambiguous`` of them with several readings, of which each is meant as often
    as the others. A term means the same in all."""
    random = Random(f"briefing|{seed}|{number}")
    asked = [*_pairs(AMBIGUOUS, ambiguous, random), *_pairs(PLAIN, count - ambiguous, random)]
    meant = {term.name: random.randrange(len(term.readings)) for term in AMBIGUOUS}
    random.shuffle(asked)
    return tuple(
        _field(label(PREFIX, number, part), term, site, meant.get(term.name, 0), random)
        for part, (term, site) in enumerate(asked, 1)
    )


def _pairs(terms: tuple[Term, ...], count: int, random: Random) -> list[tuple[Term, str]]:
    """Terms with sites, no pair twice: each term once before any comes again."""
    order, start = random.sample(terms, len(terms)), random.randrange(len(SITES))
    rounds = ((i // len(order), i % len(order)) for i in range(count))
    return [(order[at], SITES[(start + at + turn) % len(SITES)]) for turn, at in rounds]


def _field(name: str, term: Term, site: str, meant: int, random: Random) -> Field:
    """A line with figures drawn for it. Which reading the withdrawn figure had is drawn whatever is meant."""
    numbers = random.sample(range(term.least, term.most), len(term.readings) + 1)
    told = [*term.readings, random.choice(term.readings)]
    *figures, withdrawn = (
        Figure(reading, _written(n, term.decimals), unit) for (reading, unit), n in zip(told, numbers, strict=True)
    )
    shown = tuple(random.sample(range(len(figures)), len(figures)))
    return Field(name, term, site, tuple(figures), meant, shown, withdrawn)


def _written(number: int, decimals: int) -> str:
    return f"{number / 10**decimals:,.{decimals}f}"


def _slip(number: str) -> str:
    """The number with its first digit raised, as a hasty reader copies it."""
    return f"{int(number[0]) % 9 + 1}{number[1:]}"
