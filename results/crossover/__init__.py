"""At which size the best choice changes: ``crossovers(results, by="task.docs")`` → ``Crossover``, one a size sweep.

For a picture of the crossover map: ``found.verdicts`` has one map a criterion. Its ``winners`` are what was measured:
at each of ``found.sizes`` the best choice and its margin over the second (``margin.value`` ≥ 0, in the criterion's
unit, with ``margin.spread`` for simulated and ``margin.interval`` for real rows). Its ``stretches`` are what the fitted
curves say in between, from the smallest measured size to the largest; its ``crossings`` are their borders, and more
beyond the measured range, where ``extrapolated`` is true and must be shown. The curve of a choice is
``choice.fits[measure].curve(size)``, what was measured ``choice.at(size).figures[measure]``.
"""

from __future__ import annotations

from results.crossover.analysis import crossovers
from results.crossover.fits import Fit
from results.crossover.tables import (
    MEASURES,
    Choice,
    Crossing,
    Crossover,
    Equation,
    Figure,
    Forecast,
    Point,
    Stretch,
    Terms,
    Verdict,
    Winner,
)

__all__ = [
    "MEASURES",
    "Choice",
    "Crossing",
    "Crossover",
    "Equation",
    "Figure",
    "Fit",
    "Forecast",
    "Point",
    "Stretch",
    "Terms",
    "Verdict",
    "Winner",
    "crossovers",
]
