"""The standard library of the Python that runs this: pure-Python modules that 3.11 to 3.14 all have.

Left out is what not every installation has (tkinter, idlelib, lib2to3, ensurepip, the tests), what only some systems
use, and what is data rather than code (encodings). Patch versions differ, and so does the material.
"""

from __future__ import annotations

import os
from pathlib import Path

from harness.errors import CorpusError
from tasks.code_search.code.reading import read
from tasks.code_search.code.source import SourceFile
from tasks.code_search.code.units import Units

PACKAGES = (
    "asyncio", "collections", "concurrent", "email", "html", "http", "importlib", "json", "logging", "multiprocessing",
    "re", "tomllib", "unittest", "urllib", "wsgiref", "xml", "xmlrpc", "zoneinfo",
)  # fmt: skip
MODULES = (
    "argparse", "ast", "base64", "bdb", "calendar", "cmd", "code", "codecs", "configparser", "contextlib", "copy",
    "csv", "dataclasses", "difflib", "dis", "doctest", "enum", "filecmp", "fileinput", "fractions", "ftplib",
    "functools", "getopt", "getpass", "gettext", "glob", "graphlib", "gzip", "heapq", "hmac", "imaplib", "inspect",
    "ipaddress", "linecache", "locale", "mailbox", "mimetypes", "netrc", "optparse", "pdb", "pickle", "pickletools",
    "pkgutil", "platform", "plistlib", "poplib", "pprint", "pstats", "pyclbr", "pydoc", "queue", "random", "sched",
    "selectors", "shelve", "shlex", "shutil", "smtplib", "socket", "socketserver", "ssl", "statistics", "subprocess",
    "symtable", "tarfile", "tempfile", "textwrap", "threading", "timeit", "tokenize", "trace", "traceback", "types",
    "typing", "uuid", "warnings", "weakref", "webbrowser", "zipapp",
)  # fmt: skip
SHARE = 3
"""A file larger than this part of a sample would leave no room for others."""
_ASIDE = frozenset({"test", "tests", "__pycache__"})


def load(tokens: int | None) -> Units:
    """Every package and module that is there, without files larger than their share of a sample of so many ``tokens``
    (None: however large). Raises CorpusError where Python comes without its sources, or nothing is left."""
    root = Path(os.__file__).parent
    units: dict[str, list[SourceFile]] = {}
    for name in PACKAGES:
        inside = (p.relative_to(root) for p in sorted((root / name).rglob("*.py")))
        units[name] = [file for p in inside if not _ASIDE & set(p.parts) and (file := _file(root, p)) is not None]
    for name in MODULES:
        units[name] = [file] if (file := _file(root, Path(f"{name}.py"))) is not None else []
    if tokens is not None:
        units = {name: [f for f in files if f.guessed_tokens * SHARE <= tokens] for name, files in units.items()}
    found = {name: files for name, files in units.items() if files}
    if not found:
        raise CorpusError(
            f"task.corpus=stdlib: there are no sources in {root} that fit a sample. Use task.corpus=generated, or "
            "task.root=PATH for code of your own."
        )
    return found


def _file(root: Path, path: Path) -> SourceFile | None:
    """None for a file that is not there, or says nothing (an empty ``__init__``)."""
    try:
        text = read(root / path)
    except OSError:
        return None
    return SourceFile(path.as_posix(), text) if text.strip() else None
