"""A task suite of four short notes and four questions, small enough to check every token of a run by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool, ToolFailed
from harness.models.oracle import Item, Oracle
from harness.suite import Grade, Sample

NOTES = {
    "pump.txt": ("What flow does the north pump deliver?", "340 litres per minute", "310 litres per minute"),
    "gate.txt": ("Who holds the key of the east gate?", "Marta Olsen", "Piet Olsen"),
    "roof.txt": ("When was the roof last inspected?", "12 March 2024", "21 March 2023"),
    "fence.txt": ("Which colour does the new fence have?", "slate grey", "moss green"),
}
"""File name → (question, right answer, plausible wrong answer)."""
BRIEF = "Answer from the notes only. Leave out what you cannot find."


def note(name: str) -> str:
    """The text of one note."""
    question, answer, _ = NOTES[name]
    return f"Site log, {name.removesuffix('.txt')}.\nAsked: {question} On record: {answer}. Nothing else was noted."


def evidence(name: str) -> str:
    return f"On record: {NOTES[name][1]}."


def entry(name: str, answer: str) -> dict[str, str]:
    return {"question": NOTES[name][0], "answer": answer}


def _given(answer: str) -> dict[str, str]:
    """Question → answer, empty for what is no list of entries."""
    try:
        return {e["question"]: e["answer"] for e in json.loads(answer)}
    except (ValueError, TypeError, KeyError, RecursionError):
        return {}


async def visible(answer: str) -> list[str]:
    """The visible tests: every question has an answer, and it stands in one of the notes, whichever."""
    given = _given(answer)
    notes = [note(name) for name in NOTES]
    failures = []
    for question, _, _ in NOTES.values():
        said = given.get(question)
        if not said or not isinstance(said, str):
            failures.append(f"no answer to: {question}")
        elif not any(said in text for text in notes):
            failures.append(f"{said!r:.80} stands in no note: {question}")
    return failures


@dataclass(frozen=True)
class Toy:
    """``samples``: how many samples there are; all ask the same."""

    samples: int = 2
    name: str = "toy"
    pass_threshold: float = 0.5

    def load(self) -> None:
        """Nothing to read."""

    def sample_ids(self) -> Sequence[str]:
        return [f"toy-{i}" for i in range(self.samples)]

    def sample(self, sample_id: str) -> Sample:
        sizes = {name: count_tokens(note(name)) for name in NOTES}
        documents = "\n".join(f"- {name} (site log; {sizes[name]} tokens)" for name in NOTES)
        questions = "\n".join(f"{i}. {q}" for i, (q, _, _) in enumerate(NOTES.values(), 1))
        statement = (
            f"Answer the questions from the documents.\n\nDocuments:\n{documents}\n\nQuestions:\n{questions}\n\n"
            'Output: a JSON array of objects {"question": ..., "answer": ...}, the question word for word.'
        )
        return Sample(
            id=sample_id,
            statement=statement,
            brief=BRIEF,
            output_schema=None,
            material_tokens=sum(sizes.values()),
            material_hash=sha256(f"{BRIEF}{statement}{self.key()}".encode()).hexdigest(),
            graph_work=float(len(NOTES)),
            graph_critical_path=1.0,
            visible=visible,
        )

    def tools(self, sample: Sample) -> Sequence[Tool]:
        async def read_document(arguments: Mapping[str, Any]) -> str:
            name = arguments["document"]
            if name not in NOTES:
                raise ToolFailed(f"there is no document '{name}'. Documents: {', '.join(NOTES)}.")
            return note(name)

        schema = {
            "type": "object",
            "properties": {"document": {"type": "string", "description": "file name"}},
            "required": ["document"],
        }
        return [
            Tool(
                "read_document", "Read one document.", schema, frozenset({"read"}), read_document, reference="document"
            )
        ]

    def key(self, sample_id: str = "") -> str:
        """The perfect answer, the same for all samples. A topology never gets the suite, so it cannot ask."""
        return json.dumps([entry(name, NOTES[name][1]) for name in NOTES])

    async def grade(self, sample: Sample, answer: str) -> Grade:
        given = _given(answer)
        right = sum(given.get(q) == a for q, a, _ in NOTES.values())
        return Grade(right / len(NOTES), {"right": right})

    def oracle(self) -> Oracle:
        return ToyOracle()


class ToyOracle:
    """All four questions (``harness.models.oracle.Oracle``)."""

    def lookup(self, line: str) -> Item | None:
        asked = line.strip().lstrip("0123456789.-*) ").strip()
        for name, (question, right, wrong) in NOTES.items():
            if question == asked:
                return Item(question, (evidence(name),), entry(name, right), (entry(name, wrong),))
        return None
