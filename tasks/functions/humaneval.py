"""Functions from a file in HumanEval's format (Chen et al. 2021, "Evaluating Large Language Models Trained on Code").

One JSON object a line with the texts ``task_id``, ``prompt`` (the beginning of a file, up to the docstring of the
function), ``entry_point`` (its name), ``canonical_solution`` (the body that follows) and ``test`` (source with a
function ``check(candidate)``); other fields are passed over.
"""

from __future__ import annotations

import ast
import doctest
import json
import re
import sys

from harness.errors import CorpusError
from harness.sandbox.source import names_of_tests
from tasks.common.jsonlines import JsonLines, Row
from tasks.common.programs.cases import tests_of
from tasks.common.programs.function import Function
from tasks.common.programs.pool.material import Case
from tasks.common.programs.source import completed, defines, head, preamble
from tasks.functions.mutations import mutations

FIELDS = ("task_id", "prompt", "entry_point", "canonical_solution", "test")
_HINT = "{" + ", ".join(f'"{field}": "…"' for field in FIELDS) + "}"


def load(path: str) -> tuple[str, list[Function]]:
    """A file's name for sample ids, and all of its functions. Raises CorpusError that lists everything wrong, by file,
    line and field."""
    lines = JsonLines(path)
    functions: dict[str, Function] = {}

    def check(_: int, row: Row) -> list[str]:
        faults = _faults(row)
        if not faults:
            function = _function(row)
            if function.file in functions:
                faults.append(f"'task_id' {row['task_id']} makes the file name {function.file} for the second time")
            functions.setdefault(function.file, function)
        return faults

    lines.read(check, _HINT)
    return lines.name, list(functions.values())


def _faults(row: Row) -> list[str]:
    """What is wrong with a line, by field."""
    faults = [f"'{f}' must be a text that is not empty" for f in FIELDS if not _is_text(row.get(f))]
    if faults:
        return faults
    prompt, name = row["prompt"], row["entry_point"]
    if head(prompt, name) is None:
        return [f"'prompt' must be Python up to the head and docstring of {name}, the 'entry_point'"]
    if completed(prompt, name, row["canonical_solution"]) is None:
        faults.append("'canonical_solution' must complete the 'prompt' to Python")
    if not defines(row["test"], "check"):
        faults.append("'test' must be Python with a function check(candidate)")
    else:
        try:
            names_of_tests(_tests(row, "module"))
        except CorpusError as fault:
            faults.append(f"'test': {fault}")
    return faults


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _function(row: Row) -> Function:
    prompt, name = row["prompt"], row["entry_point"]
    module = _module(row["task_id"])
    solution = completed(prompt, name, row["canonical_solution"]) or ""
    return Function(
        name=name,
        file=f"{module}.py",
        asked=f"the function {name}; the file begins with the source in this JSON string and is to be completed: "
        f"{json.dumps(prompt, ensure_ascii=False)}",
        solution=solution,
        wrong=mutations(solution, name),
        tests=_tests(row, module),
        examples=tests_of(module, name, _examples(prompt, name)),
        given=preamble(prompt, name),
        prompt=prompt,
    )


def _module(task_id: str) -> str:
    """A module's name that no module of the standard library has: ``HumanEval/7`` becomes ``HumanEval_7``."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", task_id).strip("_")
    return f"task_{name}" if not name or name in sys.stdlib_module_names else name


def _tests(row: Row, module: str) -> str:
    return f"{row['test']}\n\n\ndef test_check(program):\n    check(program[{module!r}].{row['entry_point']})\n"


def _examples(prompt: str, name: str) -> list[Case]:
    """The examples that the docstring shows as doctest does, where what they give is a literal."""
    made = head(prompt, name)
    docstring = None if made is None else ast.get_docstring(made)
    try:
        shown = doctest.DocTestParser().get_examples(docstring or "")
    except ValueError:
        return []
    return [(e.source.strip(), e.want.strip()) for e in shown if _is_case(e)]


def _is_case(example: doctest.Example) -> bool:
    """Whether what is shown is the value of one expression, and not what it prints."""
    source = example.source.strip()
    try:
        tree = ast.parse(source, mode="eval")
        ast.literal_eval(example.want.strip())
    except (SyntaxError, ValueError):
        return False
    return "\n" not in source and not any(isinstance(n, ast.Name) and n.id == "print" for n in ast.walk(tree))
