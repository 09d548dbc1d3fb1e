"""Rounds of a measurement, each after a round of what it is compared with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytest_benchmark.fixture import BenchmarkFixture


def take_turns(
    benchmark: BenchmarkFixture, measured: Callable[[], object], count: int, before: Callable[[], object] | None = None
) -> None:
    """Run ``measured`` ``count`` times, timed by pytest-benchmark; ``before`` runs untimed before each."""
    pedantic: Any = benchmark.pedantic  # which has no annotations

    def setup() -> None:
        if before is not None:
            before()

    pedantic(measured, setup=setup, rounds=count)
