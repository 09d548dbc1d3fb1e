"""The notes that the figures stand in, among other things."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tasks.briefing.fields import Field
from tasks.briefing.terms import SITES
from tasks.common.documents import Document, pack

OFFICES = ("accounts", "production", "personnel", "site services")
PARAGRAPHS = 5
"""Paragraphs a note has beside its figures."""
_SAID = (
    "The meeting at the {site} works began late, since the road was closed, and the first item was put off.",
    "Somebody asked whether the {site} works could share its store; nobody objected, and nothing was decided.",
    "The canteen at the {site} works has a new cook, and those who were there speak well of the soup.",
    "The roof over hall two of the {site} works is to be looked at before winter; an offer has been asked for.",
    "The minutes of the last round were read and accepted, with one correction to the list of those present.",
    "It was agreed that papers are to be sent out three days before a meeting, and not on the morning of it.",
    "The clock in the yard of the {site} works is slow again; the electrician has been told.",
    "A class of schoolchildren came to see the {site} works and asked good questions about the furnace.",
    "Whoever uses the small meeting room is asked to open a window afterwards and to take the cups along.",
    "The lift at the {site} works stood still for an afternoon; the maker found nothing and will come once more.",
    "The insurance papers have been moved to the cabinet beside the stairs, where they are to stay.",
    "The fence along the river side of the {site} works is bent in one place, probably by a lorry that turned there.",
    "The two offices have agreed on one form for orders, which is shorter than either of the old ones.",
    "At the {site} works the night porter retires in spring, and his place is to be filled from within.",
)


def notes(seed: int, number: int, count: int, fields: Sequence[Field]) -> tuple[Document, ...]:
    """So many notes. The lines are dealt out to them in turn, and what has been withdrawn stands one note further."""
    random = Random(f"briefing notes|{seed}|{number}")
    made = []
    for i in range(count):
        own = [f.sentence for n, f in enumerate(fields) if n % count == i]
        old = [f.old_sentence for n, f in enumerate(fields) if (n + 1) % count == i]
        office = OFFICES[i % len(OFFICES)]
        title = f"Note {i + 1} of the {office} office"
        paragraphs = [*own, *old, *(_talk(random) for _ in range(PARAGRAPHS))]
        random.shuffle(paragraphs)
        name = f"{number:02d}-{i + 1:03d}-{office.partition(' ')[0]}.txt"
        made.append(Document(name, title, pack([f"# {title}", *paragraphs])))
    return tuple(made)


def _talk(random: Random) -> str:
    """A paragraph in which no figure stands."""
    return " ".join(said.format(site=random.choice(SITES)) for said in random.sample(_SAID, 3))
