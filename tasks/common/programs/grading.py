"""The grader: the share of functions whose hidden tests all pass."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from harness.suite import Grade
from tasks.common.entries import shown
from tasks.common.programs.answers import given_in, program_of
from tasks.common.programs.execution import executed
from tasks.common.programs.function import Function

PASSED, FAILED, NO_PROGRAM, MISSING = "passed", "failed", "no_program", "missing"


async def grade(functions: Sequence[Function], answer: str) -> Grade:
    """Score an answer text. Never raises for anything that stands in it.

    ``detail``: counts of ``passed``, ``failed`` (a test failed), ``no_program`` (what was given is no Python, or has no
    such function) and ``missing`` (no such file, or in versions that differ), and for each file its outcome, how many
    of its tests passed, and the first failure.
    """
    given = given_in(functions, answer)
    files = await asyncio.gather(*(_outcome(function, given.get(function.file)) for function in functions))
    counts = {outcome: sum(f["outcome"] == outcome for f in files) for outcome in (PASSED, FAILED, NO_PROGRAM, MISSING)}
    return Grade(counts[PASSED] / len(functions), {**counts, "files": files})


async def _outcome(function: Function, code: str | None) -> dict[str, Any]:
    program = None if code is None else program_of(function, code)
    if program is None:
        return {"file": function.file, "outcome": MISSING if code is None else NO_PROGRAM}
    report = await executed(function, program, function.tests)
    return {
        "file": function.file,
        "outcome": PASSED if report.passed else FAILED,
        "tests_passed": sum(r.passed for r in report.results),
        "tests": len(report.results),
        "failure": shown(next((r.message for r in report.results if not r.passed), None)),
    }
