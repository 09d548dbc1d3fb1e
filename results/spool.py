"""The spool: where a finished run is safe the moment ``write`` returns.

One file is the unfolded form of one part. First line: a header; then one JSON line a run, with all its tables column by
column. Lines are appended whole, so a file is readable up to its last line end, whatever happened to its writer. The
writer holds an exclusive ``flock`` for as long as it lives; a spool whose lock can be taken has lost its writer.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.errors import StoreError
from harness.records import SCHEMA_VERSION
from results.layout import spool_dir
from results.parts import Columns, Pending
from results.schema import SCHEMAS, check_version

_COLUMN_NAMES = {name: list(schema.names) for name, schema in SCHEMAS.items()}
_ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Header:
    """What one spool, and so one part, holds. ``writer`` identifies the process that opened the store."""

    experiment_id: str
    cell_id: str
    topology: str
    task: str
    writer: str

    def facts(self) -> dict[str, str]:
        """For the metadata of the part's files."""
        return {"experiment_id": self.experiment_id, "cell_id": self.cell_id, "writer": self.writer}


def encode(columns: Columns) -> tuple[bytes, Columns]:
    """One run as a line, and its columns as they will be read back.

    Lone surrogates, which models do produce through JSON escapes, are not text in UTF-8: they become U+FFFD.
    """
    try:
        return _ENCODER.encode(columns).encode() + b"\n", columns
    except UnicodeEncodeError:
        cleaned = {t: [[_clean(v) for v in values] for values in table] for t, table in columns.items()}
        return _ENCODER.encode(cleaned).encode() + b"\n", cleaned


def _clean(value: Any) -> Any:
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else value


class SpoolWriter:
    """The open end of one spool file."""

    def __init__(self, path: Path, header: Header) -> None:
        """Create and lock ``path``, which must not exist; call within ``spool_lock``."""
        self.path = path
        self.header = header
        self.size = 0
        self.runs = 0
        try:
            self._fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND, 0o666)
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise StoreError(f"cannot create {path}: {error}. Check store.dir.", path=str(path)) from error
        first = {"schema_version": SCHEMA_VERSION, **asdict(header), "columns": _COLUMN_NAMES}
        try:
            self._write(_ENCODER.encode(first).encode() + b"\n")
        except StoreError:
            self.discard()
            raise

    def append(self, line: bytes) -> None:
        """Append one run whole, or nothing: raises StoreError naming the file and takes back what was written.

        ``runs`` counts first, so that it is never too low, wherever an interrupt strikes.
        """
        self.runs += 1
        try:
            self._write(line)
        except StoreError:
            self.runs -= 1
            raise

    def _write(self, line: bytes) -> None:
        view = memoryview(line)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except OSError as error:
            os.ftruncate(self._fd, self.size)
            raise StoreError(
                f"cannot write {self.path}: {error}. Free some space; runs written before are safe.",
                path=str(self.path),
            ) from error
        self.size += len(line)

    def release(self) -> None:
        """Give up the lock and leave the file to be folded at the next opening."""
        os.close(self._fd)

    def discard(self) -> None:
        """Remove the file: its rows are in a part, or it has none."""
        self.path.unlink(missing_ok=True)
        self.release()


@dataclass(frozen=True, slots=True)
class SpoolContent:
    """What a spool file held when it was read. ``header`` is None when not even the first line is complete;
    ``torn_bytes`` is the length of an incomplete last line, which is not data."""

    path: Path
    header: Header | None
    pending: Pending
    torn_bytes: int


def parse(path: Path, text: bytes) -> SpoolContent:
    """Read the complete lines of a spool. Raises StoreError for another schema version or a line that is no run."""
    whole, _, torn = text.rpartition(b"\n")
    pending = Pending()
    lines = whole.split(b"\n") if whole else []
    if not lines:
        return SpoolContent(path, None, pending, len(torn))
    header = _header(path, _line(path, 1, lines[0]))
    for number, line in enumerate(lines[1:], start=2):
        columns = _line(path, number, line)
        try:
            if any(len({len(values) for values in table}) != 1 for table in columns.values()):
                raise ValueError("columns of unequal length")
            pending.add(columns)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise _broken(path, number, error) from error
    return SpoolContent(path, header, pending, len(torn))


def _header(path: Path, first: dict[str, Any]) -> Header:
    check_version(str(path), first.get("schema_version"))
    if first.get("columns") != _COLUMN_NAMES:
        raise StoreError(
            f"{path}: expected the columns {_COLUMN_NAMES}, found {first.get('columns')}. "
            f"Use another store.dir, or the version of the harness that wrote it.",
            path=str(path),
        )
    try:
        return Header(**{k: first[k] for k in ("experiment_id", "cell_id", "topology", "task", "writer")})
    except KeyError as error:
        raise _broken(path, 1, error) from error


def _line(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise _broken(path, number, error) from error
    if not isinstance(value, dict):
        raise _broken(path, number, TypeError("not a JSON object"))
    return value


def _broken(path: Path, number: int, error: Exception) -> StoreError:
    return StoreError(
        f"{path}, line {number}: not a spooled run ({type(error).__name__}: {error}). The file was changed after it "
        f"was written: restore it, or move it away to do without its runs.",
        path=str(path),
        line=number,
    )


@contextmanager
def spool_lock(root: Path) -> Iterator[None]:
    """One process at a time claims part numbers, looks for orphans or edits a manifest."""
    path = spool_dir(root) / ".lock"
    try:
        fd = os.open(path, os.O_CREAT | os.O_RDWR, 0o666)
    except OSError as error:
        raise StoreError(f"cannot open {path}: {error}. store.dir must be writable.", path=str(path)) from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def adopt(path: Path) -> int | None:
    """Take the lock of a spool without a writer: its file descriptor, or None when it is live or gone.

    Call within ``spool_lock``, so that a spool just being created is not mistaken for an orphan.
    """
    with suppress(FileNotFoundError):
        fd = os.open(path, os.O_RDWR)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return None
        if os.fstat(fd).st_nlink:
            return fd
        os.close(fd)  # folded by another process between our open and our lock
    return None
