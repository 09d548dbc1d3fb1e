"""``python``: the answer is a module that passes the target, which is test code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.blocks import block
from harness.errors import CorpusError
from harness.models.oracle import Entry
from harness.sandbox.process import require
from harness.sandbox.runner import run_tests
from harness.sandbox.source import names_of_tests
from harness.suite import Grade
from tasks.common.entries import shown
from tasks.common.files import NAMING, TELLING, code_in, versions_in
from tasks.common.jsonlines import Row
from tasks.common.programs.answers import file_in
from tasks.common.programs.source import MAX_CHARS, parsed
from tasks.jsonl.graders.grader import MISSING, RIGHT, WRONG, Grader
from tasks.jsonl.task import FILE, Task

MOST_FAILURES = 10
_MODULE = FILE.removesuffix(".py")


class Python(Grader):
    """Tests are top-level functions ``def test_…(program)`` that call ``program["solution"].function(…)``; they run in
    the sandbox of ``harness.sandbox``. The score is 1 if all pass, else 0. An answer gives ``solution.py``, and other
    modules if it likes, as fenced blocks under their names; the one block that defines what the tests use, a fenced
    block alone, or nothing but code, will do: see ``modules_in``."""

    name = "python"
    uses = frozenset({"solution"})

    def faults(self, row: Row) -> Iterator[str]:
        odd = [f for f in ("target", "solution") if f in row and not (isinstance(row[f], str) and row[f].strip())]
        yield from (f"'{field}' must be a text, Python source" for field in odd)
        if "target" not in row:
            yield "'target' is missing"
        if "target" in odd or "target" not in row:
            return
        try:
            names_of_tests(row["target"])
        except CorpusError as fault:
            yield f"'target': {fault}"

    def ready(self) -> None:
        require()

    def targets(self, row: Row) -> tuple[str, ...]:
        return (row["target"],)

    def head(self, task: Task) -> str:
        return f"{task.label}, {FILE}"

    def wanted(self, task: Task) -> str:
        return f"a module {FILE}"

    def criterion(self, task: Task) -> str:
        return f"Right is {self.wanted(task)} that passes these tests:\n{task.targets[0]}"

    def form(self, task: Task) -> str:
        return "One fenced code block for each file, under the name of the file, and nothing else."

    def output_schema(self, task: Task) -> Mapping[str, Any] | None:
        return None

    def entry(self, task: Task, answer: Any) -> Entry:
        return {NAMING: FILE, TELLING: answer}

    def written(self, task: Task, answer: Any) -> str:
        return block(FILE, str(answer))

    async def grade(self, task: Task, answer: str) -> Grade:
        """``detail``: the outcome, how many tests passed, and what the others said. Raises CorpusError for tests that
        cannot run whatever the answer, and SandboxError where code cannot be confined."""
        files = modules_in(answer, task.targets[0])
        if FILE not in files:
            return Grade(0.0, {"outcome": MISSING, "passed": 0, "tests": len(names_of_tests(task.targets[0]))})
        report = await run_tests(files, task.targets[0])
        detail = {
            "outcome": RIGHT if report.passed else WRONG,
            "passed": sum(result.passed for result in report.results),
            "tests": len(report.results),
            "failures": [shown(failure) for failure in report.failures[:MOST_FAILURES]],
            "fault": shown(report.fault),
        }
        return Grade(float(report.passed), detail)

    def visible(self, task: Task, answer: str) -> Sequence[str]:
        source = modules_in(answer, task.targets[0]).get(FILE)
        if source is None:
            return [f"there is no file {FILE}, or it comes in versions that differ"]
        return [] if _is_code(source) else [f"{FILE} does not parse, or has more than {MAX_CHARS:,} characters"]

    def right(self, task: Task) -> Any:
        return task.solution

    def wrong(self, task: Task, nearby: Sequence[Any]) -> Sequence[Any]:
        """Those declared, and two that do nothing; what other lines ask for is no answer to this one either."""
        return [*task.wrong, *nearby, "raise NotImplementedError", "pass"]

    def accepts(self, task: Task, value: Any) -> bool:
        """Not to be told without running it."""
        return False


def modules_in(answer: str, tests: str) -> dict[str, str]:
    """The Python files that an answer gives, by name. If it does not name ``solution.py``, this is the one block that
    defines what the tests use of it; or the one block without a name; or the whole text if that is code."""
    versions = versions_in(answer)
    found = {n: next(iter(texts)) for n, texts in versions.items() if n.endswith(".py") and len(texts) == 1}
    if FILE in versions:
        return found
    code = file_in(answer, FILE, _used(tests), alone=False)
    if code is None:
        code = code_in(answer, lambda name, _: name is None)
    return found if code is None or (code == answer and not _is_code(code)) else {**found, FILE: code}


def _used(tests: str) -> frozenset[str]:
    """The names that tests take: ``program["solution"].name``, ``program.value("solution", "name")``."""
    tree, found = parsed(tests), set()
    for node in () if tree is None else ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Subscript(value=ast.Name("program"), slice=ast.Constant(module)), attr=name):
                found |= {name} if module == _MODULE else set()
            case ast.Call(
                func=ast.Attribute(value=ast.Name("program"), attr="value"),
                args=[ast.Constant(module), ast.Constant(str(name))],
            ):
                found |= {name} if module == _MODULE else set()
    return frozenset(found)


def _is_code(source: str) -> bool:
    tree = parsed(source)
    return tree is not None and bool(tree.body)
