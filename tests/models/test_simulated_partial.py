"""Evidence in two places: who holds a part of it answers in part, unless somebody has told the whole."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from harness.models.oracle import Item
from harness.models.simulated import SimulatedModel

from .chat import FLAWLESS, Book, Chat, HandClock, entries, system, user

ASKED = "What does the crane cost?"
FIRST, REST = "The crane costs 10.", "Correction: the crane costs 12."


def entry(answer: str) -> dict[str, str]:
    return {"question": ASKED, "answer": answer}


def answered(*told: str) -> list[dict[str, Any]]:
    """What an agent without tools says that has been told these texts."""
    item = Item(ASKED, (FIRST, REST), entry("12"), (entry("10"), entry("11")), partial=entry("10"))
    model = SimulatedModel(behaviour=FLAWLESS)
    model.consult(Book(item))
    asyncio.run(model.open(HandClock()))
    return entries(Chat(model, [system("Answer."), user(ASKED), *map(user, told)], ()).step())


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        ((FIRST, REST), "12"),
        ((FIRST,), "10"),
        ((REST,), None),
        ((), None),
        ((json.dumps([entry("12")]),), "12"),
        ((json.dumps([{**entry("12"), "source": FIRST}]),), "12"),
        ((FIRST, json.dumps([entry("12")])), "12"),
        ((FIRST, REST, json.dumps([entry("11")])), "12"),
    ],
)
def test_the_whole_comes_before_what_is_told_and_that_before_a_part(told: tuple[str, ...], answer: str | None) -> None:
    """A passage that comes along with an entry is no reason to go back on the entry."""
    assert answered(*told) == [entry(answer) if answer else {"question": ASKED, "answer": None}]
