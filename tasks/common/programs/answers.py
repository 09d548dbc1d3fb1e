"""The files that an answer gives, as programs that tests can be run on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tasks.common.files import code_in, files_in, versions_in
from tasks.common.programs.function import Function
from tasks.common.programs.source import completed, defines, parsed


def given_in(functions: Sequence[Function], answer: str) -> Mapping[str, str]:
    """File → what the answer gives for it, whatever it is; a file that is not given, or in versions that differ, is not
    in it. Where one function is asked for, no name is needed: see ``file_in``."""
    if len(functions) == 1:
        (function,) = functions
        code = file_in(answer, function.file, (function.name,), alone=bool(function.prompt))
        return {} if code is None else {function.file: code}
    found = files_in(answer)
    return {f.file: found[f.file] for f in functions if f.file in found}


def file_in(answer: str, file: str, names: Collection[str], *, alone: bool) -> str | None:
    """The content of the one file that is asked for: under its name; or, where the answer does not name it, the one
    fenced block that defines all of ``names``, whatever its own name; or, if such a block may stand ``alone``, the one
    block that there is; or the whole text if it has no block. None if there is none or there are several that
    differ."""
    versions = versions_in(answer).get(file)
    if versions is not None:
        return versions.pop() if len(versions) == 1 else None
    whole = code_in(answer, lambda _, code: defines(code, *names)) if names else None
    return code_in(answer, lambda _name, _code: True) if whole is None and alone else whole


def program_of(function: Function, code: str) -> str | None:
    """The source of the function's file made of what was given for it; None if that is no Python that could hold the
    function, so that no test of it can pass."""
    if function.prompt:
        return completed(function.prompt, function.name, code)
    return code if parsed(code) is not None and function.name in code else None
