"""Tests written from cases: a call and what it gives."""

from __future__ import annotations

from collections.abc import Iterable

from tasks.common.programs.pool.material import Case

_GIVES = """
def test_{number}(program):
    {name} = program[{module!r}].{name}
    got = {call}
    assert got == ({wanted}), {call!r} + " gave " + repr(got)[:100] + ", not " + {wanted!r}
"""
_REFUSES = """
def test_{number}(program):
    {name} = program[{module!r}].{name}
    try:
        got = {call}
    except ValueError:
        return
    raise AssertionError({call!r} + " gave " + repr(got)[:100] + ", but must raise ValueError")
"""


def tests_of(module: str, name: str, cases: Iterable[Case], refused: Iterable[str] = ()) -> str:
    """A test for each case and for each call that must raise ValueError, in this order. Values are compared by
    ``==``."""
    forms = [(_GIVES, call, wanted) for call, wanted in cases] + [(_REFUSES, call, "") for call in refused]
    return "".join(
        form.format(number=number, module=module, name=name, call=call, wanted=wanted)
        for number, (form, call, wanted) in enumerate(forms, 1)
    )
