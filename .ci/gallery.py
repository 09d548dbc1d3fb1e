"""Makes the pictures of the README's gallery, by the commands that stand under them.

Two simulated sweeps and a report of each; of the reports' pictures, those in PICTURES are kept.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from harness.entry.command import run
from results.__main__ import main as results_main

GALLERY = Path("docs/gallery")
BUILD = Path("build/gallery")
SWEEPS = {
    "teams": ("-m", "topology=single,resample,escalate,sync,bus,moa", "task=specialists", "task.limit=6"),
    "sizes": (
        "-m",
        "topology=single,sync,bus",
        "task=qa_corpus",
        "task.corpus=generated",
        "task.samples=2",
        "task.docs=4,8,16,32,64",
    ),
}
PICTURES = {
    "teams": ("specialists-tokens", "specialists-bridge-bus", "specialists-money", "specialists-timeline-bus"),
    "sizes": ("qa-corpus-crossover-task-docs",),
}


def main() -> int:
    """Run, report, copy. Paths are those of the repository's root. Exit code: that of what failed."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.rmtree(GALLERY, ignore_errors=True)
    GALLERY.mkdir(parents=True)
    for name, sweep in SWEEPS.items():
        store, report = BUILD / name, BUILD / f"{name}-report"
        failed = run(["harness/__main__.py", *sweep, f"store.dir={store}", "summary=false"]) or results_main(
            ["report", str(store), "--out", str(report)]
        )
        if failed:
            return failed
        for picture in PICTURES[name]:
            shutil.copy(report / f"{picture}.png", GALLERY)
    return 0


if __name__ == "__main__":
    sys.exit(main())
