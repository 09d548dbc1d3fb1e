"""The suite: options in, samples, grades and an oracle out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.errors import ConfigError, CorpusError
from harness.models.oracle import Item, Oracle
from harness.suite import Grade, Sample
from tasks.common.hashing import digest
from tasks.common.oracle import LabelOracle
from tasks.common.sampled import Sampled, each_once, numbered, within
from tasks.math import grading
from tasks.math.generated.problems import LANGUAGES, GeneratedProblems
from tasks.math.gsm8k import Gsm8k
from tasks.math.problems import Problem, number_of
from tasks.math.statement import BRIEF, OUTPUT_SCHEMA, statement

OWN_SAMPLES = 40


class Problems(Protocol):
    """Where problems come from. Each is made on demand, by its place."""

    @property
    def name(self) -> str: ...

    def __len__(self) -> int: ...

    def problem(self, index: int) -> Problem: ...


@dataclass
class Math(Sampled[tuple[Problem, ...]]):
    """Word problems with one number for an answer (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/math.yaml``, described there, beside those that every suite has
    (``tasks.common.sampled``).
    """

    path: str | None = None
    problems: int = 1
    samples: int | None = None
    languages: list[str] = field(default_factory=lambda: list(LANGUAGES))

    name = "math"
    id_options = "task.path, task.problems and task.seed"

    def __post_init__(self) -> None:
        super().__post_init__()
        within(1, 100_000, problems=self.problems)
        each_once("languages", self.languages, LANGUAGES)
        if self.samples is not None and self.path is not None:
            raise ConfigError(
                f"task.samples={self.samples} is for our own problems only: a file has as many samples as its problems "
                f"fill. Use task.limit={self.samples} to take the first {self.samples}."
            )
        if self.path is not None and self.languages != list(LANGUAGES):
            raise ConfigError(
                f"task.languages={self.languages} is for our own problems only: a file has the language that it has."
            )
        self._source: Problems | None = None

    def read(self) -> Sequence[str]:
        """Open the file, if there is one; the samples by source, size, seed and number."""
        source = self._open()
        self._source = source
        count = -(-len(source) // self.problems)
        origin = f"s{self.seed}" if self.path is None else source.name
        return numbered(f"math-{self.problems}-{origin}", count)

    def build(self, sample_id: str, number: int) -> tuple[Sample, tuple[Problem, ...]]:
        """One sample and its problems; the last one of a file has what is left of it."""
        source = self._opened()
        first = number * self.problems
        chosen = tuple(source.problem(i) for i in range(first, min(first + self.problems, len(source))))
        return _sample(sample_id, chosen), chosen

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """None: everything stands in the statement."""
        return ()

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Share of problems whose final number is right; see ``grading.grade``."""
        return grading.grade(self.problem(sample.id), answer)

    def oracle(self) -> Oracle:
        """For the simulated model: every problem of the suite, whatever ``limit`` and ``sample_ids`` leave."""
        source = self._opened()

        def place(text: str) -> int | None:
            number = number_of(text)
            return number - 1 if number is not None and 1 <= number <= len(source) else None

        return LabelOracle(place, lambda index: _item(source.problem(index)))

    def key(self, sample_id: str) -> str:
        """The perfect answer as JSON text, for tests and hand-written transcripts."""
        return json.dumps([p.entry(p.answer) for p in self.problem(sample_id)], ensure_ascii=False, indent=1)

    def _open(self) -> Problems:
        if self.path is not None:
            return Gsm8k(self.path)
        samples = OWN_SAMPLES if self.samples is None else self.samples
        return GeneratedProblems(samples * self.problems, self.seed, self.languages)

    def _opened(self) -> Problems:
        self.load()
        if self._source is None:
            raise CorpusError("the problems did not load.")
        return self._source


def _item(problem: Problem) -> Item:
    """A closed-book item: the problem is its own evidence."""
    line = problem.line
    return Item(line, (line,), problem.entry(problem.answer), tuple(problem.entry(wrong) for wrong in problem.wrong))


def _sample(sample_id: str, problems: Sequence[Problem]) -> Sample:
    """Graph: every problem can be solved by itself (weight: its tokens), and nothing is left to do then. Samples of one
    problem each share a cluster with others of the same make."""
    text = statement(problems)
    sizes = [count_tokens(problem.line) for problem in problems]
    return Sample(
        id=sample_id,
        statement=text,
        brief=BRIEF,
        output_schema=OUTPUT_SCHEMA,
        material_tokens=count_tokens(text),
        material_hash=digest(text, BRIEF, OUTPUT_SCHEMA, [p.entry(p.answer) for p in problems]),
        graph_work=float(sum(sizes)),
        graph_critical_path=float(max(sizes)),
        cluster_id=f"math-{problems[0].kind}" if len(problems) == 1 and problems[0].kind else sample_id,
        tags=tuple(dict.fromkeys(tag for problem in problems for tag in problem.tags)),
        visible=grading.VisibleTests(tuple(problem.asked for problem in problems)),
    )
