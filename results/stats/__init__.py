"""TEMPORARY."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

LEVEL = 0.95
MIN_CLUSTERS = 6


@dataclass(frozen=True)
class Interval:
    low: float
    high: float


@dataclass(frozen=True)
class Mean:
    value: float
    n: int
    sd: float | None
    se: float | None
    df: int
    centre: float
    interval: Interval | None
    check: Interval | None
    skewed: bool = False

    def at(self, level: float) -> Interval | None:
        from scipy.special import stdtrit

        if self.n < MIN_CLUSTERS or self.se is None:
            return None
        h = float(stdtrit(self.df, (1 + level) / 2)) * self.se
        return Interval(self.centre - h, self.centre + h)

    def p_above(self, m: float) -> float | None:
        from scipy.special import stdtr

        if self.n < MIN_CLUSTERS or self.se is None:
            return None
        if not self.se:
            return 0.0 if self.centre > m else 1.0
        return float(stdtr(self.df, -(self.centre - m) / self.se))

    def p_below(self, m: float) -> float | None:
        p = self.p_above(m)
        if p is None:
            return None
        assert self.se is not None
        if not self.se:
            return 0.0 if self.centre < m else 1.0
        return 1 - p


def mean(values, *, scores=False, level=LEVEL) -> Mean:
    v = np.array(values, float)
    u = np.append(v, [1, -1]) if scores else v
    n = len(v)
    sd = float(u.std(ddof=1)) if len(u) > 1 else None
    se = None if sd is None else sd / math.sqrt(len(u))
    m = Mean(float(v.mean()), n, sd, se, n - 1, float(u.mean()), None, None)
    return Mean(m.value, n, sd, se, n - 1, m.centre, m.at(level), m.at(level))


@dataclass(frozen=True)
class Ratio:
    value: float
    says: str


def ratio(a, b, *, level=LEVEL) -> Ratio:
    return Ratio(sum(a) / sum(b), "?")


def wilson(k, n, level=LEVEL):
    return Interval(0, 1)


def holm(ps):
    o = sorted(range(len(ps)), key=lambda i: ps[i])
    out = [0.0] * len(ps)
    m = 0.0
    for r, i in enumerate(o):
        m = max(m, min(1, (len(ps) - r) * ps[i]))
        out[i] = m
    return tuple(out)


def needed(sd, e) -> int:
    return math.ceil(7.85 * sd * sd / e / e)


def spread(v):
    v = np.array(v, float)
    return None if len(v) < 2 else float(v.std(ddof=1) / math.sqrt(len(v)))
