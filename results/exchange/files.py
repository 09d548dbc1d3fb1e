"""Foreign files, a row at a time: CSV, TSV or JSON lines, packed with gzip or not."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import CorpusError, unknown
from results.writing import counted

DELIMITERS = {".csv": ",", ".tsv": "\t"}
LINES = (".jsonl", ".ndjson")
_KINDS = (*DELIMITERS, *LINES)


@dataclass(frozen=True, slots=True)
class Row:
    """One row. ``line``: where it begins, from 1. ``cells``: column → text, without blanks around it; empty where there
    is nothing."""

    file: str
    line: int
    cells: Mapping[str, str]

    def wrong(self, column: str, what: str) -> CorpusError:
        """The error that tells what is wrong with a value of this row, and where it stands."""
        return CorpusError(f"{self.file}, line {self.line}, column '{column}': {what}", file=self.file, line=self.line)


@dataclass(frozen=True, slots=True)
class Foreign:
    """A file that has been read: ``columns`` in their order, ``sha256`` of the file as it is."""

    path: str
    sha256: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def column(self, spec: str | tuple[str, ...]) -> tuple[str, ...]:
        """The columns that a map means: one, several, or several joined by ``+`` where no column has that name.

        Raises CorpusError naming the columns that there are.
        """
        wanted = spec if isinstance(spec, tuple) else (spec,) if spec in self.columns else tuple(spec.split("+"))
        for name in wanted:
            if name not in self.columns:
                raise CorpusError(f"{self.path}: {unknown('column', name, self.columns)}")
            if self.columns.count(name) > 1:
                raise CorpusError(f"{self.path}: two columns are called '{name}'; rename one of them.")
        return wanted


def read(path: Path) -> Foreign:
    """Read a file whole. Raises CorpusError naming what cannot be read, and where."""
    packed = path.suffix == ".gz"
    kind = (path.with_suffix("") if packed else path).suffix.lower()
    if kind not in _KINDS:
        raise CorpusError(f"{path}: {unknown('kind of file', kind or path.name, _KINDS)} Each may be packed: .csv.gz.")
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if packed else data).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path} cannot be read: {error}. Name a file of rows.") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise CorpusError(f"{path}, line {line}: not UTF-8 ({error.reason}). Save the file as UTF-8.") from error
    if not text.strip():
        raise CorpusError(f"{path} is empty: it needs a line with the names of its columns, and rows.")
    columns, rows = _lines(str(path), text) if kind in LINES else _table(str(path), text, DELIMITERS[kind])
    if not rows:
        raise CorpusError(f"{path} has no rows, only the names of columns: {', '.join(columns)}.")
    return Foreign(str(path), hashlib.sha256(data).hexdigest(), columns, rows)


def _table(path: str, text: str, delimiter: str) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    found = _records(path, text, delimiter)
    _, header = next(found)
    columns = tuple(name.strip() for name in header)
    rows = []
    for line, cells in found:
        if len(cells) != len(columns):
            raise CorpusError(
                f"{path}, line {line}: {counted(len(cells), 'value')} for {counted(len(columns), 'column')}. A value "
                f"that holds {delimiter!r} must stand in double quotes."
            )
        rows.append(Row(path, line, dict(zip(columns, map(str.strip, cells), strict=True))))
    return columns, tuple(rows)


def _records(path: str, text: str, delimiter: str) -> Iterator[tuple[int, Sequence[str]]]:
    """(line where it begins, values), blank lines left out."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    begins = 1
    try:
        for cells in reader:
            if cells:
                yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        raise CorpusError(f"{path}, line {begins}: not CSV ({error}). Quotes within a value are doubled.") from error


def _lines(path: str, text: str) -> tuple[tuple[str, ...], tuple[Row, ...]]:
    rows, columns = [], dict[str, None]()
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        try:
            found = json.loads(content)
            if not isinstance(found, dict):
                raise ValueError("not an object")
            cells = {str(name): _cell(value) for name, value in found.items()}
            "".join([*cells, *cells.values()]).encode()
        except (ValueError, RecursionError) as error:
            raise CorpusError(f"{path}, line {line}: not a JSON object of text in UTF-8 ({error}).") from error
        columns.update(dict.fromkeys(cells))
        rows.append((line, cells))
    names = tuple(columns)
    return names, tuple(Row(path, line, {n: cells.get(n, "") for n in names}) for line, cells in rows)


def _cell(value: Any) -> str:
    """A JSON value as it would stand in a table."""
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
