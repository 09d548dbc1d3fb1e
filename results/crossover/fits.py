"""A curve through the means at each size: of five simple forms the one that best foretells sizes it has not seen.

Forms, the simplest first: a constant; a line a + b·n; a square a + c·n², for numbers of agents their channels
a + c·n(n−1)/2 instead; a curve a + b·n + c·n²; and the means joined by straight lines, which is held at its ends and
never carried further. Each size
is left out once and foretold by the rest; a richer form is taken only if that lowers the error by a tenth. Costs are
fitted and judged by relative errors, because what they scatter by grows with them; scores by points of score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from results.crossover.pieces import Coefficients, Pieces, constant, joined

FEWEST = 3
"""Sizes without which nothing is fitted: two points lie on a line whatever the truth."""
GAIN = 0.1
"""Share by which a richer form must lower the error; a convention against fitting noise, not a finding."""
EXACT = 1e-9
"""An error below this is rounding: no form can do better."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What a measure is like. ``low``, ``high``: values it cannot leave. ``relative``: errors are shares of the
    value."""

    low: float
    high: float
    relative: bool


EVERYWHERE = (-math.inf, math.inf)
COST = Scale(0.0, math.inf, True)
SCORE = Scale(0.0, 1.0, False)


@dataclass(frozen=True, slots=True)
class Foretold:
    """A size that the fit had not seen."""

    size: float
    measured: float
    foretold: float


@dataclass(frozen=True, slots=True)
class Fit:
    """``form``: of ``FORMS``; ``coefficients``: c0, c1, c2 of its polynomial before it is held within the scale, empty
    where means are joined. ``extends``: whether it may be carried beyond ``reach``, the sizes it was fitted to (every
    size, for what is constant by construction). ``without``: the same form without one size. ``left_out``: each size
    foretold by the rest; ``largest``: the largest third of the sizes (one at least) foretold by the smaller ones, the
    form chosen anew by these alone (a line where only two are left). These are empty for what is constant by
    construction. ``error``, ``largest_error``: means of these absolute errors, shares of the measured value, or points
    of score.
    """

    form: str
    coefficients: tuple[float, ...]
    curve: Pieces
    extends: bool
    reach: tuple[float, float]
    without: Mapping[float, Pieces]
    left_out: tuple[Foretold, ...]
    largest: tuple[Foretold, ...]
    error: float | None
    largest_error: float | None


@dataclass(frozen=True, slots=True)
class _Form:
    """``terms``: powers of the size as polynomials; None where the means are joined. ``needs``: sizes."""

    name: str
    terms: tuple[Coefficients, ...] | None
    needs: int


_ONE, _SIZE, _SQUARE, _CHANNELS = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, -0.5, 0.5)
_FORMS = (
    _Form("constant", (_ONE,), 1),
    _Form("line", (_ONE, _SIZE), 2),
    _Form("square", (_ONE, _SQUARE), 2),
    _Form("channels", (_ONE, _CHANNELS), 2),
    _Form("curve", (_ONE, _SIZE, _SQUARE), 3),
    _Form("joined", None, 2),
)
FORMS = tuple(form.name for form in _FORMS)
LINE = _FORMS[1]


def fit(sizes: Sequence[float], values: Sequence[float], scale: Scale, *, agents: bool = False) -> Fit:
    """The chosen form over sizes (ascending, distinct, at least ``FEWEST``). ``agents``: the size counts agents, so
    that channels may explain it."""
    form = _chosen(sizes, values, scale, agents)
    without = {size: _made(form, *_rest(sizes, values, i), scale) for i, size in enumerate(sizes)}
    left_out = [Foretold(size, y, without[size](size)) for size, y in zip(sizes, values, strict=True)]
    largest = foretell(sizes, values, scale, agents=agents)
    return Fit(
        form=form.name,
        coefficients=() if form.terms is None else _coefficients(form.terms, sizes, values, scale),
        curve=_made(form, sizes, values, scale),
        extends=form.terms is not None,
        reach=(sizes[0], sizes[-1]),
        without=MappingProxyType(without),
        left_out=tuple(left_out),
        largest=largest,
        error=_error(left_out, values, scale),
        largest_error=_error(largest, values, scale),
    )


def fixed(value: float) -> Fit:
    """Of what does not depend on the size, because it has no such parameter."""
    return Fit(
        "constant", (value, 0.0, 0.0), constant(value), True, EVERYWHERE, MappingProxyType({}), (), (), None, None
    )


def held_out(sizes: Sequence[float]) -> int:
    """How many of the largest sizes are held out: a third, one at least."""
    return max(1, len(sizes) // 3)


def foretell(
    sizes: Sequence[float], values: Sequence[float], scale: Scale, *, agents: bool = False
) -> tuple[Foretold, ...]:
    """The largest sizes foretold by the others, which alone choose the form."""
    kept = len(sizes) - held_out(sizes)
    before = sizes[:kept], values[:kept]
    form = _chosen(*before, scale, agents) if kept >= FEWEST else LINE
    curve = _made(form, *before, scale)
    return tuple(Foretold(size, y, curve(size)) for size, y in zip(sizes[kept:], values[kept:], strict=True))


def _chosen(sizes: Sequence[float], values: Sequence[float], scale: Scale, agents: bool) -> _Form:
    """The simplest form that no richer one beats by ``GAIN`` on sizes left out."""
    chosen, least = _FORMS[0], math.inf
    for form in _FORMS:
        if form.needs < len(sizes) and form.name != ("square" if agents else "channels"):
            foretold = [
                Foretold(size, values[i], _made(form, *_rest(sizes, values, i), scale)(size))
                for i, size in enumerate(sizes)
            ]
            error = _error(foretold, values, scale)
            if least > EXACT and error < (1.0 - GAIN) * least:
                chosen, least = form, error
    return chosen


def _rest(sizes: Sequence[float], values: Sequence[float], left_out: int) -> tuple[list[float], list[float]]:
    return ([x for i, x in enumerate(sizes) if i != left_out], [y for i, y in enumerate(values) if i != left_out])


def _made(form: _Form, sizes: Sequence[float], values: Sequence[float], scale: Scale) -> Pieces:
    if form.terms is None:
        return joined(sizes, values)
    return Pieces((), (_coefficients(form.terms, sizes, values, scale),)).within(scale.low, scale.high)


def _coefficients(
    terms: Sequence[Coefficients], sizes: Sequence[float], values: Sequence[float], scale: Scale
) -> Coefficients:
    """By least squares, of relative errors where the scale says so."""
    x, y = np.asarray(sizes, np.float64), np.asarray(values, np.float64)
    largest = float(np.abs(x).max()) or 1.0
    weights = 1.0 / np.asarray([_unit(v, values, scale) for v in values])
    unit = np.asarray(
        [largest ** -float(max(np.flatnonzero(np.asarray(term)))) for term in terms]
    )  # columns of about equal length
    powers = np.stack([np.ones_like(x), x, x * x], axis=1)
    columns = powers @ np.asarray(terms).T * unit
    solved = np.linalg.lstsq(columns * weights[:, None], y * weights, rcond=None)[0] * unit
    a, b, c = (float(v) for v in solved @ np.asarray(terms))
    least = EXACT * float(np.abs(y).max())  # what is less than this at the largest size is rounding
    return (
        a if abs(a) > least else 0.0,
        b if abs(b) * largest > least else 0.0,
        c if abs(c) * largest**2 > least else 0.0,
    )


def _unit(measured: float, values: Sequence[float], scale: Scale) -> float:
    """What an error is a share of: the measured value, or the mean of all where one of them is 0."""
    if not scale.relative:
        return 1.0
    return abs(measured) if all(values) else math.fsum(map(abs, values)) / len(values) or 1.0


def _error(foretold: Sequence[Foretold], values: Sequence[float], scale: Scale) -> float:
    """Mean absolute error. ``values``: all that were measured."""
    return math.fsum(abs(f.foretold - f.measured) / _unit(f.measured, values, scale) for f in foretold) / len(foretold)
