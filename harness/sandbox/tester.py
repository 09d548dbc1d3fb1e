"""The process that runs the tests. It alone holds the pipe on which verdicts go to the harness.

It is confined like the program, with other bounds: its tests may come from a file that somebody downloaded.
"""

from __future__ import annotations

import json
import os
import sys

from harness.sandbox.codec import CodecError, line, parse
from harness.sandbox.entrance import enter
from harness.sandbox.proxy import Program, ProgramError, ProgramGone, raises

TYPE_CHECKING = False  # typing itself would take a tenth of a process's start
if TYPE_CHECKING:
    from typing import Any


CUT = 300
"""Characters kept of a message."""
Sources = dict[str, list[str]]


def main() -> None:
    """``python -c … ORDER``: the job (JSON) comes on descriptor 0, verdicts go to 1, a line each."""
    with os.fdopen(os.dup(0), "rb") as stdin:
        job = json.loads(stdin.read())
    verdicts = os.dup(1)
    enter(verdicts, (job["requests"], job["replies"]))
    program = Program(job["requests"], job["replies"], job["most"])
    try:
        first = parse(program.line())
    except (CodecError, ProgramGone) as fault:
        first = {"missing": f"the program's process did not start ({fault})"}
    if "locked" not in first:
        os.write(verdicts, line(first))
        return
    sources = {"<given>": job["given"].splitlines(), "<tests>": job["tests"].splitlines()}
    module = type(sys)("tests")
    sys.modules["tests"] = module
    names = module.__dict__
    names.update(ProgramError=ProgramError, raises=raises)
    try:
        exec(compile(job["given"], "<given>", "exec"), names)
        exec(compile(job["tests"], "<tests>", "exec"), names)
    except BaseException as fault:
        os.write(verdicts, line({"broken": _message(fault, sources)}))
        return
    for name in job["names"]:
        os.write(verdicts, line({"test": name, **_verdict(names.get(name), program, sources)}))
    os.write(verdicts, line({"gone": program.gone}))
    os._exit(0)  # tidying up would take as long as the tests


def _verdict(test: Any, program: Program, sources: Sources) -> dict[str, Any]:
    try:
        test(program)
        if program.gone is not None:  # the test let it pass
            raise ProgramGone(program.gone)
    except BaseException as fault:
        return {"passed": False, "message": _message(fault, sources)}
    return {"passed": True, "message": ""}


def _message(fault: BaseException, sources: Sources) -> str:
    try:
        text = str(fault)[: CUT * 4]
    except BaseException:
        text = "(its text cannot be had)"
    if isinstance(fault, ProgramGone):
        return text[:CUT]
    if not isinstance(fault, AssertionError):
        text = f"{type(fault).__name__}: {text}" if text else type(fault).__name__
    return (text or f"fails: {_where(fault, sources)}")[:CUT]


def _where(fault: BaseException, sources: Sources) -> str:
    """The line of the tests that raised it."""
    found, trace = "an assertion", fault.__traceback__
    while trace is not None:
        lines = sources.get(trace.tb_frame.f_code.co_filename, [])
        if 0 < trace.tb_lineno <= len(lines):
            found = lines[trace.tb_lineno - 1].strip()
        trace = trace.tb_next
    return found
