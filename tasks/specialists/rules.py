"""House rules with numbers that a house sets for itself, and the cases that they decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from harness.models.oracle import Item

Values = Mapping[str, Any]
"""Name → number or word: what the house has set, and what the case is about."""
Tell = Callable[[Values], int | str]
GENERAL = "general"
"""The tag of a question that needs nobody's rule."""


@dataclass(frozen=True)
class Rule:
    """``text``: the rule as a brief states it, empty where a case needs none. ``house``: what the house sets, name →
    choices; ``case``: likewise of a case. ``question``: about a case; its answer is one number or word. ``answer``: the
    right one. ``wrong``: what is plausible without the rule, the most natural first. ``units``: what may stand beside a
    number. In texts, names stand in braces."""

    question: str
    case: Mapping[str, Sequence[Any]]
    answer: Tell
    wrong: tuple[Tell, ...]
    text: str = ""
    house: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    units: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """One case. ``tag``: the specialist whose rule it needs, or ``general``. ``rule``: that rule as the brief states
    it, empty for a general question. ``wrong``: at least two, none of them right."""

    label: str
    text: str
    tag: str
    rule: str
    answer: str
    wrong: tuple[str, ...]
    units: tuple[str, ...]

    @property
    def line(self) -> str:
        return f"{self.label}: {self.text}"

    def entry(self, answer: str) -> dict[str, str]:
        return {"question": self.label, "answer": answer}

    def item(self) -> Item:
        """For the oracle. What needs a rule has it for evidence, wherever it is to be read."""
        wrong = tuple(self.entry(answer) for answer in self.wrong)
        field = None if self.tag == GENERAL else self.tag
        return Item(self.line, (self.rule or self.line,), self.entry(self.answer), wrong, field=field)


def drawn(choices: Mapping[str, Sequence[Any]], random: Random) -> dict[str, Any]:
    """A choice for each name."""
    return {name: random.choice(choice) for name, choice in choices.items()}


def question(rule: Rule, set_by_house: Values, label: str, tag: str, random: Random) -> Question:
    """A case under a rule. ``set_by_house``: what the house has set for it."""
    values = {**set_by_house, **drawn(rule.case, random)}
    right = str(rule.answer(values))
    wrong = dict.fromkeys(str(tell(values)) for tell in rule.wrong)
    return Question(
        label,
        rule.question.format(**values),
        tag,
        rule.text.format(**values),
        right,
        tuple(answer for answer in wrong if answer != right),
        rule.units,
    )
