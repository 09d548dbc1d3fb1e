"""Visible tests: what anybody can say against an answer who has read the specification."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.common.programs.answers import given_in, program_of
from tasks.common.programs.execution import executed
from tasks.common.programs.function import Function


@dataclass(frozen=True)
class VisibleTests:
    """The visible tests of one sample (``harness.suite.Sample.visible``): every file is there, is Python with its
    function, and the examples that its specification shows hold when they are executed. Hidden tests are not run."""

    functions: tuple[Function, ...]

    async def __call__(self, answer: str) -> Sequence[str]:
        """What fails, a sentence each, whatever the text."""
        given = given_in(self.functions, answer)
        told = await asyncio.gather(*(_failures(f, given.get(f.file)) for f in self.functions))
        return [
            f"{f.file}: {failure}" for f, failures in zip(self.functions, told, strict=True) for failure in failures
        ]


async def _failures(function: Function, code: str | None) -> list[str]:
    if code is None:
        return ["the answer does not give this file, or gives it in versions that differ"]
    program = program_of(function, code)
    if program is None:
        return [f"is no Python source with a function {function.name}"]
    if not function.examples:
        return []
    report = await executed(function, program, function.examples)
    return [f"example: {r.message}" for r in report.results if not r.passed]
