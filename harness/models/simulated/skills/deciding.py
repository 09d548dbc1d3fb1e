"""Decisions that are left open: which option an agent follows, and how it says so to others."""

from __future__ import annotations

from collections.abc import Iterable

from harness.models.oracle import Choice, Item
from harness.models.simulated.prompt.view import View


def open_choices(items: Iterable[Item]) -> tuple[Choice, ...]:
    """The decisions that these items depend on, each once."""
    return tuple({item.choice.name: item.choice for item in items if item.choice is not None}.values())


def followed(view: View, choice: Choice) -> int:
    """The option that this agent goes by: the one that it is told, or else the one that it takes itself, the same for
    all its items, and in part for all agents of its model."""
    told = told_option(view, choice)
    if told is not None:
        return told
    habit = view.draws.agent("by habit", choice.name) < view.behaviour.answering.correlation
    luck = view.draws.family("decides", choice.name) if habit else view.draws.agent("decides", choice.name)
    return int(luck * len(choice.options))


def told_option(view: View, choice: Choice) -> int | None:
    """The option that the prompt gives away: what the assignment says, or else the first word of another agent about it
    (later ones come from agents that had not heard it yet), or else what stands last anywhere; None if nothing does."""
    texts = [text for text, _ in choice.options]
    words = (block.content for block in view.inbox if block.type == "progress")
    for said in (view.assignment, *words):
        found = max((said.rfind(text), number) for number, text in enumerate(texts))
        if found[0] >= 0:
            return found[1]
    return view.evidence.last_of(texts)


def contract(choice: Choice, option: int) -> str:
    """The words that give an option away."""
    return choice.options[option][0]


def fixed(view: View) -> list[str]:
    """What a lead writes into its orders about decisions that its parts depend on, where it thinks of them."""
    return [
        f"Decided, the same for all parts: {contract(choice, followed(view, choice))}"
        for choice in open_choices(view.questions)
        if view.draws.agent("fixes", choice.name) < view.behaviour.planning.decides
    ]
