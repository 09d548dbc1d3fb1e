"""The suite: options in, samples, tools, grades and an oracle out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.errors import ConfigError
from harness.models.oracle import Oracle
from harness.suite import Grade, Sample
from tasks.briefing import grading
from tasks.briefing.fields import PREFIX, Field, fields, most
from tasks.briefing.notes import notes
from tasks.briefing.requester import ask_requester
from tasks.briefing.statement import BRIEF, OUTPUT_SCHEMA, statement
from tasks.briefing.terms import AMBIGUOUS, PLAIN
from tasks.common.document_tools import document_tools
from tasks.common.documents import Document
from tasks.common.hashing import digest
from tasks.common.labels import OneEntryEach, place_of
from tasks.common.oracle import LabelOracle
from tasks.common.sampled import KEPT, Sampled, at_least, numbered, within


@dataclass(frozen=True)
class Report:
    """What is behind a sample: its lines with their meaning, and the notes."""

    fields: tuple[Field, ...]
    documents: tuple[Document, ...]

    def key(self) -> list[dict[str, str]]:
        return [line.key for line in self.fields]


@dataclass
class Briefing(Sampled[Report]):
    """Reports with terms that mean what only the requester can tell (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/briefing.yaml``, described there, beside those that every suite has
    (``tasks.common.sampled``).
    """

    samples: int = 12
    fields: int = 8
    ambiguous: int = 6
    notes: int = 4
    requester: bool = True
    pass_threshold: float = field(default=0.85, kw_only=True)

    name = "briefing"

    def __post_init__(self) -> None:
        super().__post_init__()
        within(1, 10_000, fields=self.fields, notes=self.notes)
        at_least(0, ambiguous=self.ambiguous)
        plain = self.fields - self.ambiguous
        if plain < 0:
            raise ConfigError(
                f"task.ambiguous={self.ambiguous} is more than task.fields={self.fields}, all lines of a report."
            )
        if self.ambiguous > most(AMBIGUOUS):
            raise ConfigError(f"task.ambiguous={self.ambiguous} is too large: there are {most(AMBIGUOUS)} such lines.")
        if plain > most(PLAIN):
            raise ConfigError(
                f"task.fields={self.fields} with task.ambiguous={self.ambiguous} leaves {plain} lines with one "
                f"reading, and there are {most(PLAIN)}: lower task.fields or raise task.ambiguous."
            )

    def read(self) -> Sequence[str]:
        """Nothing has to be read: samples are made from the seed."""
        return numbered(f"{self.name}-{self.fields}-{self.notes}-s{self.seed}", self.samples)

    def build(self, sample_id: str, number: int) -> tuple[Sample, Report]:
        """One sample, with its notes and what its lines mean."""
        lines = self._fields(number)
        report = Report(lines, notes(self.seed, number, self.notes, lines))
        return _sample(sample_id, report), report

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """``list_documents``, ``read_document`` and ``search_documents`` over this sample's notes, and for whoever owns
        the task ``ask_requester``."""
        report = self.problem(sample.id)
        return (*document_tools(report.documents), *([ask_requester(report.fields)] if self.requester else []))

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Share of lines that are right; see ``grading.grade``."""
        return grading.grade(self.problem(sample.id).fields, answer)

    def oracle(self) -> Oracle:
        """For the simulated model: every line of the suite, whatever ``limit`` and ``sample_ids`` leave."""
        lines = lru_cache(maxsize=KEPT)(self._fields)
        return LabelOracle(
            lambda text: place_of(text, PREFIX, self.samples, self.fields), lambda at: lines(at[0])[at[1]].item()
        )

    def key(self, sample_id: str) -> str:
        """The perfect answer as JSON text, for tests and hand-written transcripts."""
        return json.dumps(self.problem(sample_id).key(), ensure_ascii=False, indent=1)

    def _fields(self, number: int) -> tuple[Field, ...]:
        return fields(self.seed, number, self.fields, self.ambiguous)


def _sample(sample_id: str, report: Report) -> Sample:
    """Graph: every note can be read independently of the others (weight: its tokens), then one step asks what has to be
    asked and writes the entries (weight: the statement's tokens)."""
    text = statement(report.documents, report.fields)
    sizes = [document.tokens for document in report.documents]
    merge = count_tokens(text)
    material = [document.material for document in report.documents]
    kinds = sorted({line.term.kind for line in report.fields if line.ambiguous})
    return Sample(
        id=sample_id,
        statement=text,
        brief=BRIEF,
        output_schema=OUTPUT_SCHEMA,
        material_tokens=sum(sizes) + merge,
        material_hash=digest(text, BRIEF, OUTPUT_SCHEMA, material, report.key()),
        graph_work=float(sum(sizes) + merge),
        graph_critical_path=float(max(sizes) + merge),
        cluster_id=sample_id,
        tags=("ambiguous", *kinds) if kinds else ("plain",),
        visible=OneEntryEach("field", "value", tuple(line.label for line in report.fields)),
    )
