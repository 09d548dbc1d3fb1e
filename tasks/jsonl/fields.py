"""From the object of a line to a task, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from harness.errors import unknown
from tasks.common.documents import Document
from tasks.common.entries import shown
from tasks.common.jsonlines import Row
from tasks.jsonl.documents import Shelf
from tasks.jsonl.graders import GRADERS
from tasks.jsonl.task import Task

COMMON = ("input", "target", "grader", "id", "documents", "evidence", "cluster", "tags", "wrong", "metadata")
"""Fields that mean something whatever the grader."""
FIELDS = (*COMMON, *dict.fromkeys(field for grader in GRADERS.values() for field in sorted(grader.uses)))
HINT = (
    'input and target are required, as in {"input": "What is 6 times 7?", "target": "42"}. See docs/your-own-data.md.'
)
ID_CHARS = 100

_INSPECT = {
    "choices": "write the choices into 'input' and the right one into 'target'",
    "files": "give texts to read in 'documents'",
    "sandbox": "code is run in one sandbox only: see grader python",
    "setup": "nothing runs before a sample",
}
"""Fields of Inspect AI's samples that have no counterpart here, and what to do instead."""


def identity(row: Row, number: int) -> tuple[str, str | None]:
    """The id of a line, its number if it gives none, and what is wrong with the one it gives."""
    given = row.get("id")
    if given is None:
        return str(number), None
    if isinstance(given, int) and not isinstance(given, bool):
        given = str(given) if abs(given) < 10**ID_CHARS else ""
    if not isinstance(given, str) or not given or not given.isprintable() or given != given.strip():
        return str(number), "'id' must be a whole number or a text on one line, without blanks at its ends"
    if len(given) > ID_CHARS:
        return str(number), f"'id' has {len(given)} characters, the most are {ID_CHARS}"
    return given, None


def task_of(row: Row, number: int, shelf: Shelf, grader: str) -> tuple[list[str], Task | None]:
    """What is wrong with a line, and its task if nothing is. ``grader``: of lines that name none. A field that is null
    counts as not given, as exporters write it."""
    row = {name: value for name, value in row.items() if value is not None}
    faults = [_unknown(name) for name in row if name not in FIELDS]
    _, misnamed = identity(row, number)
    faults += [misnamed] if misnamed else []
    if not isinstance(row.get("input"), str) or not row["input"].strip():
        faults.append("'input' is missing" if "input" not in row else "'input' must be a text that is not empty")
    faults += _plain_faults(row)
    name = row.get("grader", grader)
    chosen = GRADERS.get(name) if isinstance(name, str) else None
    if chosen is None:
        return [*faults, unknown("grader", shown(name), GRADERS)], None
    faults += chosen.faults(row)
    known = {*COMMON, *chosen.uses}
    faults += [
        f"'{name}' means nothing to the grader {chosen.name}" for name in row if name in FIELDS and name not in known
    ]
    missing, documents = shelf.documents(row.get("documents", []))
    faults += missing
    evidence: tuple[str, ...] = ()
    if "evidence" in row and not missing:
        unproved, evidence = _evidence(row["evidence"], documents)
        faults += unproved
    if faults:
        return faults, None
    task = keyed(row, number, grader, documents, evidence)
    return [f"'wrong' holds {shown(w)!r}, which is right" for w in task.wrong if chosen.accepts(task, w)], task


def keyed(
    row: Row, number: int, grader: str, documents: tuple[Document, ...] = (), evidence: tuple[str, ...] = ()
) -> Task:
    """The task of a line without faults."""
    row = {name: value for name, value in row.items() if value is not None}
    name = row.get("grader", grader)
    return Task(
        id=identity(row, number)[0],
        text=row["input"].replace("\r\n", "\n").strip(),
        grader=name,
        targets=GRADERS[name].targets(row),
        tolerance=Decimal(str(row.get("tolerance", 0))),
        schema=row.get("schema"),
        solution=row.get("solution"),
        evidence=evidence,
        wrong=tuple(row.get("wrong", ())),
        cluster=row.get("cluster", ""),
        tags=tuple(row.get("tags", ())),
        metadata=row.get("metadata"),
        documents=documents,
    )


def _unknown(name: str) -> str:
    if name in _INSPECT:
        return f"'{name}' is not used here: {_INSPECT[name]}"
    return unknown("field", shown(name), FIELDS)


def _plain_faults(row: Row) -> Iterator[str]:
    """What is wrong with the fields that are the same for every grader."""
    if not _is_texts([row.get("cluster", "x")]):
        yield "'cluster' must be a text that is not empty"
    if not _is_texts(row.get("tags", [])):
        yield "'tags' must be a list of texts"
    if not isinstance(row.get("wrong", []), list):
        yield "'wrong' must be a list of wrong answers"


def _evidence(given: Any, documents: tuple[Document, ...]) -> tuple[list[str], tuple[str, ...]]:
    """The quotes as they stand in the documents, and what is wrong with them."""
    quotes = given if isinstance(given, list) else [given]
    if not quotes or not _is_texts(quotes):
        return ["'evidence' must be a text, or a list of texts"], ()
    faults, found = [], []
    for quote in quotes:
        verbatim = _verbatim(quote, documents)
        if verbatim is None:
            faults.append(f"'evidence' {shown(quote)!r:.80} stands in no section of the line's documents")
        else:
            found.append(verbatim)
    return faults, tuple(found)


def _verbatim(quote: str, documents: tuple[Document, ...]) -> str | None:
    """A quote as it stands in the first document that holds it; None if none does."""
    if any(quote in section for document in documents for section in document.sections):
        return quote  # what most do, and much cheaper
    places = (document.verbatim(quote) for document in documents)
    return next((place for place in places if place is not None), None)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and item.strip() for item in value)
