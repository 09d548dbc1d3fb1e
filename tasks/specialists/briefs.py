"""The brief in its parts: one section for each specialist, in one of three kinds, and what an ablation makes of it.

``Sample.brief`` holds all sections, each under its specialist's heading. From that text alone ``sections`` gives them
back by name, ``alone`` leaves one specialist's, and ``ablated`` replaces one by the neutral text of equal length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from harness.errors import unknown
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
_HEADING = re.compile(r"^## (.+)$", re.M)
_BY_TITLE = {trade.title: trade for trade in TRADES}
_BY_NAME = {trade.name: trade for trade in TRADES}

House = Mapping[str, Sequence[Values]]
"""Specialist → what the house has set for each of the rules."""


def texts(kind: str, house: House) -> dict[str, str]:
    """Specialist → the text of one kind: ``own`` rules, ``neutral``, or ``persona``."""
    if kind == "own":
        return {trade.name: trade.own(house[trade.name]) for trade in TRADES}
    return {trade.name: trade.persona if kind == "persona" else trade.neutral for trade in TRADES}


def brief(parts: Mapping[str, str]) -> str:
    """The brief with these specialists' texts, in the order given."""
    return "\n\n".join([INSTRUCTIONS, *(f"## {_named(name).title}\n{text}" for name, text in parts.items())])


def sections(whole: str) -> dict[str, str]:
    """Specialist → text, from a brief. ``brief`` of it is that brief again."""
    heads = list(_HEADING.finditer(whole))
    ends = [head.start() for head in heads[1:]] + [len(whole)]
    return {_BY_TITLE[head[1]].name: whole[head.end() : end].strip() for head, end in zip(heads, ends, strict=True)}


def alone(whole: str, name: str) -> str:
    """A brief with one specialist's section only: what this specialist gets in a team of experts. Raises ValueError for
    an unknown name."""
    _named(name)
    return brief({name: sections(whole)[name]})


def ablated(whole: str, name: str) -> str:
    """A brief with one specialist's section replaced by the neutral text, of as many tokens. Raises ValueError for an
    unknown name."""
    return brief({**sections(whole), name: _named(name).neutral})


def _named(name: str) -> Trade:
    if name not in _BY_NAME:
        raise ValueError(unknown("specialist", name, NAMES))
    return _BY_NAME[name]
