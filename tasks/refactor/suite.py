"""The suite: options in, samples, tools, grades and an oracle out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.blocks import block
from harness.errors import ConfigError
from harness.models.oracle import Oracle
from harness.sandbox.process import require
from harness.sandbox.source import names_of_tests
from harness.suite import Grade, Sample
from tasks.common.hashing import digest
from tasks.common.oracle import LineOracle
from tasks.common.sampled import Sampled, at_least, numbered
from tasks.refactor import grading
from tasks.refactor.items import items
from tasks.refactor.project import LAYERS, MOST_PARTS, Project, project
from tasks.refactor.statement import BRIEF, statement
from tasks.refactor.tools import file_tools


@dataclass
class Refactor(Sampled[Project]):
    """A program whose files must change together and agree on what the request leaves open (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/refactor.yaml``, described there, beside those that every suite has
    (``tasks.common.sampled``).
    """

    parts: int = LAYERS
    samples: int = 12

    name = "refactor"
    id_options = "task.parts, task.samples and task.seed"

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least(LAYERS, parts=self.parts)
        if self.parts > MOST_PARTS:
            raise ConfigError(
                f"task.parts={self.parts} is too large: a program has {LAYERS} layers and up to "
                f"{MOST_PARTS - LAYERS} further files, {MOST_PARTS} in all."
            )

    def read(self) -> Sequence[str]:
        """See that graded code can be confined; samples by parts, seed and number."""
        require()
        ids = numbered(f"{self.name}-{self.parts}-s{self.seed}", self.samples)
        for number in range(self.samples):
            names_of_tests(self._project(number).source_of_tests)
        return ids

    def build(self, sample_id: str, number: int) -> tuple[Sample, Project]:
        """One sample and the program behind it."""
        made = self._project(number)
        return _sample(sample_id, made), made

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """``list_files`` and ``read_file`` over the program before the change."""
        return file_tools(self.problem(sample.id).old)

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Share of hidden tests that pass; see ``grading.grade``."""
        return await grading.grade(self.problem(sample.id), answer)

    def oracle(self) -> Oracle:
        """For the simulated model: every file of the suite, whatever ``limit`` and ``sample_ids`` leave."""
        return LineOracle(item for number in range(self.samples) for item in items(self._project(number)))

    def key(self, sample_id: str) -> str:
        """A perfect answer: the change by the first decision. Every other one would do as well."""
        return _blocks(self.problem(sample_id))

    def _project(self, number: int) -> Project:
        return project(number, self.parts, self.seed)


def _blocks(made: Project) -> str:
    return "\n\n".join(block(file, text) for file, text in made.new(made.decisions[0]).items())


def _sample(sample_id: str, made: Project) -> Sample:
    """Graph: somebody reads the request and decides what is open (weight: its tokens); after that every file can be
    written independently of the others (weight: the tokens of its new version)."""
    text = statement(made)
    decide = count_tokens(text)
    written = [count_tokens(new) for new in made.new(made.decisions[0]).values()]
    return Sample(
        id=sample_id,
        statement=text,
        brief=BRIEF,
        output_schema=None,
        material_tokens=decide + sum(map(count_tokens, made.old.values())),
        material_hash=digest(text, BRIEF, made.old, made.source_of_tests, _blocks(made)),
        graph_work=float(decide + sum(written)),
        graph_critical_path=float(decide + max(written)),
        cluster_id=made.system.name,
        tags=(made.system.name, f"{'three' if made.system.words else 'two'} open"),
        visible=grading.VisibleTests(made),
    )
