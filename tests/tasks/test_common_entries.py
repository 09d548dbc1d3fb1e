"""Entries in answers: the same whether or not brackets that cannot help are skipped, and in time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from harness.models.simulated.prompt import findings
from harness.values import DEEP, Values
from tasks.common.entries import MAX_STARTS, entries_in


def tried(text: str, start: int) -> tuple[Any, int] | None:
    """The value at a place, read by itself."""
    try:
        return json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None


def plainly(text: str) -> list[Any]:
    """Every object of every array, each bracket tried by itself."""
    found, at = [], 0
    for _ in range(MAX_STARTS):
        at = text.find("[", at)
        if at < 0:
            break
        value = tried(text, at)
        if value is not None:
            found += [entry for entry in value[0] if isinstance(entry, dict)]
        at = at + 1 if value is None else value[1]
    return found


LONG = "1" * 5000
PIECES = st.sampled_from(
    [*'[]{}",:\\ \n1-', "[[", "]]", '{"a":', '"a"', "[1]", '[{"b": "]"}]', '"\\""', '"\\x', LONG, f"0.{LONG}", "1e5",
     "null", "nul", "\x00", '[{"question": "q", "answer": [1, {"c": 2}]},', "```"]
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.integers(-9, 9) | st.text(alphabet='[]{}",:\\ a', max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(alphabet='[{"a', max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)
CUT = st.tuples(JSON.map(json.dumps), st.integers(0, 60), st.integers(0, 60)).map(lambda t: t[0][t[1] :] + t[0][: t[2]])


@settings(max_examples=300, deadline=None)
@given(
    st.lists(PIECES, max_size=12).map("".join) | st.lists(JSON.map(json.dumps) | CUT | PIECES, max_size=4).map("".join)
)
@example('[{"a": 1}')
@example('["[{", {"a": 1}], [[{"b": 2}]')
@example('[[{"a": 1}], [{"b": "\\x"}')
@example(f'[[{{"a": 1}}], [0.{LONG}, [{{"b": 2}}], [{LONG}, [{{"c": 3}}]')
@example(f'[-{LONG}, [{{"c": 3}}]]')
@example(f'[[{LONG}.5, {{"a": 1}}], {LONG}]')
@example('["[\n{"a": 1}]')
def test_skipping_what_cannot_be_read_changes_nothing(text: str) -> None:
    assert repr(list(entries_in(text))) == repr(plainly(text))
    values = Values(text)
    starts = [at for at, sign in enumerate(text) if sign in "[{"]
    assert [repr(values.at(at)) for at in starts] == [repr(tried(text, at)) for at in starts]


@pytest.mark.parametrize("deep", ["[", '[{"a":', "[[1],"])
def test_what_is_nested_too_deep_hides_nothing_that_follows(deep: str) -> None:
    good = '[{"b": 1}]'
    assert list(entries_in(deep * 30 + good)) == [{"b": 1}]
    text = good + deep * 100_000
    assert list(entries_in(text)) == [{"b": 1}]
    assert Values(text).at(len(good)) is None


COSTLY = {
    "brackets": "[" * 200_000,
    "objects": '[{"a":' * 100_000,
    "closed": "[[1]," * 100_000,
    "a_list_cut": '[{"a": "b", "c": ["d"]},' * 40_000,
    "a_number": '[{"a": "b"},' * 20_000 + LONG,
    "a_list_in_lists": "[" * 400 + '"y",' * 20_000,
    "a_long_number_in_lists": "[" * 400 + "1," * 20_000 + LONG + "]" * 400,
    "closed_and_deep": ("[" * 1200 + "]" * 1200 + ",") * 50,
    "fields_with_a_list": '{"a":' * 400 + "[" + '"y",' * 20_000,
    "fields": '{"a": "b", "c":' * 100_000,
    "texts": '["[", "[' * 50_000,
}


class Counting:
    """A decoder that counts the characters it reads, and how often it meets something nested too deep."""

    def __init__(self) -> None:
        self.read = self.too_deep = 0

    def raw_decode(self, text: str, start: int) -> tuple[Any, int]:
        try:
            value, end = json.JSONDecoder().raw_decode(text, start)
        except json.JSONDecodeError as fault:
            self.read += fault.pos - start
            raise
        except RecursionError:
            self.too_deep += 1
            raise
        except ValueError:
            self.read += len(text) - start
            raise
        self.read += end - start
        return value, end


@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY)
@pytest.mark.parametrize("read", [(entries_in, MAX_STARTS), (findings._entries, findings.MAX_STARTS)])
def test_the_time_grows_with_the_text_and_not_with_its_square(
    text: str, read: tuple[Callable[[str], Iterable[Any]], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tried one by one, up to 1,000 or 2,000 starts would be read as far as the fault."""
    entries, starts = read
    decoder = Counting()
    monkeypatch.setattr("harness.values._DECODER", decoder)
    list(entries(text))
    assert decoder.read <= 3 * len(text)
    assert decoder.too_deep <= 2 + 2 * starts / DEEP


def test_what_only_the_depth_of_the_program_forbids_is_harmless() -> None:
    def below(levels: int) -> list[Any]:
        return below(levels - 1) if levels else list(entries_in("[" * 400 + "]" * 402 + '[{"a": 1}]'))

    assert below(600) == [{"a": 1}]
