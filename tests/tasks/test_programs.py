"""Functions as answers: the pool, how answers are read, how they are graded. Most needs no sandbox."""

from __future__ import annotations

import ast
import asyncio
import json
import sys
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.blocks import block
from harness.models.simulated.prompt.findings import example_in
from harness.suite import Grade
from tasks.common.programs.answers import given_in, program_of
from tasks.common.programs.cases import tests_of as source_of
from tasks.common.programs.execution import executed
from tasks.common.programs.function import Function
from tasks.common.programs.grading import grade
from tasks.common.programs.own import function_of
from tasks.common.programs.pool import LARGER, SMALL, Material
from tasks.common.programs.source import completed, defines, parsed, preamble
from tasks.common.programs.statement import statement
from tasks.common.programs.visible import VisibleTests

POOL = {m.name: m for m in (*SMALL, *LARGER)}


def own(*names: str) -> list[Function]:
    return [function_of(POOL[name]) for name in names]


def graded(functions: list[Function], answer: str) -> Grade:
    return asyncio.run(grade(functions, answer))


def complaints(function: Function, answer: str) -> list[str]:
    return list(asyncio.run(_visible(function, answer)))


async def _visible(function: Function, answer: str) -> list[str]:
    return list(await VisibleTests((function,))(answer))


# -- the pool ------------------------------------------------------------------------------------------------------


def failures(material: Material, source: str, tests: str) -> list[str]:
    """Run tests on our own source in this process: what fails."""
    module: dict[str, Any] = {}
    exec(source, module)
    names: dict[str, Any] = {}
    exec(tests, names)
    program: Mapping[str, Any] = {material.name: SimpleNamespace(**module)}
    return [name for name, test in names.items() if name.startswith("test_") and not _passes(test, program)]


def _passes(test: Any, program: Mapping[str, Any]) -> bool:
    try:
        test(program)
    except AssertionError:
        return False
    return True


def test_the_pool_is_as_large_as_promised_and_names_are_told_apart() -> None:
    assert len(SMALL) >= 24 and len(POOL) == len(SMALL) + len(LARGER) >= 40
    assert not set(POOL) & set(sys.stdlib_module_names)


@pytest.mark.parametrize("name", POOL)
def test_a_function_of_the_pool_is_sound(name: str) -> None:
    material, (function,) = POOL[name], own(name)
    assert 1 <= len(material.examples) <= 2 and len(material.cases) >= 5
    assert failures(material, material.solution, function.tests) == []
    assert failures(material, material.solution, function.examples) == []
    assert ast.get_docstring(ast.parse(material.solution)) is None
    assert 2 <= len(set(material.wrong)) == len(material.wrong) <= 4
    for (old, _), wrong in zip(material.slips, material.wrong, strict=True):
        assert material.solution.count(old) == 1, old
        assert failures(material, wrong, function.tests), f"the hidden tests do not notice {old!r} changed"
    assert "\n" not in function.line and function.line.startswith(f"{name}.py: def {name}(")
    form = '[{"file": "the name of the file", "content": "its whole source"}]'
    assert example_in(statement([function])) == form, "a lead hands this form on"


def test_most_slips_pass_the_examples_or_fail_only_some_tests() -> None:
    """They are plausible: nobody sees at once that they are wrong."""
    slips = [(m, w) for m in POOL.values() for w in m.wrong]
    hidden = sum(not failures(m, w, function_of(m).examples) for m, w in slips)
    assert hidden > len(slips) / 3


def test_a_case_that_fails_says_which_call_and_what_it_gave() -> None:
    tests = source_of("m", "f", [("f(1)", "2"), ("f(0)", "5")], ["f(-1)", "f(7)", "f(0)"])
    names: dict[str, Any] = {}
    exec(tests, names)

    def f(x: int) -> int:
        if x < 0:
            raise ValueError
        return 10 // x

    def said(number: int) -> str:
        try:
            names[f"test_{number}"]({"m": SimpleNamespace(f=f)})
        except AssertionError as fault:
            return str(fault)
        return ""

    assert said(1) == "f(1) gave 10, not 2"
    assert said(2).startswith("f(0) raised ZeroDivisionError: ")
    assert said(3) == ""
    assert said(4) == "f(7) gave 1, but must raise ValueError"
    assert said(5).startswith("f(0) raised ZeroDivisionError, not ValueError: ")
    assert source_of("m", "f", []) == "", "no cases, no tests"


# -- how answers are read ------------------------------------------------------------------------------------------

ROTATE = POOL["rotate"].solution.rstrip("\n")
JSON = '[{"file": "rotate.py", "content": "def rotate(a, b): ..."}]'


@pytest.mark.parametrize(
    "answer",
    [
        block("rotate.py", ROTATE),
        f"Here it is:\n```python\n{ROTATE}\n```\nThat is all.",
        f"```python\n{ROTATE}\n```\nUse it so:\n```python\nprint(rotate([1], 2))\n```",
        f"solution.py\n```\n{ROTATE}\n```",
        f"**./rotate.py**\n```\n{ROTATE}\n```\n```\nrotated = rotate([1], 2)\n```",
        f"```\n{ROTATE}\n```\nand again\n```py\n{ROTATE}\n```",
        ROTATE,
    ],
)
def test_one_function_may_come_in_any_usual_form(answer: str) -> None:
    assert dict(given_in(own("rotate"), answer)) == {"rotate.py": ROTATE}


@pytest.mark.parametrize(
    "answer",
    [
        f"```\n{ROTATE}\n```\nor\n```\n{ROTATE} + []\n```",
        "```\nx = 1\n```",
        "```\nx = 1\n```\n```\ny = 1\n```",
        f"{block('rotate.py', ROTATE)}\n{JSON}",
        block("rotate.py", "x = 1") + "\n" + json.dumps([{"file": "./rotate.py", "content": ROTATE}]),
        f"{block('rotate.py', ROTATE)}\n{block('./rotate.py', 'def rotate(a, b): return a')}",
        f"{block('rotate.py', ROTATE)}\n```python ././rotate.py\ndef rotate(a, b): return a\n```",
        f"{block('rotate.py', ROTATE)}\n{block('rotate.py', 'def rotate(a, b): return a')}",
    ],
)
def test_versions_that_differ_and_blocks_without_the_function_give_nothing(answer: str) -> None:
    assert dict(given_in(own("rotate"), answer)) == {}


@pytest.mark.parametrize(
    "code",
    [
        "rotate = lambda a, b: a",
        "def _mine(a, b): ...\nrotate = _mine",
        "try:\n    x = 1\nfinally:\n    def rotate(): ...",
    ],
)
def test_a_function_may_be_bound_by_assignment(code: str) -> None:
    assert dict(given_in(own("rotate"), f"```\n{code}\n```\n```\nprint(rotate([1], 2))\n```")) == {"rotate.py": code}
    source = completed("K = 2\n\n\ndef rotate(a, b):\n", "rotate", code)
    assert source is not None and source.startswith("K = 2\n") and source.endswith(code)
    assert "def rotate(a" not in source, "not taken for the function's body"


def test_a_body_that_uses_the_function_s_name_is_a_body_still() -> None:
    assert completed("def area(r):\n", "area", "area = 3 * r\nreturn area") == (
        "def area(r):\n    area = 3 * r\n    return area\n"
    )
    assert not defines("from m import f", "f") and not defines("[f for f in x]", "f") and defines("f: int = 3", "f")


def test_several_functions_need_their_names() -> None:
    functions = own("rotate", "flatten")
    assert dict(given_in(functions, f"```\n{ROTATE}\n```")) == {}
    both = f"{block('rotate.py', ROTATE)}\n{block('other.py', 'x')}\n{JSON.replace('rotate', 'flatten')}"
    assert dict(given_in(functions, both)) == {"rotate.py": ROTATE, "flatten.py": "def flatten(a, b): ..."}
    assert dict(given_in(own("rotate"), JSON)) == {"rotate.py": "def rotate(a, b): ..."}


PROMPT = 'from math import pi\n\n\ndef helper(x):\n    return x\n\n\n@staticmethod\ndef area(r):\n    """Area."""\n'
ROUND = "r = helper(r)\nif r < 0:\n    return 0\nreturn pi * r * r"
INDENTED = "".join(f"    {line}\n" for line in ROUND.split("\n"))


@pytest.mark.parametrize(
    "code",
    [
        INDENTED,
        INDENTED.rstrip("\n"),
        f"\n{INDENTED}\n\n",
        INDENTED.removeprefix("    "),
        ROUND,
        f"def area(r):\n{INDENTED}",
        f'def area(r):\n    """Mine."""\n{INDENTED}',
        PROMPT.replace("@staticmethod\n", "") + INDENTED,
        f"{INDENTED}\n\ndef unused():\n    pass\n",
    ],
)
@pytest.mark.parametrize("prompt", [PROMPT, PROMPT.rstrip("\n")])
def test_a_prompt_is_completed_by_a_whole_function_or_by_its_body(prompt: str, code: str) -> None:
    source = completed(prompt.replace("@staticmethod\n", ""), "area", code)
    assert source is not None
    module: dict[str, Any] = {}
    exec(source, module)
    assert [module["area"](r) for r in (-1, 0, 2)] == [0, 0, 4 * module["pi"]]


@pytest.mark.parametrize("code", ["", "\n", "return (", "    '''only words", "hello there"])
def test_what_makes_no_function_of_a_prompt_is_no_program(code: str) -> None:
    assert completed(PROMPT, "area", code) is None


def test_what_stands_before_the_function_of_a_prompt_is_kept_for_it() -> None:
    assert preamble(PROMPT, "area") == PROMPT[: PROMPT.index("@")]
    assert preamble("def f():\n", "f") == "" and preamble("no python", "f") == ""
    future = "from __future__ import annotations\n\n\ndef area(r: Unknown):\n    return r"
    assert completed(PROMPT, "area", future) == future


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=80))
@example("(" * 5000)
@example("-" * 20_000 + "1")
@example("a" + ".b" * 60_000)
@example("x" * 300_000)
@example("\0")
@example("\ud800")
@example("'\\d'")
def test_any_text_can_be_looked_at(text: str) -> None:
    parsed(text)
    program_of(own("rotate")[0], text)
    completed(PROMPT, "area", text)


# -- how they are graded -------------------------------------------------------------------------------------------


def test_each_file_is_graded_by_itself() -> None:
    functions = own("rotate", "flatten", "transpose", "interleave", "clamp_all", "leap_years")
    answer = "\n".join(
        [
            block("rotate.py", ROTATE),
            block("flatten.py", POOL["flatten"].wrong[1]),
            block("transpose.py", "def transpose(rows:"),
            block("interleave.py", "import os\nos._exit(0)\ndef interleave(first, second): ..."),
            block("clamp_all.py", "limit = clamp = 3"),
        ]
    )
    found = graded(functions, answer)
    assert found.score == 1 / 6
    files = {f["file"]: f for f in found.detail["files"]}
    assert [f["outcome"] for f in files.values()] == [
        "passed",
        "failed",
        "no_program",
        "failed",
        "no_program",
        "missing",
    ]
    assert {k: found.detail[k] for k in ("passed", "failed", "no_program", "missing")} == {
        "passed": 1,
        "failed": 2,
        "no_program": 2,
        "missing": 1,
    }
    flat = files["flatten.py"]
    assert 0 < flat["tests_passed"] < flat["tests"] == 7
    assert flat["failure"] == "flatten([1, [2, [3]], 4]) gave [1, 2, [3], 4], not [1, 2, 3, 4]"
    assert files["interleave.py"]["tests_passed"] == 0, "ending early passes nothing"


def test_a_slip_that_the_examples_do_not_show_is_seen_by_the_hidden_tests_only() -> None:
    (function,) = own("run_lengths")
    slip, plain = (block(function.file, wrong) for wrong in function.wrong)
    assert complaints(function, slip) == [] and graded([function], slip).score == 0
    assert complaints(function, plain) == [
        "run_lengths.py: example: run_lengths('aab') gave [('a', 1), ('b', 0)], not [('a', 2), ('b', 1)]"
    ]
    assert complaints(function, block(function.file, function.solution)) == []
    assert complaints(function, "sorry") == ["run_lengths.py: is no Python source with a function run_lengths"]
    assert complaints(function, block("x.py", "y")) == [
        "run_lengths.py: the answer does not give this file, or gives it in versions that differ"
    ]


def test_the_same_tests_on_the_same_program_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And only where nothing befell the run, which might have to do with the machine."""
    runs: list[str] = []

    async def counted(files: Mapping[str, str], tests: str, **_: Any) -> Any:
        runs.append(next(iter(files.values())))
        return SimpleNamespace(fault="killed" if "slow" in runs[-1] else None)

    monkeypatch.setattr("tasks.common.programs.execution.run_tests", counted)
    (function,) = own("rotate")

    async def thrice(program: str) -> None:
        for _ in range(3):
            await executed(function, program, "tests")
        await executed(function, program, "other tests")

    asyncio.run(thrice("# a program that no other test has"))
    asyncio.run(thrice("# a slow one"))
    assert len(runs) == 2 + 4
