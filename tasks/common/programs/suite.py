"""The part of a suite that is the same for all suites whose answers are functions."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.blocks import block
from harness.errors import ConfigError
from harness.models.oracle import Oracle
from harness.sandbox.process import require
from harness.suite import Grade, Sample
from tasks.common.hashing import digest
from tasks.common.oracle import LineOracle
from tasks.common.programs import grading
from tasks.common.programs.function import Function
from tasks.common.programs.statement import BRIEF, statement
from tasks.common.programs.visible import VisibleTests
from tasks.common.sampled import Sampled, numbered

log = logging.getLogger(__name__)


@dataclass
class Programs(Sampled[tuple[Function, ...]]):
    """Base of a suite that draws disjoint groups of functions from a pool. A suite says where the functions come from
    (``pool``) and how many a sample has (the option ``size_option``)."""

    size_option: ClassVar[str]

    def __post_init__(self) -> None:
        super().__post_init__()
        self._drawn: list[Function] = []

    @abstractmethod
    def pool(self) -> tuple[str, Sequence[Function]]:
        """What the pool is called in sample ids, and all of its functions."""

    @property
    def size(self) -> int:
        """Functions in a sample."""
        return int(getattr(self, self.size_option))

    def read(self) -> Sequence[str]:
        """Draw the order of the functions; ids are the function's file where a sample has one, and numbered else."""
        require()
        label, functions = self.pool()
        if self.size > len(functions):
            raise ConfigError(
                f"task.{self.size_option}={self.size} is too large: {label} has {len(functions)} functions."
            )
        drawn = list(functions)
        Random(f"{self.name} {label} {self.seed}").shuffle(drawn)
        self._drawn = drawn
        samples, left = divmod(len(drawn), self.size)
        if left:
            log.info("%s: %d of %d functions are in no sample of %d", self.name, left, len(drawn), self.size)
        return [f.module for f in drawn] if self.size == 1 else numbered(f"{label}-{self.size}-s{self.seed}", samples)

    def build(self, sample_id: str, number: int) -> tuple[Sample, tuple[Function, ...]]:
        """One sample. Graph: every function can be written independently of the others (weight: the tokens of its
        solution), so that the longest path is the largest of them."""
        functions = tuple(self._drawn[number * self.size : (number + 1) * self.size])
        text = statement(functions)
        sizes = [count_tokens(function.solution) for function in functions]
        material = [[f.line, f.given, f.tests, f.solution] for f in functions]
        sample = Sample(
            id=sample_id,
            statement=text,
            brief=BRIEF,
            output_schema=None,
            material_tokens=count_tokens(text),
            material_hash=digest(text, BRIEF, material),
            graph_work=float(sum(sizes)),
            graph_critical_path=float(max(sizes)),
            cluster_id=sample_id,
            visible=VisibleTests(functions),
        )
        return sample, functions

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """None: everything stands in the statement."""
        return ()

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Share of functions whose hidden tests all pass; see ``grading.grade``."""
        return await grading.grade(self.problem(sample.id), answer)

    def oracle(self) -> Oracle:
        """For the simulated model: every function of the pool."""
        self.load()
        return LineOracle(function.item for function in self._drawn)

    def key(self, sample_id: str) -> str:
        """The perfect answer: the solutions as fenced blocks."""
        return "\n\n".join(block(f.file, f.solution.rstrip("\n")) for f in self.problem(sample_id))
