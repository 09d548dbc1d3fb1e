"""A word problem with its key."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tasks.math.numbers import written


@dataclass(frozen=True)
class Asked:
    """What a solver sees of a problem. ``label``: the only one of its kind in the suite; ``text``: on one line."""

    label: str
    text: str

    @property
    def line(self) -> str:
        """The problem as it stands in the statement."""
        return f"{self.label}: {self.text}"


@dataclass(frozen=True)
class Problem(Asked):
    """``wrong``: plausible wrong answers, all different from ``answer``, at least two; ``tags``: language, number of
    steps; ``kind``: what other problems of its make share, for clusters."""

    answer: Fraction
    wrong: tuple[Fraction, ...]
    tags: tuple[str, ...] = ()
    kind: str = ""

    @property
    def asked(self) -> Asked:
        """The problem without its key."""
        return Asked(self.label, self.text)

    def entry(self, value: Fraction) -> dict[str, str]:
        """A deliverable entry for this problem."""
        return {"question": self.label, "answer": written(value)}


def label(number: int) -> str:
    """``P0007``: the label of a problem by its number, from 1."""
    return f"P{number:04d}"


def number_of(text: str) -> int | None:
    """The number of the problem whose label a text is; None if it is none."""
    digits = text[1:]
    known = text[:1] == "P" and digits.isascii() and digits.isdigit() and len(digits) < 10
    return int(digits) if known and label(int(digits)) == text else None
