"""The numbers of the clusters, looked at before anything is worked out from them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy.typing as npt

Values: TypeAlias = Sequence[float] | npt.NDArray[Any]
"""One finite number a cluster."""


def finite(values: Values, name: str = "values") -> tuple[float, ...]:
    """The values as floats. Raises ValueError, with the name and the place, if there is none or one is not finite:
    an unknown number is neither 0 nor left out unseen."""
    found = tuple(float(v) for v in values)
    if not found:
        raise ValueError(f"{name}: there is none. Give one number a cluster.")
    for place, value in enumerate(found):
        if not math.isfinite(value):
            raise ValueError(
                f"{name}[{place}] is {value}. Give finite numbers only: a cluster whose number is unknown is to be "
                "left out and counted, or the analysis not done."
            )
    return found


def average(values: Sequence[float]) -> float:
    """The mean, the same in any order of the values; of equal values exactly that value."""
    return values[0] if min(values) == max(values) else math.fsum(values) / len(values)


def deviation(values: Sequence[float]) -> float | None:
    """The standard deviation with n − 1, None of a single value; of equal values exactly 0."""
    if len(values) < 2:
        return None
    centre = average(values)
    return math.sqrt(math.fsum((v - centre) ** 2 for v in values) / (len(values) - 1))
