"""A ratio of sums, with Fieller's set.

The set holds every ratio r for which a paired t test of "numerator − r · denominator has mean 0" is not significant
(Fieller, J. R. Stat. Soc. B 16, 1954). If the mean of the denominators is well away from 0 it is an interval. If not,
it is unbounded: everything outside of a gap, or everything. This is no fault of the method: data that allow the
denominator to be 0 allow any ratio, and a method whose intervals are always bounded holds the truth too seldom
(Gleser & Hwang, Ann. Stat. 15, 1987).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from results.stats.interval import LEVEL, MIN_CLUSTERS, Interval
from results.stats.student import quantile
from results.stats.values import Values, average, finite


@dataclass(frozen=True, slots=True)
class Ratio:
    """``value``: sum of the numerators / sum of the denominators over ``n`` clusters; None where the denominators add
    up to 0.

    ``bounded``: the set is all from ``low`` to ``high``. Otherwise one of them is infinite, or both:

    * ``low`` finite: the ratio is ≥ ``low``. If ``gap`` is given, this holds for a ratio that cannot be negative (of
      costs, tokens, durations): the set is all that is outside of the gap, and the gap reaches from below 0 to ``low``.
    * ``high`` finite: the ratio is ≤ ``high``.
    * both infinite: there is no bound. If ``gap`` is given, the set is all that is outside of it.

    Below MIN_CLUSTERS nothing is said: both infinite, no gap, ``interval`` None.
    """

    value: float | None
    n: int
    low: float
    high: float
    bounded: bool
    gap: Interval | None = None

    @property
    def interval(self) -> Interval | None:
        """From ``low`` to ``high``, None below MIN_CLUSTERS."""
        return None if self.n < MIN_CLUSTERS else Interval(self.low, self.high)

    def times(self, unit: float) -> Ratio:
        """The same in another unit, which is above 0."""
        value = None if self.value is None else self.value * unit
        gap = None if self.gap is None else Interval(self.gap.low * unit, self.gap.high * unit)
        return Ratio(value, self.n, self.low * unit, self.high * unit, self.bounded, gap)


def ratio(numerators: Values, denominators: Values, *, level: float = LEVEL) -> Ratio:
    """Both: one number a cluster, of the same clusters in the same order. Raises ValueError if there is none, one is
    not finite, or there are not as many of one as of the other."""
    y, x = finite(numerators, "numerators"), finite(denominators, "denominators")
    if len(y) != len(x):
        raise ValueError(f"there are {len(y)} numerators and {len(x)} denominators. Give one of each a cluster.")
    (y, of_y), (x, of_x) = _scaled(y), _scaled(x)
    return _ratio(y, x, level).times(2.0 ** (of_y - of_x))


def _scaled(values: Sequence[float]) -> tuple[tuple[float, ...], int]:
    """The values in units of a power of 2, which costs no digit, and its exponent: no square is then out of range."""
    exponent = math.frexp(max(map(abs, values)))[1]
    return tuple(math.ldexp(v, -exponent) for v in values), exponent


def _ratio(y: Sequence[float], x: Sequence[float], level: float) -> Ratio:
    """The set is a·r² − 2·b·r + c ≤ 0; ``spread`` is b² − a·c, written so that nothing large cancels."""
    n = len(y)
    top, bottom, whole = average(y), average(x), math.fsum(x)
    value = math.fsum(y) / whole if whole else None
    if n < MIN_CLUSTERS:
        return Ratio(value, n, -math.inf, math.inf, False)
    k = quantile(n - 1, level) ** 2 / n / (n - 1)
    dy, dx = [v - top for v in y], [v - bottom for v in x]
    yy, xx, xy = _dot(dy, dy), _dot(dx, dx), _dot(dx, dy)
    a, b, c = bottom * bottom - k * xx, bottom * top - k * xy, top * top - k * yy
    rest = [e - xy / xx * d for e, d in zip(dy, dx, strict=True)] if xx else dy
    across = [bottom * e - top * d for e, d in zip(dy, dx, strict=True)]
    spread = k * _dot(across, across) - k * k * xx * _dot(rest, rest)
    if a > 0 and value is not None:
        low, high = _roots(a, b, c, max(spread, 0.0))
        return Ratio(value, n, min(low, value), max(high, value), True)  # whatever rounding makes of a set of one
    if a == 0 and b:
        end = c / (2 * b)
        return Ratio(value, n, end, math.inf, False) if b > 0 else Ratio(value, n, -math.inf, end, False)
    if a == 0 or spread <= 0:
        return Ratio(value, n, -math.inf, math.inf, False)
    gap = Interval(*_roots(a, b, c, spread))
    at_least = bottom > 0 and value is not None and gap.low < 0 < gap.high <= value
    return Ratio(value, n, gap.high if at_least else -math.inf, math.inf, False, gap)


def _roots(a: float, b: float, c: float, spread: float) -> tuple[float, float]:
    """Where a·r² − 2·b·r + c is 0, the smaller one first; a is not 0."""
    far = b + math.copysign(math.sqrt(spread), b)
    one, other = far / a, c / far if far else 0.0
    return min(one, other), max(one, other)


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return math.fsum(v * w for v, w in zip(one, other, strict=True))
