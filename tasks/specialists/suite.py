"""The suite: options in, samples, grades and an oracle out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.errors import ConfigError, unknown
from harness.models.oracle import Oracle
from harness.suite import Grade, Sample
from tasks.common.hashing import digest
from tasks.common.labels import OneEntryEach, place_of
from tasks.common.oracle import LabelOracle
from tasks.common.sampled import KEPT, Sampled, numbered, within
from tasks.specialists import grading, material
from tasks.specialists.briefs import KINDS, brief, specialties
from tasks.specialists.material import PREFIX, Problem
from tasks.specialists.statement import OUTPUT_SCHEMA, statement


@dataclass
class Specialists(Sampled[Problem]):
    """Cases under house rules that only one specialist's brief states, and cases that need none
    (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/specialists.yaml``, described there, beside those that every suite has
    (``tasks.common.sampled``).
    """

    samples: int = 10
    questions: int = 10
    briefs: str = "own"
    pass_threshold: float = field(default=0.9, kw_only=True)

    name = "specialists"

    def __post_init__(self) -> None:
        super().__post_init__()
        within(1, 1_000, questions=self.questions)
        if self.briefs not in KINDS:
            raise ConfigError(unknown("task.briefs", self.briefs, KINDS))

    def read(self) -> Sequence[str]:
        """Nothing has to be read: samples are made from the seed."""
        return numbered(f"{self.name}-s{self.seed}", self.samples)

    def build(self, sample_id: str, number: int) -> tuple[Sample, Problem]:
        """One sample and its questions."""
        problem = self._problem(number)
        return self._sample(sample_id, problem), problem

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """None: what is to be known stands in the brief."""
        return ()

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Share of questions answered rightly; see ``grading.grade``."""
        return grading.grade(self.problem(sample.id).questions, answer)

    def oracle(self) -> Oracle:
        """For the simulated model: every question of the suite, whatever ``limit`` and ``sample_ids`` leave."""
        problem = lru_cache(maxsize=KEPT)(self._problem)
        return LabelOracle(
            lambda text: place_of(text, PREFIX, self.samples, self.questions),
            lambda at: problem(at[0]).questions[at[1]].item(),
        )

    def key(self, sample_id: str) -> str:
        """The perfect answer as JSON text, for tests and hand-written transcripts."""
        return json.dumps([q.entry(q.answer) for q in self.problem(sample_id).questions], indent=1)

    def _problem(self, number: int) -> Problem:
        return material.problem(self.seed, number, self.questions)

    def _sample(self, sample_id: str, problem: Problem) -> Sample:
        """Graph: every question can be answered without the others (weight: its tokens); one step then reads the
        statement and writes the entries (weight: the statement's tokens)."""
        text = statement(problem.questions)
        told = brief(self.briefs, problem.house)
        sizes = [count_tokens(question.line) for question in problem.questions]
        merge = count_tokens(text)
        return Sample(
            id=sample_id,
            statement=text,
            brief=told,
            output_schema=OUTPUT_SCHEMA,
            material_tokens=merge + count_tokens(told),
            material_hash=digest(text, told, OUTPUT_SCHEMA, [q.entry(q.answer) for q in problem.questions]),
            graph_work=float(sum(sizes) + merge),
            graph_critical_path=float(max(sizes) + merge),
            cluster_id=sample_id,
            tags=problem.tags,
            visible=OneEntryEach("question", "answer", tuple(q.label for q in problem.questions)),
            specialties=specialties(self.briefs, problem.house),
        )
