"""Templates of word problems: a text with gaps, what fills them, and the steps of the solution."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from tasks.math.numbers import written

Range = tuple[float, float] | tuple[float, float, float]
"""(first, last, step), the step 1 if it is left out; quarters are exact."""
Values = dict[str, Fraction]

MOST_DRAWS = 100_000
"""Draws until one makes sense; the templates need a few hundred at most."""


@dataclass(frozen=True)
class Template:
    """``draws``: gap → what may stand there. ``given``: equations for gaps that follow from others. ``steps``: the
    equations of the solution in order, ``name = left op right`` with ``+ - * /`` or ``%`` (right per cent of left);
    the last is the answer. ``whole``: every step comes out whole, otherwise in cents at most."""

    kind: str
    language: str
    text: str
    draws: Mapping[str, Range]
    steps: Sequence[str]
    given: Sequence[str] = field(default=())
    whole: bool = True

    def draw(self, rng: Random) -> tuple[str, Fraction, tuple[Fraction, ...]]:
        """Text, answer, and plausible wrong answers: what comes out if one step of the solution is left out."""
        for _ in range(MOST_DRAWS):
            drawn = {gap: _drawn(rng, within) for gap, within in self.draws.items()}
            told = _solved(self.given, drawn)
            values = _solved(self.steps, told)
            if not all(map(self._fits, values.values())):
                continue
            answer = values[_name(self.steps[-1])]
            wrong = tuple(dict.fromkeys(slip for slip in self._slips(told) if slip != answer))
            if len(wrong) >= 2:
                return self._filled(rng, values), answer, wrong
        raise RuntimeError(f"the template {self.kind} finds no numbers that make sense")

    def _fits(self, value: Fraction) -> bool:
        return value > 0 and (value.denominator == 1 if self.whole else (value * 100).denominator == 1)

    def _slips(self, told: Values) -> Iterator[Fraction]:
        """The answers to the problem with one step left out, as far as they look like answers."""
        for number in range(len(self.steps)):
            slip = _solved(self.steps, told, without=number)[_name(self.steps[-1])]
            if self._fits(slip):
                yield slip

    def _filled(self, rng: Random, values: Values) -> str:
        who, other = rng.sample(NAMES[self.language], 2)
        shown = {gap: _shown(value) for gap, value in values.items()}
        return self.text.format(who=who, other=other, **shown)


NAMES = {
    "en": ("Ada", "Bo", "Carla", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kiri", "Lena"),
    "zh": ("小林", "小周", "小何", "小宋", "小罗", "小郑", "小叶", "小蒋"),
}


def _drawn(rng: Random, within: Range) -> Fraction:
    first, last, step = (*within, 1)[:3]
    return Fraction(first + step * rng.randint(0, int((last - first) / step)))


def _name(equation: str) -> str:
    return equation.split(" = ")[0]


def _solved(equations: Sequence[str], known: Mapping[str, Fraction], without: int | None = None) -> Values:
    """The known values and those that the equations give. ``without``: the equation that is left out, so that what it
    works on stands for its result. A result that there is none of, by a division by 0, is 0."""
    values = dict(known)
    for number, equation in enumerate(equations):
        name, _, terms = equation.partition(" = ")
        left, operation, right = terms.split(" ")
        a, b = (values[term] if term in values else Fraction(term) for term in (left, right))
        values[name] = a if number == without else _OPERATIONS[operation](a, b)
    return values


def _shares(a: Fraction, b: Fraction) -> Fraction:
    return a / b if b else Fraction(0)


_OPERATIONS: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _shares,
    "%": lambda a, b: a * b / 100,
}


def _shown(value: Fraction) -> str:
    """A number in a text: whole, or with two decimals."""
    return written(value) if value.denominator == 1 else f"{float(value):.2f}"
