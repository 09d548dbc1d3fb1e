"""The journal: finished agent calls in a file, so that a script that is run again pays only for what has changed."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
from collections.abc import Mapping
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any

from harness.errors import ConfigError

_HEAD = re.compile(rb'\{"key": "([0-9a-f]{64})", .*\}')


def key_of(content: Mapping[str, Any]) -> str:
    """sha256 of what a call consists of, as JSON in one spelling."""
    return sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


class Journal:
    """A JSONL file that only grows: one finished call a line. A last line that was torn by a crash is ignored, and
    gives way to the next one. Several runs and commands may use a file at once: each line is written under a lock.
    Of equal keys the first line counts."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._lines: dict[str, bytes] = {}
        self._asked: dict[str, int] = {}

    def check(self) -> None:
        """Raise ConfigError for a file that is no journal, or cannot be read or written."""
        if self._path.exists() and not (self._path.is_file() or self._path.is_dir()):
            raise ConfigError(f"topology.journal={self._path}: is no ordinary file. Choose another.")
        self.read()
        folder = self._path.parent
        if not folder.is_dir():
            raise ConfigError(f"topology.journal={self._path}: there is no folder {folder}: make it first.")
        if not os.access(self._path if self._path.exists() else folder, os.W_OK):
            raise ConfigError(f"topology.journal={self._path}: cannot be written. Choose another file.")

    def read(self) -> None:
        """Read what has been journalled so far. Raises ConfigError."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as fault:
            why = (fault.strerror or str(fault)).lower()
            raise ConfigError(f"topology.journal={self._path}: cannot be read: {why}.") from None
        *whole, _torn = data.split(b"\n")
        for number, line in enumerate(whole, 1):
            head = _HEAD.fullmatch(line)
            if head is None:
                raise ConfigError(
                    f"topology.journal={self._path}: line {number} is no entry of a workflow's journal. Remove the "
                    "line, or choose another file."
                )
            self._lines.setdefault(head[1].decode(), line)

    def ordinal(self, content: Mapping[str, Any]) -> int:
        """How many equal calls this run has made before."""
        key = key_of(content)
        before = self._asked.get(key, 0)
        self._asked[key] = before + 1
        return before

    def entry(self, key: str) -> Mapping[str, Any] | None:
        """What was journalled under a key, None if nothing. Raises ConfigError for a line that cannot be read."""
        line = self._lines.get(key)
        if line is None:
            return None
        try:
            entry = json.loads(line)
        except ValueError:
            raise ConfigError(f"topology.journal={self._path}: the entry {key} is no JSON: remove its line.") from None
        return dict(entry)

    def damaged(self, key: str, fault: Exception) -> ConfigError:
        """The error for an entry in which something is missing or wrong."""
        what = f"{type(fault).__name__}: {fault}"
        return ConfigError(
            f"topology.journal={self._path}: the entry {key} is damaged ({what}). Remove its line, or choose another "
            "file."
        )

    def append(self, key: str, entry: Mapping[str, Any]) -> None:
        """Write a finished call down, whole or not at all. Raises ConfigError where that cannot be done."""
        line = json.dumps({"key": key, **entry}, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        try:
            with self._path.open("ab+", buffering=0) as file:
                fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
                end = _cut_torn(file)
                try:
                    if file.write(line) < len(line):
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                except OSError:
                    file.truncate(end)
                    raise
        except OSError as fault:
            why = (fault.strerror or str(fault)).lower()
            raise ConfigError(
                f"topology.journal={self._path}: a finished call cannot be written down: {why}. Make room, or choose "
                "another file; what stands in it is whole."
            ) from fault


def _cut_torn(file: FileIO) -> int:
    """Cut off the rest of a line that a crash left behind; where the file then ends."""
    end = size = file.seek(0, os.SEEK_END)
    while end and _byte(file, end - 1) != b"\n":
        end -= 1
    if end < size:
        file.truncate(end)
    return end


def _byte(file: FileIO, at: int) -> bytes:
    file.seek(at)
    return file.read(1)
