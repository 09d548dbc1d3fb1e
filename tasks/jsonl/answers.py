"""What an answer text gives as its answer, whatever stands around it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tasks.common.entries import entries_in
from tasks.common.texts import normalise
from tasks.jsonl.task import Task

NAMING, TELLING = "task", "answer"
"""The fields of an entry: ``{"task": "Task 12", "answer": "…"}``."""
MAX_CHARS = 2_000_000
"""A longer text is not looked through."""
MOST_MARKS = 100

_MARKED = re.compile(
    r"^[ \t*_#>-]{0,20}(?:the |final ){0,2}answer(?:[*_]{0,3}\s?[:：]|\sis\s?[:：]?)[\s*_]{0,20}(\S.*)$", re.I | re.M
)
_FENCED = re.compile(r"^[ ]{0,3}```[^\n]*\n(.*?)^[ ]{0,3}```[ \t]*$", re.M | re.S)


def offered(task: Task, answer: str) -> list[Any]:
    """Every value that the text gives: the answers of entries that name the task (or no task at all); or else what is
    marked as the answer (``ANSWER: 72``); or else the text itself, without a fence around it. Empty: there is none."""
    if len(answer) > MAX_CHARS:
        return [answer]
    entries = [entry for entry in (*entries_in(answer), *_alone(answer)) if TELLING in entry]
    if entries:
        return [entry[TELLING] for entry in entries if names(task, entry.get(NAMING, task.label)) and told(entry)]
    marked = [found[1].rstrip("*_ \t") for found in _MARKED.finditer(answer)]
    if marked:
        return marked if len(marked) <= MOST_MARKS else [answer]
    bare = unfenced(answer)
    return [bare] if bare else []


def named(task: Task, answer: str) -> list[Any]:
    """The answers of entries that name the task and nothing else."""
    if len(answer) > MAX_CHARS:
        return []
    entries = (*entries_in(answer), *_alone(answer))
    return [e[TELLING] for e in entries if TELLING in e and names(task, e.get(NAMING)) and told(e)]


def names(task: Task, value: Any) -> bool:
    """Whether a value names the task, by its label or its id."""
    return isinstance(value, str) and normalise(value) in (normalise(task.label), normalise(task.id))


def told(entry: dict[str, Any]) -> bool:
    """Whether an entry says anything."""
    return entry[TELLING] is not None and entry[TELLING] != ""


def unfenced(answer: str) -> str:
    """The text without white space at its ends and without a fence that encloses all of it."""
    bare = answer.strip()
    found = _FENCED.fullmatch(bare)
    return bare if found is None else found[1].strip()


def fenced(answer: str) -> list[str]:
    """The content of every fenced block."""
    return [found[1].strip() for found in _FENCED.finditer(answer)]


def parsed(text: str) -> tuple[Any, ...]:
    """The JSON value that a text is, as the only one of a tuple; empty if it is none."""
    try:
        return (json.loads(text),)
    except (ValueError, RecursionError):
        return ()


def _alone(answer: str) -> Iterator[dict[str, Any]]:
    """An entry that stands without an array around it."""
    bare = unfenced(answer)
    if bare.startswith("{"):
        yield from (value for value in parsed(bare) if isinstance(value, dict))
