"""CPU of the shortest useful command against that of importing what no such program can do without."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.figures import Figure
from benchmarks.processes import cpu_seconds
from benchmarks.rounds import take_turns
from benchmarks.sizes import Sizes

BOUND = 1.5
COMMAND = ("topology=single", "task=qa_corpus", "task.limit=1")
YARDSTICK = """
import importlib.util, os
import hydra, pyarrow, tiktoken
litellm = importlib.util.find_spec("litellm").submodule_search_locations[0]
os.environ["TIKTOKEN_CACHE_DIR"] = os.path.join(litellm, "litellm_core_utils", "tokenizers")
tiktoken.get_encoding("o200k_base")
"""


@pytest.mark.benchmark(group="cold start")
def test_cold_start(
    benchmark: BenchmarkFixture, sizes: Sizes, figure: Callable[[Figure], None], tmp_path: Path
) -> None:
    """The two take turns; each round's ratio is of neighbours in time, and the figure is their median."""
    script = tmp_path / "yardstick.py"
    script.write_text(YARDSTICK, encoding="utf-8")
    command = ["-m", "harness", *COMMAND, f"store.dir={tmp_path / 'store'}"]
    for arguments in ([str(script)], command):
        cpu_seconds(*arguments)  # compiles to bytecode what was not, and warms the disk
    yardstick: list[float] = []
    ours: list[float] = []
    take_turns(
        benchmark,
        lambda: ours.append(cpu_seconds(*command)),
        sizes.starts,
        before=lambda: yardstick.append(cpu_seconds(str(script))),
    )
    ratio = median(o / y for o, y in zip(ours, yardstick, strict=True))
    benchmark.extra_info |= {"ratio": ratio, "python": sys.version.split()[0]}
    figure(Figure("cold start: CPU against imports and one encoding", ratio, "×", BOUND))
    figure(Figure("  the command", median(ours), "s"))
    figure(Figure("  the imports and the encoding", median(yardstick), "s"))
