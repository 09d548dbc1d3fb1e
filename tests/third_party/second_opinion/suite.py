"""Unit conversions from memory: every question stands alone, and the answer is one number with its unit."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from harness.agents.tools import Tool
from harness.models.oracle import Item
from harness.suite import Grade, Sample

FACTS = {
    "How many metres are 3 kilometres?": ("3000 m", "300 m"),
    "How many minutes are 2 hours?": ("120 min", "200 min"),
    "How many grams are 1.5 kilograms?": ("1500 g", "150 g"),
    "How many litres are 2 cubic metres?": ("2000 l", "200 l"),
}
BRIEF = "Convert exactly. Give the number and the unit."


@dataclass(frozen=True)
class UnitQuiz:
    """``questions``: how many questions a sample asks, 1 to 4."""

    questions: int = 2
    name: str = "unit_quiz"
    pass_threshold: float = 1.0

    def load(self) -> None:
        if not 1 <= self.questions <= len(FACTS):
            raise ValueError(f"task.questions={self.questions}: must be 1 to {len(FACTS)}")

    def sample_ids(self) -> Sequence[str]:
        return [f"quiz-{i}" for i in range(len(FACTS) // self.questions)]

    def _asked(self, sample_id: str) -> list[str]:
        at = int(sample_id.removeprefix("quiz-")) * self.questions
        return list(FACTS)[at : at + self.questions]

    def sample(self, sample_id: str) -> Sample:
        asked = self._asked(sample_id)
        lines = "\n".join(f"{i}. {q}" for i, q in enumerate(asked, 1))
        statement = (
            f"Questions:\n{lines}\n\n"
            'Output: a JSON array of objects {"question": ..., "answer": ...}, the question word for word.'
        )
        return Sample(
            id=sample_id,
            statement=statement,
            brief=BRIEF,
            output_schema=None,
            material_tokens=0,  # nothing to read
            material_hash=sha256(statement.encode()).hexdigest(),
            graph_work=len(asked),  # each question can be worked on alone
            graph_critical_path=1.0,
        )

    def tools(self, sample: Sample) -> Sequence[Tool]:
        return ()

    async def grade(self, sample: Sample, answer: str) -> Grade:
        asked = self._asked(sample.id)
        try:
            given = {entry["question"]: entry["answer"] for entry in json.loads(answer)}
        except (ValueError, TypeError, KeyError, RecursionError):
            given = {}
        right = sum(given.get(q) == FACTS[q][0] for q in asked)
        return Grade(right / len(asked), {"right": right})

    def oracle(self) -> "Memory":
        return Memory()


class Memory:
    """What the simulated model knows. The question is its own evidence: no document has to be read."""

    def lookup(self, line: str) -> Item | None:
        question = line.strip().lstrip("0123456789.-*) ").strip()
        if question not in FACTS:
            return None
        right, wrong = ({"question": question, "answer": answer} for answer in FACTS[question])
        return Item(question, evidence=(question,), right=right, wrong=(wrong,))
