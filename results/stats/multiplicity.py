"""Several questions asked of the same data."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted p-values (Scand. J. Stat. 6, 1979), in the order given: whatever is below 0.05 after it, the
    probability that any of it is a false alarm is at most 5 %, however the questions depend on each other. Raises
    ValueError for a p-value outside of 0 to 1."""
    for p in p_values:
        if not 0 <= p <= 1:
            raise ValueError(f"a p-value lies between 0 and 1, this one is {p}.")
    adjusted = [0.0] * len(p_values)
    reached = 0.0
    for before, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        reached = max(reached, min(1.0, (len(p_values) - before) * p_values[place]))
        adjusted[place] = reached
    return tuple(adjusted)
