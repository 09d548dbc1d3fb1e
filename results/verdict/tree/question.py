"""A question of the tree: what was asked of the rows, the answer, what it predicts and whether that held."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from results.comparison.contrast import Difference, Quotient
from results.verdict.tree.between import Between


class Answer(StrEnum):
    """``UNCLEAR``: asked, and the rows are too few, or something has no price; ``NOT_ASKED``: no rows to ask."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "cannot be said"
    NOT_ASKED = "not asked"


class Outcome(StrEnum):
    """Of a prediction."""

    HELD = "held"
    REFUTED = "refuted"
    UNCLEAR = "cannot be said"


@dataclass(frozen=True, slots=True)
class Share:
    """``part`` of ``whole`` samples, which are of so many ``clusters``."""

    part: int
    whole: int
    clusters: int

    @property
    def fraction(self) -> float:
        return self.part / self.whole


@dataclass(frozen=True, slots=True)
class Figure:
    """One number that was read from the rows. ``name``: what it is; ``found``: the number, with what makes it sure;
    ``wanted``: what it is held against, empty where it only stands beside another; ``who``: the team or reviewer whose
    it is, empty for ``single``; ``usd``: its unit is USD a sample."""

    name: str
    found: Difference | Quotient | Between | Share
    wanted: str = ""
    who: str = ""
    usd: bool = False


@dataclass(frozen=True, slots=True)
class Prediction:
    """``says``: what must be true of the teams if the answer is right. ``why``: a sentence on the outcome, with the
    command that gets the rows where they are missing."""

    says: str
    outcome: Outcome
    why: str
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """``number`` and ``name`` as in 004. ``asked``: the rule. ``why``: a sentence on the answer, with the command that
    gets the rows where they are missing. ``predictions``: of the answer given; empty where it predicts nothing."""

    number: int
    name: str
    asked: str
    answer: Answer
    why: str
    figures: tuple[Figure, ...] = ()
    predictions: tuple[Prediction, ...] = ()
