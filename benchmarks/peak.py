"""The main command, and then its peak resident memory in KiB on the last line of stdout:

    python -m benchmarks.peak topology=single task=qa_corpus

Asked from inside, because what ``wait4`` reports of a child holds the memory of the parent it was forked from.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from harness.__main__ import main

STATUS = Path("/proc/self/status")


def peak_kib() -> int:
    """Of this process, since its program was started."""
    if STATUS.exists():
        lines = STATUS.read_text(encoding="ascii", errors="replace").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


if __name__ == "__main__":
    code = main()
    print(peak_kib())
    sys.exit(code)
