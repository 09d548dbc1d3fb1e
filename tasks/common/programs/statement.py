"""What a solver reads first: the brief and the statement."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.common.files import NAMING, TELLING
from tasks.common.programs.function import Function

BRIEF = """\
You write Python functions to their specifications.
Every line of the task begins with the name of a file and says everything about the function in it. The file holds \
this function under exactly this name at its top level, with whatever imports and helpers it needs; no file imports \
another.
Use Python 3.11 and its standard library. Functions return what they are asked for and print nothing. They do not \
change their arguments unless that is asked for.
Every file is tested on its own: hidden tests call its function, also at the edges of the specification (nothing, one, \
equal ones, negative ones, the last one), and all of them must pass."""


def statement(functions: Sequence[Function]) -> str:
    """The first user message: the job, the files one a line, the form of the answer."""
    one = len(functions) == 1
    job = "this Python file" if one else f"these {len(functions)} Python files, which do not depend on each other"
    lines = "\n".join(function.line for function in functions)
    return f"""\
Write {job}.

Files:
{lines}

Output format:
One fenced block for each file, its name alone on the line before it, and no other text. Where a file has to be handed \
on as JSON instead: [{{"{NAMING}": "the name of the file", "{TELLING}": "its whole source"}}]"""
