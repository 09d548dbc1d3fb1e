"""Our own word problems: any number of them, each made on demand from the seed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tasks.math.generated.chinese import CHINESE
from tasks.math.generated.english import ENGLISH
from tasks.math.problems import Problem, label

TEMPLATES = (*ENGLISH, *CHINESE)
LANGUAGES = tuple(dict.fromkeys(template.language for template in TEMPLATES))
MOST_WRONG = 3


class GeneratedProblems:
    """``count`` problems. Every template of the chosen languages comes once before one comes again."""

    name = "own"

    def __init__(self, count: int, seed: int, languages: Sequence[str]) -> None:
        self._count, self._seed = count, seed
        self._templates = [template for template in TEMPLATES if template.language in languages]

    def __len__(self) -> int:
        return self._count

    def problem(self, index: int) -> Problem:
        """The problem at a place, the same however many there are."""
        turn, place = divmod(index, len(self._templates))
        order = list(range(len(self._templates)))
        Random(f"math order {self._seed} {turn}").shuffle(order)
        template = self._templates[order[place]]
        text, answer, wrong = template.draw(Random(f"math {template.kind} {self._seed} {turn}"))
        return Problem(
            label(index + 1),
            text,
            answer,
            wrong[-MOST_WRONG:],
            (template.language, f"steps-{len(template.steps)}"),
            template.kind,
        )
