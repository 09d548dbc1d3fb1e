"""The packaged small model, for tests that need the extra `local`."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from harness.models.local.gguf import PACKAGE, model_file
from harness.models.protocol import Request

MISSING = [name for name in ("xllamacpp", PACKAGE) if importlib.util.find_spec(name) is None]
needs_extra = pytest.mark.skipif(
    bool(MISSING), reason=f"the extra 'local' is not installed: no {' and no '.join(MISSING)}"
)
GONE_S = 10.0
"""Most real seconds until the processes of a server have ended."""


def truncated(folder: Path) -> Path:
    """The packaged model cut in the middle of its tensors."""
    path = folder / "cut.gguf"
    with model_file(None).open("rb") as whole:
        path.write_bytes(whole.read(3_000_000))
    return path


def asking(text: str, **more: Any) -> Request:
    return Request("local", ({"role": "user", "content": text},), **more)


def processes(folder: Path) -> list[int]:
    """Process ids of the keepers and servers whose files are in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue  # it has ended meanwhile
        if str(folder).encode() in words and b"keeper.py" in words:
            found.append(int(process.name))
    return found
