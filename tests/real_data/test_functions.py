"""functions on HumanEval: what is right passes, and what must be wrong does not.

The folder named by ``HARNESS_REAL_DATA`` holds the slice; it is not part of the product.
"""

from __future__ import annotations

import ast
import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.blocks import block
from harness.suite import Grade
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from tasks.common.programs.function import Function
from tasks.functions import Functions
from topologies.single import Single

DATA = os.environ.get("HARNESS_REAL_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="HARNESS_REAL_DATA names no folder with the public data slices")
AT_ONCE = 2

_ANOTHER = "lambda value: (not value) if isinstance(value, bool) else [value]"
"""From a result to one that no test may take for it: the other truth value, or a list that holds it."""


def suite(**options: int) -> Functions:
    return Functions(path=str(Path(str(DATA)) / "humaneval" / "tasks.jsonl.gz"), **options)


class _Another(ast.NodeTransformer):
    """Every return of the outermost function gives another value; that of functions in it stays."""

    def __init__(self) -> None:
        self._depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._depth += 1
        if self._depth == 1:
            self.generic_visit(node)
        self._depth -= 1
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        made = ast.parse(f"({_ANOTHER})(0)", mode="eval").body
        assert isinstance(made, ast.Call)
        made.args = [node.value or ast.Constant(None)]
        return ast.Return(made)


def mutated(function: Function) -> str:
    """A solution that gives, wherever it gives a right result, one that is not equal to it."""
    tree = ast.parse(function.solution)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == function.name:
            node.body.append(ast.Return(ast.Constant(None)))  # what ends without a return gives None
            _Another().visit(node)
    return ast.unparse(ast.fix_missing_locations(tree))


async def _graded(functions: Functions, answer: Callable[[Function], str]) -> dict[str, Grade]:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(sample_id: str) -> Grade:
        (function,) = functions.problem(sample_id)
        async with places:
            return await functions.grade(functions.sample(sample_id), answer(function))

    ids = list(functions.sample_ids())
    return dict(zip(ids, await asyncio.gather(*map(one, ids)), strict=True))


def test_some_docstrings_show_examples() -> None:
    """The README's figure."""
    functions = suite()
    shown = [bool(function.examples) for i in functions.sample_ids() for function in functions.problem(i)]
    assert (sum(shown), len(shown)) == (33, 82)


def test_all_canonical_solutions_pass() -> None:
    """In turn as a whole file, and as the bare completion that the data set gives."""

    def answer(function: Function) -> str:
        whole = int(function.file.removesuffix(".py").rpartition("_")[2]) % 4 == 0
        completion = function.solution.removeprefix(function.prompt)
        return block(function.file, function.solution) if whole else completion

    found = asyncio.run(_graded(suite(), answer))
    assert len(found) == 82
    assert {i: g.detail for i, g in found.items() if g.score != 1} == {}


def test_all_mutated_solutions_fail() -> None:
    found = asyncio.run(_graded(suite(), lambda function: block(function.file, mutated(function))))
    assert len(found) == 82
    assert [i for i, g in found.items() if g.score != 0] == []
    assert all(g.detail["failed"] == 1 for g in found.values()), "each was executed, and a test noticed it"


def test_the_simulated_model_solves_some(tmp_path: Path) -> None:
    functions = suite(limit=4)
    found = records(cell(Single(), faultless(functions.oracle()), suite=functions))
    assert [r.run.score for r in found] == [1.0] * 4
    assert faults(found, tmp_path) == []
