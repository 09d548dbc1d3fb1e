"""What a report is made of, before anything is drawn or written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from results.sheet import BANNER, Sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Picture:
    """``name``: of its file, without a suffix. ``caption``: a sentence or two that say how to read it. ``shows``: what
    it shows, in words. ``tables``: the same figures as tables. ``draw``: makes it anew."""

    name: str
    caption: str
    shows: str
    tables: tuple[Sheet, ...]
    draw: Callable[[], Figure]

    @property
    def alt(self) -> str:
        """For who cannot see it: what it shows, and whether that is evidence."""
        return f"{BANNER}: {self.shows}" if any(t.simulated for t in self.tables) else self.shows


@dataclass(frozen=True, slots=True)
class Aside:
    """Sentences that are folded away, under a ``title``."""

    title: str
    prose: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """In this order on the page: sentences, pictures (each with its tables, folded), tables, ``folded`` tables,
    ``asides``, and sections within. ``simulated``: whether its figures are."""

    title: str
    prose: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    folded: tuple[Sheet, ...] = ()
    asides: tuple[Aside, ...] = ()
    sections: tuple[Section, ...] = ()
    simulated: bool = False


@dataclass(frozen=True, slots=True)
class Banner:
    """Something that changes how far the figures can be trusted. ``kind``: a word for it, ``says``: a sentence."""

    kind: str
    says: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came out for one scenario. ``about``: its name; ``verdict``: the words, None where none can be given;
    ``why``; ``sentences``: one a team."""

    about: str
    verdict: str | None
    why: str
    sentences: tuple[str, ...]
    simulated: bool


@dataclass(frozen=True, slots=True)
class Document:
    """``about``: which experiments. ``facts``: what was run, name → text; ``answers``: what came out; both fill the
    first screen."""

    title: str
    about: str
    facts: tuple[tuple[str, str], ...]
    banners: tuple[Banner, ...]
    answers: tuple[Answer, ...]
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def simulated(self) -> bool:
        """Whether any of it is."""
        return any(a.simulated for a in self.answers) or any(s.simulated for s in self.sections)

    def pictures(self) -> Iterator[Picture]:
        """All of them, in the order of the page."""
        for section in self.sections:
            yield from _pictures(section)


def _pictures(section: Section) -> Iterator[Picture]:
    yield from section.pictures
    for inner in section.sections:
        yield from _pictures(inner)
