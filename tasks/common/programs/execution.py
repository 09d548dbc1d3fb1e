"""Running tests on answers, each (answer, tests) once."""

from __future__ import annotations

from collections import OrderedDict

from harness.sandbox.limits import SandboxLimits
from harness.sandbox.report import TestReport
from harness.sandbox.runner import run_tests
from tasks.common.hashing import digest
from tasks.common.programs.function import Function

LIMITS = SandboxLimits(cpu_s=5)
"""A solution takes milliseconds."""
KEPT = 512
_REPORTS: OrderedDict[str, TestReport] = OrderedDict()
"""A run depends on its sources alone, and every topology of a sweep brings the same few to the same tests. Only runs
that nothing befell are kept: a limit of time may have to do with the machine."""


async def executed(function: Function, program: str, tests: str) -> TestReport:
    """The report of a function's tests (its hidden ones or its examples) on a program, each function in a sandbox of
    its own, so that no function's program can touch another's."""
    key = digest(function.file, program, tests, function.given)
    report = _REPORTS.get(key)
    if report is None:
        report = await run_tests({function.file: program}, tests, given=function.given, limits=LIMITS)
        if report.fault is None:
            _REPORTS[key] = report
    if key in _REPORTS:
        _REPORTS.move_to_end(key)
    while len(_REPORTS) > KEPT:
        _REPORTS.popitem(last=False)
    return report
