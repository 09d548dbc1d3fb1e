"""The schema of what a command may set, one frozen dataclass a conf group; the values stand in ``conf/``.

``topology``, ``task``, ``grader``, ``model``, ``bus`` and ``store`` have no class here: their YAML names one with
``_target_``, and the fields of that dataclass are their schema. ``limits`` is ``harness.limits.Limits``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.errors import ConfigError

ClockKind = Literal["real", "virtual"]
ProgressKind = Literal["auto", "rich", "plain", "none"]
ReportKind = Literal["summary", "suites", "claims"]

GROUPS = ("topology", "task", "grader", "model", "bus", "clock", "limits", "store")
"""The conf groups of which every cell has one option."""

MAX_SEED = 2**31 - 1
"""A run's seed shares a request's 63-bit seed with sample, epoch, agent and occurrence."""


@dataclass(frozen=True, slots=True)
class ClockConf:
    """``conf/clock``. ``auto`` follows the model: virtual for a simulated one, real otherwise.

    ``scale``: how many seconds pass on a real clock in one real second. ``watchdog_s``: real seconds after which
    virtual time that cannot go on is an error.
    """

    kind: Literal["auto", "virtual", "real"] = "auto"
    scale: float = 1.0
    watchdog_s: float = 30.0

    def __post_init__(self) -> None:
        _above_zero("clock.scale", self.scale)
        _above_zero("clock.watchdog_s", self.watchdog_s)


@dataclass(frozen=True, slots=True)
class ExperimentConf:
    """The top level of ``conf/config.yaml``.

    ``seed`` (0 to 2³¹-1), ``epochs`` (runs of each sample) and ``ablate`` belong to a cell and may be swept.
    ``concurrency`` (runs under way at once), ``shuffle`` (start them in another order; no result may change),
    ``progress``, ``summary`` (print tables at the end), ``report`` (which ones) and ``plan`` (say what it would take,
    and run nothing) belong to the command. ``cells`` is gone by the time this is made: composing has made cells of it.
    """

    seed: int = 0
    epochs: int = 1
    ablate: str | None = None
    concurrency: int = 8
    shuffle: bool = False
    progress: ProgressKind = "auto"
    summary: bool = True
    report: ReportKind = "summary"
    plan: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= MAX_SEED:
            raise ConfigError(f"seed={self.seed}: must be a whole number from 0 to {MAX_SEED}.", key="seed")
        for key in ("epochs", "concurrency"):
            value = getattr(self, key)
            if value < 1:
                raise ConfigError(f"{key}={value}: must be at least 1.", key=key)


def _above_zero(key: str, value: float) -> None:
    if not 0 < value < float("inf"):
        raise ConfigError(f"{key}={value}: must be a finite number above 0.", key=key)
