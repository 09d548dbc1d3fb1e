"""The suite: options in, samples, tools, grades and an oracle out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.errors import ConfigError
from harness.models.oracle import Oracle
from harness.suite import Grade, Sample
from tasks.common.document_tools import document_tools
from tasks.common.hashing import digest
from tasks.common.sampled import Sampled, at_least, each_once, numbered, within
from tasks.monthly_figures import grading
from tasks.monthly_figures.material.generator import LANGUAGES, Generator
from tasks.monthly_figures.material.year import MONTHS, MOST_MISSING
from tasks.monthly_figures.oracle import MonthOracle
from tasks.monthly_figures.problem import Problem
from tasks.monthly_figures.statement import BRIEF, OUTPUT_SCHEMA, statement
from tasks.monthly_figures.visible import VisibleTests


@dataclass
class MonthlyFigures(Sampled[Problem]):
    """A year's monthly amounts out of messy papers, in a given schema (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/monthly_figures.yaml``, described there, beside those that every suite has
    (``tasks.common.sampled``).
    """

    samples: int = 12
    documents: int = 1
    pages: int = 20
    missing: int = 2
    languages: list[str] = field(default_factory=lambda: list(LANGUAGES))
    pass_threshold: float = field(default=0.9, kw_only=True)

    name = "monthly_figures"
    id_options = "task.documents, task.pages, task.missing, task.languages and task.seed"

    def __post_init__(self) -> None:
        super().__post_init__()
        within(1, 10_000, documents=self.documents, pages=self.pages)
        at_least(0, missing=self.missing)
        if self.missing > MOST_MISSING:
            raise ConfigError(
                f"task.missing={self.missing} is too large: at most {MOST_MISSING} of a year's {MONTHS} months, "
                "or calling months missing would be worth more than reading them."
            )
        each_once("languages", self.languages, LANGUAGES)
        self._generator = Generator(
            self.samples, self.documents, self.pages, self.missing, self.seed, tuple(self.languages)
        )

    def read(self) -> Sequence[str]:
        """The samples by size, languages, seed and number. All material is generated, so there is nothing to check."""
        size = f"{self.documents}x{self.pages}-m{self.missing}"
        return numbered(f"monthly-{size}-{'-'.join(self.languages)}-s{self.seed}", self.samples)

    def build(self, sample_id: str, number: int) -> tuple[Sample, Problem]:
        """One sample, its documents and its key."""
        problem = self._generator.problem(number)
        return _sample(sample_id, self._generator.language(number), problem), problem

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """``list_documents``, ``read_document`` and ``search_documents`` over this sample's documents."""
        return document_tools(self.problem(sample.id).documents)

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Share of months whose entry is right; see ``grading.grade``."""
        return grading.grade(self.problem(sample.id), answer)

    def oracle(self) -> Oracle:
        """For the simulated model: every month of the suite, whatever ``limit`` and ``sample_ids`` leave."""
        return MonthOracle(self._generator)

    def key(self, sample_id: str) -> str:
        """The perfect answer as JSON text, for tests and hand-written transcripts."""
        return json.dumps([month.key for month in self.problem(sample_id).months], ensure_ascii=False, indent=1)


def _sample(sample_id: str, language: str, problem: Problem) -> Sample:
    """Graph: each document can be read independently of the others (weight: its tokens), none of them by several, since
    a correction or a second deal may stand on any sheet; one last step reads the statement and writes the entries
    (weight: the statement's tokens)."""
    text = statement(problem)
    sizes = [document.tokens for document in problem.documents]
    last = count_tokens(text)
    key = [month.key for month in problem.months]
    material = [document.material for document in problem.documents]
    return Sample(
        id=sample_id,
        statement=text,
        brief=BRIEF,
        output_schema=OUTPUT_SCHEMA,
        material_tokens=sum(sizes) + last,
        material_hash=digest(text, BRIEF, OUTPUT_SCHEMA, material, key),
        graph_work=float(sum(sizes) + last),
        graph_critical_path=float(max(sizes) + last),
        cluster_id=sample_id,
        tags=(language,),
        visible=VisibleTests(tuple((m.label, m.company, m.month) for m in problem.months), problem.unit),
    )
