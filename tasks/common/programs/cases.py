"""Tests written from cases: a call and what it gives."""

from __future__ import annotations

from collections.abc import Iterable

from tasks.common.programs.pool.material import Case

_HELPERS = """\
def gives(call, shown, wanted, expected):
    try:
        got = call()
    except Exception as fault:
        raise AssertionError(f"{shown} raised {type(fault).__name__}: {fault!s:.100}") from None
    assert got == wanted, f"{shown} gave {got!r:.100}, not {expected}"


def refuses(call, shown):
    try:
        got = call()
    except ValueError:
        return
    except Exception as fault:
        raise AssertionError(f"{shown} raised {type(fault).__name__}, not ValueError: {fault!s:.100}") from None
    raise AssertionError(f"{shown} gave {got!r:.100}, but must raise ValueError")
"""
_TEST = """

def test_{number}(program):
    {name} = program[{module!r}].{name}
    {check}(
        lambda: (
            {call}
        ),
        {call!r},{rest}
    )
"""


def tests_of(module: str, name: str, cases: Iterable[Case], refused: Iterable[str] = ()) -> str:
    """Source with a test for each case and for each call that must raise ValueError, in this order; empty if there are
    none. Values are compared by ``==``."""
    checks = [("gives", call, f" ({wanted}), {wanted!r}") for call, wanted in cases]
    checks += [("refuses", call, "") for call in refused]
    tests = (
        _TEST.format(number=number, module=module, name=name, check=check, call=call, rest=rest)
        for number, (check, call, rest) in enumerate(checks, 1)
    )
    return _HELPERS + "".join(tests) if checks else ""
