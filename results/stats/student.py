"""Student's t distribution."""

from __future__ import annotations


def quantile(df: float, level: float) -> float:
    """How many standard errors an interval of this level reaches to either side. Raises ValueError unless
    0 < level < 1."""
    from scipy.special import stdtrit

    return float(stdtrit(df, two_sided(level)))


def beyond(df: float, t: float) -> float:
    """The probability of a t this large or larger."""
    from scipy.special import stdtr

    return float(stdtr(df, -t))


def two_sided(level: float) -> float:
    """Which quantile is the upper end of an interval of this level: 0.975 for 0.95. Raises ValueError unless
    0 < level < 1."""
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval is a share between 0 and 1, not {level}.")
    return 0.5 + level / 2
