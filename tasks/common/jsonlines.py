"""A JSON Lines file of a user's own, plain or packed with gzip: read once to check it, then line by line as asked for.

Only where its lines begin is kept, so that memory stays flat over any number of them. A packed file is unpacked once,
into a temporary one.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import tempfile
import weakref
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

from harness.errors import CorpusError

Row = dict[str, Any]
Check = Callable[[int, Row], Sequence[str]]
"""From a line's number, from 1, and its object to what is wrong with it."""

MOST_TOLD = 50
"""Problems that one error lists."""
_BOM = b"\xef\xbb\xbf"
LOOKED_AT = 4096
"""Bytes from which a file that is no text is told."""
_GZIP = b"\x1f\x8b"


class JsonLines:
    """The objects of a file, one a line; lines that hold nothing but white space are skipped. ``numbers``: the number
    of each object's line, from 1."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser()
        self.numbers = array("Q")
        self._starts = array("Q")
        self._sums = array("L")
        self._unpacked: IO[bytes] | None = None

    @property
    def name(self) -> str:
        """The file's name as it can stand in the id of a sample: without what tells its format."""
        return re.sub(r"[^\w.]+", "-", Path(self.path.name.removesuffix(".gz")).stem).strip("-") or "file"

    def __len__(self) -> int:
        return len(self.numbers)

    def read(self, check: Check, hint: str) -> None:
        """Read the file once and let each object be checked. ``hint``: what a line holds, for an error. Raises
        CorpusError that lists everything wrong, by line."""
        told: list[str] = []
        count = 0
        for number, start, raw in self._lines():
            row, fault = _parsed(raw)
            faults = [fault] if row is None else check(number, row)
            count += len(faults)
            told += [f"{self.path.name}:{number}: {text}" for text in faults[: MOST_TOLD - len(told)]]
            self.numbers.append(number)
            self._starts.append(start)
            self._sums.append(zlib.crc32(raw))
        if not self.numbers:
            raise self._refused(f"is empty. Write one JSON object a line: {hint}")
        if count:
            more = [f"… and {count - len(told)} more"] if count > len(told) else []
            listed = "\n".join(f"  {problem}" for problem in [*told, *more])
            raise CorpusError(
                f"{self.path} has {count} problem(s):\n{listed}\nA line is one JSON object: {hint}",
                path=str(self.path),
                problems=told,
            )

    def row(self, index: int) -> Row:
        """An object that has been checked, by its place among all. Raises CorpusError if its line is another now."""
        try:
            with self._opened() as file:
                file.seek(self._starts[index])
                raw = file.readline()
        except OSError as error:
            raise self._refused(f"cannot be read any more ({error.strerror}).") from error
        row, _ = _parsed(raw)
        if row is None or zlib.crc32(raw) != self._sums[index]:
            raise self._refused(f"was changed while it was in use (line {self.numbers[index]}). Run again.")
        return row

    def _lines(self) -> Iterator[tuple[int, int, bytes]]:
        """Number, offset and bytes of each line that holds something."""
        if self.path.is_dir():
            raise self._refused("is a folder: name a file in it.")
        if not self.path.exists():
            raise self._refused(f"does not exist (paths are looked for from {Path.cwd()}).")
        if not self.path.is_file():
            raise self._refused("is no regular file; its lines could not be read again.")
        try:
            self._unpacked = self._unpack()
            with self._opened() as file:
                file.seek(0)
                if b"\0" in file.read(LOOKED_AT):
                    raise self._refused(
                        "is no text in UTF-8: it holds NUL bytes. Save it as UTF-8, a JSON object a line."
                    )
                file.seek(0)
                start = 0
                for number, raw in enumerate(file, 1):
                    if raw.removeprefix(_BOM).strip():
                        yield number, start, raw
                    start += len(raw)
        except OSError as error:
            raise self._refused(f"cannot be read ({error.strerror}).") from error

    def _opened(self) -> AbstractContextManager[IO[bytes]]:
        """The plain lines, at any place."""
        return self.path.open("rb") if self._unpacked is None else nullcontext(self._unpacked)

    def _unpack(self) -> IO[bytes] | None:
        """The lines of a packed file in one that is gone when this object is; None for a plain file."""
        with self.path.open("rb") as packed:
            if packed.read(len(_GZIP)) != _GZIP:
                return None
            packed.seek(0)
            try:
                plain = tempfile.TemporaryFile()  # noqa: SIM115
                weakref.finalize(self, plain.close)
                with gzip.open(packed) as lines:
                    shutil.copyfileobj(lines, plain)
                plain.flush()
            except (gzip.BadGzipFile, EOFError, zlib.error) as fault:
                raise self._refused(f"cannot be unpacked, it is cut short or damaged ({fault}).") from fault
            except OSError as error:
                raise self._refused(
                    f"cannot be unpacked into a temporary file ({error.strerror}). TMPDIR may name another folder."
                ) from error
            return plain

    def _refused(self, text: str) -> CorpusError:
        return CorpusError(f"task.path={self.path} {text}", path=str(self.path))


def _parsed(raw: bytes) -> tuple[Row | None, str]:
    """The object of a line, or what is wrong with it."""
    try:
        row = json.loads(raw.removeprefix(_BOM).decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        return None, f"byte {error.start} of the line is not UTF-8; save the file as UTF-8"
    except RecursionError:
        return None, "not JSON that can be read: it is nested too deep"
    except ValueError as error:
        return None, f"not JSON ({error})"
    if not isinstance(row, dict):
        return None, "not a JSON object; each line holds one of its own"
    if b"\\u" in raw and not _encodable(row):
        return None, "a text holds half of a surrogate pair (\\ud800 to \\udfff), which is no character"
    return row, ""


def _once(pairs: list[tuple[str, Any]]) -> Row:
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"'{next(n for n in names if names.count(n) > 1)}' stands twice in one object")
    return row


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _encodable(row: Row) -> bool:
    try:
        json.dumps(row, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
