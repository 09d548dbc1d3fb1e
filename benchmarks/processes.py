"""What a whole Python process takes."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Taken:
    """``cpu_s``: user and system time; ``peak_mb``: largest resident memory, in MiB. Processes it waited for count."""

    cpu_s: float
    peak_mb: float


def python(*arguments: str) -> Taken:
    """Run ``python *arguments`` to its end, its output thrown away. CalledProcessError if it fails."""
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        error = process.stderr.read() if process.stderr is not None else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=error)
    kib = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return Taken(usage.ru_utime + usage.ru_stime, kib / 1024)
