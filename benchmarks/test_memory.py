"""Whether memory grows with the number of runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.figures import Figure
from benchmarks.processes import peak_mib
from benchmarks.rounds import take_turns
from benchmarks.sizes import Sizes

FLAT = 1.1
"""What the second half of a large experiment may add to the peak of the first."""


def peak(samples: int, store: Path) -> float:
    """Peak resident memory of one experiment in a process of its own, MiB: one small generated document a sample. The
    summary, which reads the store back, is not printed."""
    corpus = ("task=qa_corpus", "task.corpus=generated", "task.docs=1", f"task.samples={samples}")
    return peak_mib("topology=single", *corpus, "summary=false", "progress=none", f"store.dir={store}")


@pytest.mark.benchmark(group="memory")
def test_peak_memory(
    benchmark: BenchmarkFixture, sizes: Sizes, figure: Callable[[Figure], None], tmp_path: Path
) -> None:
    """Buffers and caches fill up first (a part of 50,000 rows, 4,096 token counts); from then on nothing may grow, so
    the whole is also compared with its half."""
    few, many = sizes.memory
    small = peak(few, tmp_path / "few")
    half = peak(many // 2, tmp_path / "half")
    found: list[float] = []
    take_turns(benchmark, lambda: found.append(peak(many, tmp_path / "many")), 1)
    large = found[0]
    benchmark.extra_info |= {"small_mb": small, "half_mb": half, "large_mb": large}
    figure(Figure(f"memory: {many:,} samples against {many // 2:,}", large / half, "×", FLAT))
    figure(Figure(f"  peak at {few:,} samples", small, "MiB"))
    figure(Figure(f"  peak at {many // 2:,} samples", half, "MiB"))
    figure(Figure(f"  peak at {many:,} samples", large, "MiB"))
    figure(Figure(f"  {many:,} against {few:,}", large - small, "MiB"))
