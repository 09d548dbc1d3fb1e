"""Telling what restates from what is new: shingles, sentences, JSON leaves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.accounting.purposes import Purpose
from harness.accounting.restating import Reading, restates, segments, words

NUMBERS = [f"w{n}" for n in range(100)]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def text(*ranges: tuple[int, int]) -> str:
    return " ".join(w for a, b in ranges for w in NUMBERS[a:b])


def reading(others: list[str], own: list[str] | None = None) -> Reading:
    return Reading(others, own or [], Purpose.ANSWER)


def told(pieces: list[tuple[str, Purpose]]) -> list[tuple[str, str]]:
    return [(piece.strip(), str(purpose)) for piece, purpose in pieces]


@pytest.mark.parametrize(
    ("candidate", "restated"),
    [
        # 17 words have 10 shingles of 8. The source holds the words 0..n, so it holds the shingles that end in it.
        (text((0, 17)), True),
        (text((0, 16), (50, 51)), True),  # 9 of 10
        (text((0, 15), (50, 52)), True),  # 8 of 10: the boundary itself
        (text((0, 14), (50, 53)), False),  # 7 of 10
        (text((50, 67)), False),
        (text((0, 8)), True),  # one shingle
        (text((0, 7), (50, 51)), False),
    ],
)
def test_eight_of_ten_shingles_are_enough(candidate: str, restated: bool) -> None:
    assert restates(candidate, [text((0, 40))]) is restated


def test_sources_count_together() -> None:
    """Words 0..17; one source holds shingles 0..4, the other 5..9."""
    candidate = text((0, 17))
    assert not restates(candidate, [text((0, 12))])
    assert not restates(candidate, [text((5, 17))])
    assert restates(candidate, [text((0, 12)), text((5, 17))])


@pytest.mark.parametrize(
    ("candidate", "restated"),
    [("The blue whale.", True), ("blue", True), ("whale blue", False), ("a blue", False), ("blu", False), ("…", False)],
)
def test_a_short_text_is_compared_whole(candidate: str, restated: bool) -> None:
    """And by whole words; punctuation and case do not matter, and a text without words restates nothing."""
    assert restates(candidate, ["We saw: THE BLUE whale, twice."]) is restated


def test_nothing_is_restated_from_nothing() -> None:
    assert not restates("anything", [])


def test_chinese_characters_are_words() -> None:
    assert words("合同第3条 applies") == ["合", "同", "第", "3", "条", "applies"]
    source = "根据合同第十二条的规定，乙方应当在三十日内付款。"
    assert restates("乙方应当在三十日内付款", [source])
    assert not restates("甲方可以在九十天后拒绝收货", [source])


def test_sentence_by_sentence_others_before_own() -> None:
    others = [text((0, 20))]
    own = [text((30, 50)), text((0, 20))]
    written = f"{text((0, 10))}. {text((30, 40))}! Something entirely new is said here by me today."
    assert told(segments(written, reading(others, own))) == [
        (f"{text((0, 10))}.", "merge"),
        (f"{text((30, 40))}!", "report"),
        ("Something entirely new is said here by me today.", "answer"),
    ]


def test_chinese_sentences_end_without_a_space() -> None:
    others = ["乙方应当在三十日内付款给甲方。"]
    pieces = segments("乙方应当在三十日内付款给甲方。我认为这个期限对双方都不合理。", reading(others))
    assert told(pieces) == [("乙方应当在三十日内付款给甲方。", "merge"), ("我认为这个期限对双方都不合理。", "answer")]


def test_a_figure_is_no_end_of_a_sentence() -> None:
    assert len(segments("It weighs 3.14 kilograms in total.", reading([]))) == 1


def test_json_leaf_by_leaf() -> None:
    """The leaves differ; punctuation and a field name go with the leaf that follows, the end with the last leaf."""
    others = ["the whale weighs one hundred and forty tonnes altogether"]
    written = json.dumps([{"answer": "the whale weighs one hundred and forty tonnes altogether"}, {"answer": "no"}])
    pieces = segments(written, reading(others))
    assert "".join(piece for piece, _ in pieces) == written
    assert pieces == [
        ('[{"answer": "the whale weighs one hundred and forty tonnes altogether"', Purpose.MERGE),
        ('}, {"answer": "no"}]', Purpose.ANSWER),
    ]


def test_a_short_leaf_is_found_as_a_whole_leaf_of_json_only() -> None:
    others = [json.dumps([{"question": "How many parts has 2 in them?", "answer": "two parts"}])]
    written = json.dumps([{"answer": "2"}, {"answer": "two parts"}])
    assert segments(written, reading(others)) == [
        ('[{"answer": "2"', Purpose.ANSWER),
        ('}, {"answer": "two parts"}]', Purpose.MERGE),
    ]
    assert {p for _, p in segments(written, reading(["It has 2 halves, or two parts."]))} == {Purpose.MERGE}


def test_json_escapes_are_read_as_what_they_stand_for() -> None:
    written = json.dumps({"answer": "乙方应当在三十日内付款给甲方"}, ensure_ascii=True)
    assert "\\u" in written
    assert {p for _, p in segments(written, reading(["乙方应当在三十日内付款给甲方"]))} == {Purpose.MERGE}


def test_json_in_a_fence_is_json() -> None:
    written = '```json\n[{"answer": "blue whale"}]\n```'
    assert {p for _, p in segments(written, reading(["a blue whale"]))} == {Purpose.MERGE}


@pytest.mark.parametrize("written", ["[not json", '{"a": 1', "[1, 2] and more", "[" * 3000 + "]" * 3000])
def test_what_only_looks_like_json_is_text(written: str) -> None:
    assert "".join(piece for piece, _ in segments(written, reading(["x"]))) == written


@given(st.text())
def test_pieces_make_up_the_text(written: str) -> None:
    assert "".join(piece for piece, _ in segments(written, reading(["some source"]))) == written


@given(JSON, st.booleans(), st.sampled_from([None, 2]))
def test_pieces_make_up_the_json(value: Any, ascii_only: bool, indent: int | None) -> None:
    written = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert "".join(piece for piece, _ in segments(written, reading(["some source"]))) == written


@given(st.lists(st.sampled_from([" ", ".", "!", "\n", "。", "a", "3", '"']), max_size=200))
def test_odd_punctuation_neither_loses_text_nor_hangs(characters: list[str]) -> None:
    written = "".join(characters)
    assert "".join(piece for piece, _ in segments(written, reading(["a"]))) == written


def test_a_copy_is_all_merge_and_news_all_fresh() -> None:
    source = f"{text((0, 30))}. {text((30, 60))}."
    assert {p for _, p in segments(source, reading([source]))} == {Purpose.MERGE}
    assert {p for _, p in segments(text((60, 90)), Reading([source], [], Purpose.REWORK))} == {Purpose.REWORK}
