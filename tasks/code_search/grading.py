"""The grader: reads whatever came back, and counts the questions whose names are exactly the right ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from harness.suite import Grade
from tasks.code_search.questions import DEFINED, NAMING, TELLING, Case, Question
from tasks.common.entries import entries_in, shown
from tasks.common.texts import strip_marker

RIGHT, WRONG, MISSING = "right", "wrong", "missing"
MOST_CHARS = 300
"""A longer text is no name."""

_LABEL = re.compile(r"[^\w]*(Q\d+)\b")
_MARKS = "`'\"“”‘’ \t\r\n"
_PLACE = re.compile(
    r"(?P<file>\S.*?)(?:\s*[:#,]\s*|\s+)(?P<open>\()?(?:[Ll]ines?\s*|L)?"
    r"(?P<line>\d{1,9})(?:[-–]L?(?P<last>\d{1,9}))?(?(open)\))"
)
_WHAT = re.compile(
    r"(?:\(\))?\s+\((?:(?:async|nested|static|class|instance|abstract|inner|private)\s+)?"
    r"(?:function|method|class|coroutine|property|constructor|file|module)\)"
)
"""What somebody says that a name is, behind it."""


def grade(case: Case, answer: str) -> Grade:
    """Score an answer text: share of questions whose names are all there and no others. Never raises, whatever the
    text.

    ``detail``: counts of ``right``, ``wrong`` (several entries that differ count here) and ``missing`` (no entry, null
    or no names), ``unmatched`` entries that name no question, ``parsed`` (was there an array of objects at all), and a
    result for each question with how many names are right, missing and too many.
    """
    entries = list(entries_in(answer))
    by_label = _by_label(entries)
    counts = dict.fromkeys((RIGHT, WRONG, MISSING), 0)
    results: list[dict[str, Any]] = []
    matched = 0
    for question in case.questions:
        given = by_label.get(question.label, [])
        matched += len(given)
        outcome, result = _judged(question, given)
        counts[outcome] += 1
        results.append({"question": question.label, "kind": question.kind, "outcome": outcome, **result})
    detail = {**counts, "unmatched": len(entries) - matched, "parsed": bool(entries), "questions": results}
    return Grade(counts[RIGHT] / len(case.questions), detail)


def given_in(answer: str) -> dict[str, list[Any]]:
    """Label of a question → what each entry for it in an answer gives as names."""
    return _by_label(entries_in(answer))


def _by_label(entries: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for entry in entries:
        label = _LABEL.match(asked) if isinstance(asked := entry.get(NAMING), str) else None
        if label is not None:
            found.setdefault(label[1], []).append(entry.get(TELLING))
    return found


def _judged(question: Question, given: list[Any]) -> tuple[str, dict[str, Any]]:
    """The outcome of one question, and how far the first answer to it that gives names is from the key."""
    right = frozenset(plain(name, question.kind) for name in question.answer)
    said = [names for value in given if (names := names_in(value, question.kind))]
    first = said[0] if said else frozenset()
    result = {
        "hit": len(right & first),
        "missed": len(right - first),
        "beside": len(first - right),
        "names": [shown(value) for value in given[:3]],
        "expected": list(question.answer),
    }
    if not said:
        return MISSING, result
    return (RIGHT if len(said) == len(given) and all(names == right for names in said) else WRONG), result


def names_in(value: Any, kind: str) -> frozenset[str]:
    """The names that an entry gives, as a list or as a text with commas or line breaks between them; what is no text
    stays in the list as something that is no name."""
    if isinstance(value, str):
        value = re.split(r"[,;\n]", value) if len(value) <= MOST_CHARS * 100 else [value]
    if not isinstance(value, list):
        return frozenset() if value is None or value == {} else frozenset({repr(value)[:MOST_CHARS]})
    told = [plain(name, kind) if isinstance(name, str) else f"no text: {str(name)[:MOST_CHARS]}" for name in value]
    return frozenset(name for name in told if name)


def plain(name: str, kind: str) -> str:
    """A name in one form: NFKC, without a list marker before it, quotation marks and white space at its ends, and
    ``()`` or ``(method)`` after it. Case counts. Where FILE:LINE is asked for, ``pack/part.py, line 12``,
    ``pack/part.py#L12``, ``pack/part.py (line 12)`` and ``pack/part.py:12-12`` are the same; a range of several lines
    is no line."""
    if len(name) > MOST_CHARS:
        return f"too long: {name[:MOST_CHARS]}"
    told = strip_marker(unicodedata.normalize("NFKC", name)).strip(_MARKS)
    if (what := _WHAT.search(told)) and what.end() == len(told):
        told = told[: what.start()].strip(_MARKS)
    bare = told.removesuffix("()").strip(_MARKS).removeprefix("./")
    if (
        kind == DEFINED
        and (found := _PLACE.fullmatch(bare))
        and int(found["last"] or found["line"]) == int(found["line"])
    ):
        return f"{found['file']}:{int(found['line'])}"
    return bare
