"""Python programs in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys


def cpu_seconds(*arguments: str) -> float:
    """User and system time of ``python *arguments`` and of what it waited for. CalledProcessError if it fails."""
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        error = process.stderr.read() if process.stderr is not None else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=error)
    return usage.ru_utime + usage.ru_stime


def peak_mib(*overrides: str) -> float:
    """Peak resident memory of one run of the main command. CalledProcessError if it fails."""
    command = [sys.executable, "-m", "benchmarks.peak", *overrides]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout.splitlines()[-1]) / 1024
