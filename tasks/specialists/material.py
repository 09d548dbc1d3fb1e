"""The samples: a house of its own for each, which has set its own numbers, and cases that need them or do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from tasks.common.labels import label
from tasks.specialists.briefs import NAMES, House
from tasks.specialists.general import GENERAL_CASES
from tasks.specialists.rules import GENERAL, Question, Rule, Values, drawn, question
from tasks.specialists.trades import TRADES

PREFIX = "c"
TAGGED, UNTAGGED, MIXED = "tagged", "untagged", "mixed"
_KINDS = (NAMES[0], GENERAL, MIXED, NAMES[1], GENERAL, NAMES[2], GENERAL, NAMES[3], GENERAL, MIXED)
"""What samples ask about, again and again: as many need one specialist as need none."""


@dataclass(frozen=True)
class Problem:
    """``kind``: whether all questions need one specialist (``tagged``), none does (``untagged``), or they are
    ``mixed``."""

    kind: str
    house: House
    questions: tuple[Question, ...]

    @property
    def tags(self) -> tuple[str, ...]:
        """The sample's tags: its kind, then those of its questions, each once."""
        return (self.kind, *dict.fromkeys(q.tag for q in self.questions))


def problem(seed: int, number: int, questions: int) -> Problem:
    """Sample ``number`` of the suite: the same whatever the briefs are."""
    random = Random(f"specialists|{seed}|{number}")
    house = {trade.name: [drawn(rule.house, random) for rule in trade.rules] for trade in TRADES}
    about = _KINDS[number % len(_KINDS)]
    tags = list(islice(cycle((*NAMES, GENERAL) if about == MIXED else (about,)), questions))
    pools = {tag: _pool(tag, house, tags.count(tag), random) for tag in dict.fromkeys(tags)}
    drawn_cases = [(tag, *pools[tag].pop()) for tag in tags]
    random.shuffle(drawn_cases)
    asked = tuple(
        question(rule, values, label(PREFIX, number, part), tag, random)
        for part, (tag, rule, values) in enumerate(drawn_cases, 1)
    )
    kind = MIXED if about == MIXED else UNTAGGED if about == GENERAL else TAGGED
    return Problem(kind, house, asked)


def _pool(tag: str, house: House, count: int, random: Random) -> list[tuple[Rule, Values]]:
    """So many rules of a tag with what the house has set for them, each as often as any other, give or take one."""
    rules: Sequence[tuple[Rule, Values]] = [(rule, {}) for rule in GENERAL_CASES]
    for trade in TRADES:
        if trade.name == tag:
            rules = list(zip(trade.rules, house[tag], strict=True))
    return list(islice(cycle(random.sample(rules, len(rules))), count))
