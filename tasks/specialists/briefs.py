"""The brief in its parts: one section for each specialist, in one of three kinds, each under its heading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.suite import Specialty
from tasks.specialists.rules import Values
from tasks.specialists.trades import TRADES, Trade

KINDS = ("own", "neutral", "persona")
NAMES: tuple[str, ...] = tuple(trade.name for trade in TRADES)
"""Of the specialists, in the order of the brief: the tags of their questions."""

INSTRUCTIONS = """\
You answer cases for a house with several specialists. What each of them has written about the work stands below, \
under the specialist's heading.
How to answer: where a case falls under a rule of this house, go by that rule and not by what is usual elsewhere; \
where it does not, reckon from what the case says. An answer is one number, in the unit that the case asks for, or \
one word.
If a case needs a rule that you have not been given, give null for the answer instead of a guess."""

House = Mapping[str, Sequence[Values]]
"""Specialist → what the house has set for each of the rules."""


def texts(kind: str, house: House) -> dict[str, str]:
    """Specialist → the text of one kind: ``own`` rules, ``neutral``, or ``persona``."""
    if kind == "own":
        return {trade.name: trade.own(house[trade.name]) for trade in TRADES}
    return {trade.name: trade.persona if kind == "persona" else trade.neutral for trade in TRADES}


def brief(kind: str, house: House) -> str:
    """The brief with the texts of one kind."""
    parts = texts(kind, house)
    return "\n\n".join([INSTRUCTIONS, *(_section(trade, parts[trade.name]) for trade in TRADES)])


def specialties(kind: str, house: House) -> tuple[Specialty, ...]:
    """The same texts as a team of experts divides them."""
    parts = texts(kind, house)
    return tuple(Specialty(t.name, t.title, _section(t, parts[t.name]), _section(t, t.neutral)) for t in TRADES)


def _section(trade: Trade, text: str) -> str:
    return f"## {trade.title}\n{text}"
