"""The files that an answer gives, as programs that tests can be run on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tasks.common.files import code_in, files_in
from tasks.common.programs.function import Function
from tasks.common.programs.source import completed, defines, parsed


def given_in(functions: Sequence[Function], answer: str) -> Mapping[str, str]:
    """File → what the answer gives for it, whatever it is; a file that is not given, or in versions that differ, is not
    in it. Where one function is asked for, no name is needed: see ``_unnamed``."""
    found = files_in(answer)
    if len(functions) == 1 and functions[0].file not in found:
        code = _unnamed(functions[0], answer)
        return {} if code is None else {functions[0].file: code}
    return {f.file: found[f.file] for f in functions if f.file in found}


def program_of(function: Function, code: str) -> str | None:
    """The source of the function's file made of what was given for it; None if that is no Python that could hold the
    function, so that no test of it can pass."""
    if function.prompt:
        return completed(function.prompt, function.name, code)
    return code if parsed(code) is not None and function.name in code else None


def _unnamed(function: Function, answer: str) -> str | None:
    """The one fenced block that defines the function, whatever its name; or, for a function that may be completed, the
    one block that there is; or the whole text if it has no block. None if there are several that differ."""
    whole = code_in(answer, lambda _, code: defines(code, function.name))
    return code_in(answer, lambda _name, _code: True) if whole is None and function.prompt else whole
