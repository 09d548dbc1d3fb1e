"""A folder of your own documents: .txt, .md and .html files beside a ``questions.jsonl``.

One JSON object a line:

* ``question`` (unique; shown on one line), ``answer`` (short), ``document`` (path below the folder) and ``evidence``
  (a quote from the document, exact but for white space) are required;
* ``aliases`` (list: other right wordings), ``wrong`` (list: plausible wrong answers, for the simulated model),
  ``number`` (the answer as a number) with ``unit`` (a text or a list of texts; "" stands for no unit), and ``kind``
  (questions of one kind have answers of one type) are optional.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from harness.errors import CorpusError, unknown
from tasks.common.documents import Document, flat
from tasks.common.reading import SUFFIXES, document, document_name, read_text
from tasks.common.texts import normalise
from tasks.qa_corpus.answers import MAX_CHARS, accepted_wrong, is_right
from tasks.qa_corpus.corpora.fixed import FixedCorpus
from tasks.qa_corpus.questions import Question

QUESTIONS = "questions.jsonl"

_REQUIRED = ("question", "answer", "document", "evidence")
_LISTS = ("aliases", "wrong")
_KEYS = frozenset((*_REQUIRED, *_LISTS, "number", "unit", "kind"))


def load(path: Path, docs: int, seed: int) -> FixedCorpus:
    """The corpus in a folder. Raises CorpusError that lists everything wrong, by file and line."""
    if not path.is_dir():
        raise CorpusError(
            f"task.corpus={path} is neither a known corpus nor a folder. Valid choices: python_docs, generated, or the "
            f"path of a folder with {', '.join(SUFFIXES)} files and a {QUESTIONS}.",
            corpus=str(path),
        )
    problems: list[str] = []
    documents = _documents(path, problems)
    if not documents and not problems:
        raise CorpusError(
            f"the corpus folder {path} holds no document. Put {', '.join(SUFFIXES)} files into it.", corpus=str(path)
        )
    questions = _questions(path / QUESTIONS, documents, problems)
    if problems:
        listed = "\n".join(f"  {problem}" for problem in problems)
        raise CorpusError(
            f"the corpus folder {path} has {len(problems)} problem(s):\n{listed}\nCorrect them and run again.",
            corpus=str(path),
            problems=problems,
        )
    label = re.sub(r"[^\w.]+", "-", path.resolve().name).strip("-") or "folder"
    return FixedCorpus(label, list(documents.values()), questions, docs, seed)


def _documents(folder: Path, problems: list[str]) -> dict[str, Document]:
    """Path below the folder → document."""
    documents: dict[str, Document] = {}
    taken: dict[str, str] = {}
    for file in sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file()):
        below = file.relative_to(folder).as_posix()
        name = document_name(below)
        if (other := taken.setdefault(name.casefold(), below)) != below:
            problems.append(f"{below}: its name cannot be told from {other}; rename one of them")
            continue
        text = _read(file, below, problems)
        if text is None:
            continue
        made = document(name, text)
        if made is None:
            problems.append(f"{below}: the file holds no text; remove it or fill it")
            continue
        documents[below] = made
    return documents


def _read(file: Path, shown: str, problems: list[str]) -> str | None:
    try:
        return read_text(file)
    except ValueError as error:
        problems.append(f"{shown}: {error}")
    return None


def _questions(file: Path, documents: dict[str, Document], problems: list[str]) -> list[Question]:
    if not file.is_file():
        problems.append(f"{QUESTIONS}: missing; write one JSON object a line with {', '.join(_REQUIRED)}")
        return []
    text = _read(file, QUESTIONS, problems)
    questions: list[Question] = []
    first_at: dict[str, int] = {}
    for number, line in enumerate((text or "").split("\n"), 1):
        if not line.strip():
            continue
        faults, question = _question(line, documents)
        if question is not None:
            before = first_at.setdefault(normalise(question.text), number)
            if before != number:
                faults.append(f"the question of line {before} again; ask each question once")
            questions.append(question)
        problems.extend(f"{QUESTIONS}:{number}: {fault}" for fault in faults)
    if text is not None and not first_at and not problems:
        problems.append(f"{QUESTIONS}: holds no question")
    return questions


def _question(line: str, documents: dict[str, Document]) -> tuple[list[str], Question | None]:
    """What is wrong with a line, and its question if enough of it is right to make one."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return [f"not JSON ({error})"], None
    if not isinstance(row, dict):
        return ["not a JSON object"], None
    faults = [unknown("key", key, _KEYS) for key in row if key not in _KEYS]
    for key in _REQUIRED:
        if not isinstance(row.get(key), str) or not row[key].strip():
            faults.append(f"'{key}' must be a text that is not empty")
    for key in _LISTS:
        if not _is_texts(row.get(key, [])):
            faults.append(f"'{key}' must be a list of texts")
    if not isinstance(row.get("kind", ""), str):
        faults.append("'kind' must be a text")
    value, units = _number(row, faults)
    if faults:
        return faults, None
    if len(row["answer"]) > MAX_CHARS:
        faults.append(f"'answer' has {len(row['answer'])} characters; a short answer has at most {MAX_CHARS}")
    source = documents.get(row["document"])
    if source is None:
        return [*faults, unknown("document", row["document"], documents)], None
    evidence = source.verbatim(row["evidence"])
    if evidence is None:
        faults.append(f"'evidence' is not a quote from one section of {row['document']}")
    question = Question(
        text=flat(row["question"]),  # it stands on one line of the statement
        answer=row["answer"],
        document=source.name,
        evidence=evidence or "",
        aliases=tuple(row.get("aliases", [])),
        wrong=tuple(row.get("wrong", [])),
        number=value,
        units=units,
        kind=row.get("kind", "" if value is None else "number"),
    )
    faults += [f"'wrong' holds '{answer}', which is right" for answer in accepted_wrong(question, question.wrong)]
    if value is not None and not _states(question):
        faults.append(f"'answer' '{question.answer}' is not the number {value} with the unit {' or '.join(units)!r}")
    return faults, question


def _states(question: Question) -> bool:
    """Whether the answer, wordings aside, is its own number with a unit."""
    return is_right(Question("", "", "", "", number=question.number, units=question.units), question.answer)


def _number(row: dict[str, Any], faults: list[str]) -> tuple[Decimal | None, tuple[str, ...]]:
    number, unit = row.get("number"), row.get("unit")
    if number is None:
        if unit is not None:
            faults.append("'unit' needs a 'number'")
        return None, ()
    units = ("",) if unit is None else (unit,) if isinstance(unit, str) else tuple(unit) if _is_texts(unit) else ()
    if not units:
        faults.append("'unit' must be a text or a list of texts")
    try:
        if isinstance(number, bool) or not isinstance(number, (int, float, str)):
            raise InvalidOperation
        value = Decimal(str(number))
        if not value.is_finite():
            raise InvalidOperation
    except InvalidOperation:
        faults.append("'number' must be a finite number")
        return None, units
    return value, units


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
