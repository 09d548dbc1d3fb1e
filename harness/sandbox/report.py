"""What a run of tests found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class TestResult:
    """``message``: why it failed, at most 300 characters; empty if it passed."""

    __test__: ClassVar[bool] = False  # it is no test of pytest's

    name: str
    passed: bool
    message: str = ""


@dataclass(frozen=True, slots=True)
class TestReport:
    """One result a test, in the order of the source. ``fault``: what befell the whole run (a limit, an end of the
    program before its time, files that cannot be used), else None."""

    __test__: ClassVar[bool] = False

    results: tuple[TestResult, ...]
    fault: str | None = None

    @classmethod
    def failed(cls, names: Sequence[str], fault: str) -> TestReport:
        """Nothing was run."""
        return cls(tuple(TestResult(name, False, fault) for name in names), fault)

    @property
    def passed(self) -> bool:
        return all(r.passed for r in self.results)

    @property
    def share(self) -> float:
        """Passed tests over all tests, 0 to 1."""
        return sum(r.passed for r in self.results) / len(self.results)

    @property
    def failures(self) -> list[str]:
        """One sentence for each failed test, as ``Sample.visible`` gives them."""
        return [f"{r.name}: {r.message}" for r in self.results if not r.passed]
