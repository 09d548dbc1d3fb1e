"""The mean of one number a cluster, with Student's t interval and a bootstrap beside it.

For differences of scores, +1 and −1 are added to the values before the interval is worked out. Scores are often right
or wrong, most differences are then 0, and a plain t interval is far too narrow, or has no width at all when all the
differences seen are equal: it holds the truth in 35 % of experiments with 6 clusters of which 5 % win and 2 % lose.
So Bonett & Price build the interval of a paired difference of proportions (J. Educ. Behav. Stat. 37, 2012), after the
pseudo-observations of Agresti & Min (Statistics in Medicine 24, 2005). They take the normal distribution and a
variance by n; with few clusters, Student's t and n − 1 are the careful choice. The pseudo-values are no observations:
the degrees of freedom stay clusters − 1. How often such intervals hold the truth: docs/coverage.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from results.stats.bootstrap import studentised
from results.stats.interval import LEVEL, MIN_CLUSTERS, Interval
from results.stats.student import beyond, quantile
from results.stats.values import Values, average, deviation, finite

PSEUDO = (1.0, -1.0)
"""What is added to differences of scores."""


@dataclass(frozen=True)
class Mean:
    """``value``: the plain mean of ``n`` clusters, in the unit of the values, as everything else but ``n`` and ``df``.
    ``sd``: standard deviation of the values, None of a single one.

    ``centre`` and ``se``: of the interval, with the pseudo-values; None for ``se`` where there is one value in all.
    ``interval``: None below MIN_CLUSTERS; for scores it ends at −1 and 1. Values that are all equal have an interval of
    no width, unless there are pseudo-values: costs may well differ by the same amount everywhere, and nothing in the
    sample says otherwise.
    """

    value: float
    n: int
    sd: float | None
    se: float | None
    df: int
    centre: float
    interval: Interval | None
    level: float = LEVEL
    scores: bool = False
    pseudo: tuple[float, ...] = ()
    values: tuple[float, ...] = field(default=(), repr=False)

    @cached_property
    def check(self) -> Interval | None:
        """The studentised bootstrap's interval, to be held beside the other one (results.stats.bootstrap); None below
        MIN_CLUSTERS. Worked out when it is asked for."""
        if self.interval is None:
            return None
        return _possible(studentised((*self.values, *self.pseudo), self.level), self.scores)

    def p_above(self, margin: float = 0.0) -> float | None:
        """The one-sided p-value of the claim that the mean is above the margin. Below (1 − level) / 2, the whole
        interval is above the margin, and the reverse. None where there is no interval."""
        return None if self.interval is None else self._beyond(self.centre - margin)

    def p_below(self, margin: float = 0.0) -> float | None:
        """The same for the claim that the mean is below the margin."""
        return None if self.interval is None else self._beyond(margin - self.centre)

    def _beyond(self, distance: float) -> float:
        if not self.se:  # no spread at all: either the mean is beyond the margin or not
            return 0.0 if distance > 0 else 1.0
        return beyond(self.df, distance / self.se)


def mean(values: Values, *, scores: bool = False, pseudo: Sequence[float] = (), level: float = LEVEL) -> Mean:
    """``values``: one number a cluster, of anything. ``scores``: they are differences of scores, between −1 and 1, and
    +1 and −1 are the pseudo-values. ``pseudo``: others, for values that a difference of scores is a part of: if it is
    priced at λ, the mean of all other parts + λ, and − λ.

    Raises ValueError if there is no value, one is not finite, or a difference of scores is beyond −1 or 1.
    """
    found = finite(values)
    if scores and (max(found) > 1 or min(found) < -1):
        raise ValueError(
            f"differences of scores lie between -1 and 1, as scores go from 0 to 1; one is {_worst(found)}."
        )
    added = PSEUDO if scores else finite(pseudo, "pseudo") if len(pseudo) else ()
    used, n = (*found, *added), len(found)
    centre, sd = average(used), deviation(used)
    se = None if sd is None else sd / math.sqrt(len(used))
    interval = None
    if n >= MIN_CLUSTERS and se is not None:
        reach = quantile(n - 1, level) * se
        interval = _possible(Interval(centre - reach, centre + reach), scores)
    return Mean(average(found), n, deviation(found), se, n - 1, centre, interval, level, scores, added, found)


def _possible(interval: Interval, scores: bool) -> Interval:
    """No difference of scores lies beyond −1 or 1, so that the interval holds the truth as often without."""
    if not scores:
        return interval
    return Interval(min(max(interval.low, -1.0), 1.0), min(max(interval.high, -1.0), 1.0))


def _worst(values: Sequence[float]) -> float:
    return max(values, key=abs)


def spread(values: Values) -> float | None:
    """How far the mean of another draw of a simulation might lie from this one: the Monte-Carlo standard error of the
    mean, in the unit of the values. No more is said of simulated rows. None of a single value. Raises ValueError if
    there is no value or one is not finite."""
    sd = deviation(finite(values))
    return None if sd is None else sd / math.sqrt(len(values))
