"""What a trade is: a specialist's rules, and what may stand in their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.specialists.rules import Rule, Values

OPENING = "The {title} of this house goes by rules of its own, which hold whatever may be usual elsewhere."


@dataclass(frozen=True)
class Trade:
    """``name``: the tag of its questions and the role of its specialist; ``title``: the heading of its brief.
    ``neutral``: a text that says nothing to the point; ``persona``: one that praises the specialist and gives no rule.
    Both have as many o200k_base tokens as ``own``, whatever the house has set."""

    name: str
    title: str
    rules: tuple[Rule, ...]
    neutral: str
    persona: str

    def own(self, house: Sequence[Values]) -> str:
        """The rules in the words of one house. ``house``: what it has set for each of them."""
        told = (rule.text.format(**values) for rule, values in zip(self.rules, house, strict=True))
        return " ".join([OPENING.format(title=self.title.lower()), *told])
