"""The grader: the share of hidden tests that pass, all of which cross the seams between the files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.sandbox.limits import SandboxLimits
from harness.sandbox.report import TestReport
from harness.sandbox.runner import run_tests
from harness.suite import Grade
from tasks.common.entries import shown
from tasks.refactor.changes import Changes, changes_in
from tasks.refactor.project import Project

LIMITS = SandboxLimits(cpu_s=5)
"""A program that works takes milliseconds."""
MOST_SHOWN = 10

PASSED, FAILED, UNCHANGED = "passed", "failed", "unchanged"


async def grade(project: Project, answer: str) -> Grade:
    """Score an answer text. Never raises for anything that stands in it.

    A test counts only where the answer changes every file that the test crosses: each has a part in what is asked for,
    so a program in which one file does the others' work was not changed as asked. ``detail``: counts of ``passed``,
    ``failed`` and ``unchanged`` (one of its files is not changed) tests, an outcome for each test with the first words
    of its failure, the files ``changed``, ``broken`` (no Python), ``same`` (as before) and ``unknown``.
    """
    changes = changes_in(project, answer)
    ready = [test for test in project.tests if all(map(changes.changed, test.needs))]
    told: dict[str, tuple[bool, str]] = {}
    if ready:
        report = await _executed(project, changes, "\n\n".join(test.source for test in ready))
        told = {result.name: (result.passed, result.message) for result in report.results}
    tests: list[dict[str, Any]] = []
    for test in project.tests:
        passed, message = told.get(test.name, (False, ""))
        outcome = PASSED if passed else FAILED if test.name in told else UNCHANGED
        tests.append({"test": test.name, "outcome": outcome, "failure": shown(message) if message else None})
    counts = {outcome: sum(t["outcome"] == outcome for t in tests) for outcome in (PASSED, FAILED, UNCHANGED)}
    files = {
        "changed": [file for file in project.files if changes.changed(file)],
        "broken": _few(changes.broken),
        "same": _few(changes.same),
        "unknown": _few(changes.unknown),
    }
    return Grade(counts[PASSED] / len(tests), {**counts, **files, "tests": tests})


@dataclass(frozen=True)
class VisibleTests:
    """The visible tests of one sample (``harness.suite.Sample.visible``): every file is there, is Python and was
    changed, and what the statement says of each layer alone holds. None of them crosses a seam."""

    project: Project

    async def __call__(self, answer: str) -> Sequence[str]:
        """What fails, a sentence each, whatever the text."""
        changes = changes_in(self.project, answer)
        failures = []
        for file in self.project.files:
            if file not in changes.given:
                failures.append(f"{file}: the answer does not give this file, or gives it in versions that differ")
            elif file in changes.broken:
                failures.append(f"{file}: is no Python source")
            elif file in changes.same:
                failures.append(f"{file}: does what it did before")
        if changes.given:
            report = await _executed(self.project, changes, self.project.examples)
            failures += [f"{r.name.removeprefix('test_')}: {r.message}" for r in report.results if not r.passed]
        return failures


async def _executed(project: Project, changes: Changes, tests: str) -> TestReport:
    return await run_tests({**project.old, **changes.given}, tests, limits=LIMITS)


def _few(names: Sequence[str]) -> list[str | None]:
    return [shown(name) for name in names[:MOST_SHOWN]]
