"""A process that finds out what confining needs and whether it holds here: one line of JSON on standard output."""

from __future__ import annotations

import ctypes
import json
import os
import sys

from harness.sandbox.codec import line
from harness.sandbox.entrance import enter

_NOT_FOR_PROGRAMS = ("_test", "_xx", "xx", "_ctypes_test", "_tkinter", "_curses", "readline", "nis", "ossaudiodev")


def main() -> None:
    """``python -c … ORDER``: the order's ``libraries`` are ignored, and found: those that any module of the standard
    library loads, wherever this Python has them."""
    said = os.dup(1)
    libraries = _libraries()
    order = json.loads(sys.argv[1])
    sys.argv[1] = json.dumps({**order, "libraries": libraries})
    os.write(said, line({"libraries": libraries}))
    enter(said)


def _libraries() -> list[str]:
    for folder in sys.path:
        if os.path.isdir(folder) and folder.endswith("lib-dynload"):
            for name in sorted(os.listdir(folder)):
                if ".so" in name and not name.startswith(_NOT_FOR_PROGRAMS):
                    try:
                        ctypes.CDLL(os.path.join(folder, name))
                    except OSError:
                        continue  # it needs a library that is not installed: nobody can import it
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        paths = {row.split(maxsplit=5)[5].rstrip("\n") for row in maps if len(row.split(maxsplit=5)) == 6}
    own = tuple(folder + os.sep for folder in sys.path)
    return sorted(p for p in paths if p.startswith("/") and ".so" in os.path.basename(p) and not p.startswith(own))
