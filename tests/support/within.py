"""Commands in this process: it has imported what they need, so that each takes a second less than its own would."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path


def within(folder: Path, entry: Callable[[list[str]], int], words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """What ``entry(words)``, called in a folder, returns and prints."""
    with contextlib.chdir(folder), redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = entry(list(words))
    return subprocess.CompletedProcess(list(words), code, out.getvalue(), err.getvalue())
