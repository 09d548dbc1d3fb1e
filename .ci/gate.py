"""The project's own gate (docs/ci.md): a small simulated sweep, held against results/baselines/generated.parquet.

Every row is the same on every machine: generated material, the virtual clock, messages in memory, and no suite that
runs programs, whose rows would tell of the machine. ``--update`` and the other options of ``python -m results gate``
are passed on. Exit code: as that verb's; 2 also when the sweep itself fails.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

from harness.entry.command import run
from results.__main__ import main as results_main

BASELINE = "results/baselines/generated.parquet"
STORE = "build/gate"
TASKS = ("monthly_figures", "code_search", "review", "specialists", "briefing", "math")
TOPOLOGIES = ("single", "sync", "bus", "moa")
SWEEP = ("-m", f"topology={','.join(TOPOLOGIES)}", f"task={','.join(TASKS)}", "task.limit=2", "bus=memory")
"""Two samples of each suite: where a suite has two languages, one in each."""


def sweep(store: str) -> int:
    """Run it into an empty store; the exit code of ``python -m harness``."""
    return run(["harness/__main__.py", *SWEEP, f"store.dir={store}", "summary=false", "progress=none"])


def main(arguments: Sequence[str]) -> int:
    """Sweep, then judge or update. Paths are those of the repository's root."""
    shutil.rmtree(STORE, ignore_errors=True)
    if sweep(STORE):
        print("error: the sweep failed, so that there is nothing to judge.", file=sys.stderr)
        return 2
    return results_main(["gate", "--baseline", BASELINE, "--candidate", STORE, *arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
