"""Visible tests: what anybody who has the documents can say against an answer, without the key."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from harness.accounting.restating import words
from tasks.common.documents import Document, flat
from tasks.common.entries import entries_in
from tasks.common.texts import normalise, quantity
from tasks.qa_corpus.grading import asked_for
from tasks.qa_corpus.references import parse

SHOWN = 80
"""Characters of a value or question in a failure."""
SPELT = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
"""Numbers that English texts write as words."""
SMALL = 2
"""Letters of words like "it" and "is", by which a right answer may differ from its section."""
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_NUMBER = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?![\d])")


@dataclass(frozen=True)
class VisibleTests:
    """The visible tests of one sample (``harness.suite.Sample.visible``). They have the questions' texts and the
    documents, and no key: a wrong answer that stands in the section it cites passes."""

    questions: tuple[str, ...]
    documents: tuple[Document, ...]

    async def __call__(self, answer: str) -> Sequence[str]:
        """What fails, a sentence each, whatever the text: it holds no array of entries; a question has no entry, or
        several; its answer is null, empty or no text; its clause_ref names no section that there is; its answer does
        not stand there (``_stands_in``). In a corpus of one's own a right answer need not stand in its section word for
        word, and then these tests have something against it."""
        given: dict[str, list[Mapping[str, Any]]] = {}
        for entry in entries_in(answer):
            if isinstance(question := entry.get("question"), str):
                given.setdefault(asked_for(question), []).append(entry)
        if not given:
            return ["the answer holds no JSON array of entries with a question"]
        told = [(question, self._fault(given.get(asked_for(question), []))) for question in self.questions]
        return [f"{fault}: {_shown(question)}" for question, fault in told if fault is not None]

    def _fault(self, entries: Sequence[Mapping[str, Any]]) -> str | None:
        """What is wrong with what is given for one question."""
        if len(entries) != 1:
            return f"{len(entries)} entries instead of one" if entries else "no entry"
        answer, cited = entries[0].get("answer"), entries[0].get("clause_ref")
        if answer is None or answer == "":
            return "no answer"
        if not isinstance(answer, str | int | float) or isinstance(answer, bool) or not str(answer).strip():
            return f"the answer {_shown(answer)} is no text"
        section = self._section(cited) if isinstance(cited, str) else None
        if section is None:
            return f"the clause_ref {_shown(cited)} names no section of these documents"
        if not _stands_in(str(answer), section):
            return f"the answer {_shown(answer)} does not stand in {_shown(cited)}"
        return None

    def _section(self, clause_ref: str) -> str | None:
        name, number = parse(clause_ref) or ("", 0)
        sections = next((d.sections for d in self.documents if d.name.casefold() == name), ())
        return sections[number - 1] if 1 <= number <= len(sections) else None


def _stands_in(answer: str, section: str) -> bool:
    """Whether the answer, as the grader compares it, stands in the section as it is; or its number does, in digits or
    as an English word; or all of its words but the smallest do, each by itself (not in Chinese, where single characters
    say little)."""
    # Here and not above: a single agent's run has no need of what comes with it.
    from harness.delegation.checks.source import stands_in

    said, text = normalise(answer), normalise(section)
    if stands_in(said, text):
        return True
    number = quantity(answer)
    if number is not None:
        return abs(number[0]) in _numbers(text)
    own = words(said)
    if not own:
        return flat(answer) in flat(section)
    long = {word for word in own if len(word) > SMALL}
    return bool(long) and not any(map(_WIDE.match, own)) and long <= set(words(text))


def _numbers(text: str) -> set[Decimal]:
    written = {Decimal(found.replace(",", "")) for found in _NUMBER.findall(text) if found}
    return written | {Decimal(SPELT.index(word)) for word in words(text) if word in SPELT}


def _shown(value: Any) -> str:
    return f"{value!r:.{SHOWN}}" if not isinstance(value, str) else f"'{value[:SHOWN]}'"
