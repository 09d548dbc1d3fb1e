"""The codec gives back what it was given, and takes no harm from what it was not."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.sandbox.codec import CodecError, Decoder, Encoder, line, parse

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
    | st.complex_numbers(allow_nan=False) | st.decimals(allow_nan=False) | st.fractions() | st.dates() | st.datetimes()
    | st.timedeltas() | st.times()
)  # fmt: skip
hashable = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3), max_leaves=4
)
values = st.recursive(
    hashable,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(hashable, inner, max_size=4) | st.sets(hashable, max_size=4)
        | st.lists(inner, max_size=4).map(tuple) | st.binary().map(bytearray) | st.lists(inner, max_size=3).map(deque)
    ),
    max_leaves=8,
)  # fmt: skip
TAGS = "r t s fs d b ba c i f it range dq keys values items dec frac date time dt td x __class__ value error"
tags = st.sampled_from(TAGS.split(" "))
jsons = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | tags,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(tags, inner, max_size=2),
    max_leaves=15,
)


def crossed(value: Any) -> Any:
    return parse(line({"v": Encoder(number=True).value(value)}))["v"]


@given(values)
@settings(max_examples=60)
def test_a_value_comes_out_as_it_went_in(value: Any) -> None:
    back = Decoder(number=True).value(crossed(value))
    assert back == value
    assert repr(type(back)) == repr(type(value))


@given(jsons)
def test_whatever_comes_in_is_a_value_or_refused(message: Any) -> None:
    for decode in (Decoder([[], {}, set()]).value, Decoder([[], {}, set()]).refill):
        try:
            decode(message)
        except CodecError:
            continue


@given(st.binary() | st.text().map(str.encode))
def test_a_line_is_an_object_or_refused(data: bytes) -> None:
    try:
        assert isinstance(parse(data), dict)
    except CodecError:
        return


@pytest.mark.parametrize(
    "body",
    [
        {"r": -1}, {"r": 9}, {"r": True}, {"t": "ab"}, {"s": [[1]]}, {"d": [[[1], 2]]}, {"i": 5}, {"f": "1e5"},
        {"b": "x"}, {"a": 1, "b": 2}, {}, {"nothing": 1}, {"c": [1]}, {"range": [1, 2, 0]}, {"dq": [-1, []]},
        {"dec": "x"}, {"frac": "1/0"}, {"td": [10**12, 0, 0]}, {"date": "2024-13-01"}, {"items": [1]},
    ],
)  # fmt: skip
def test_a_value_that_is_none(body: Any) -> None:
    with pytest.raises(CodecError):
        Decoder([[]]).value(body)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[1]", b'{"v": NaN}', b'{"v": Infinity}', b"[" * 100_000, b'{"v": 1' + b"0" * 5000]
)
def test_a_line_that_is_none(data: bytes) -> None:
    with pytest.raises(CodecError):
        parse(data)


def test_what_is_nested_too_deep_is_refused_on_both_sides() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(CodecError, match="nested too deep"):
        Encoder().value(deep)
    tuples: Any = []
    for _ in range(100_000):
        tuples = {"t": [tuples]}
    with pytest.raises(CodecError):
        Decoder().value(tuples)
    with pytest.raises(CodecError, match="nested too deep"):
        line({"v": tuples})
