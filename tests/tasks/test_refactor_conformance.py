"""refactor as a suite."""

from __future__ import annotations

from collections.abc import Sequence

from harness.blocks import block
from harness.suite import Sample
from harness.testing.suites import SuiteConformance
from tasks.refactor import Refactor


class TestRefactor(SuiteConformance):
    samples = 2

    def suite(self) -> Refactor:
        return Refactor(limit=2)

    def dumps(self, suite: Refactor, sample: Sample) -> Sequence[str]:
        project = suite.problem(sample.id)
        old = [block(file, text) for file, text in project.old.items()]
        every = [block(file, text) for decision in project.decisions for file, text in project.new(decision).items()]
        return ["\n".join(old), "\n".join(every), "\n".join([*old, *every])]
