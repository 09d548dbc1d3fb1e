"""Tags in free text: any text can be read, nothing of it is lost, and a malformed tag spoils no other."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.accounting.purposes import Purpose
from harness.inline.tags import marked, markup, tags_in

PIECES = st.sampled_from(
    ["<delegate>", "</delegate>", "<delegate ", "<delegate/>", '<delegate to="a">', "< /Delegate>", "<delegated>",
     ">", "<", "/", "delegate", " ", "\n", "order", "[", "]", '"', "订单"]
)  # fmt: skip
ANY = st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join))
WORDS = st.text(alphabet=st.characters(exclude_characters="<>", exclude_categories=["Cs"]))
ORDERS = WORDS.map(str.strip).filter(bool)


def orders(text: str) -> list[str]:
    found = marked(text)
    return [found.order(tag) for tag in found.tags if tag.fault is None]


def faults(text: str) -> list[str | None]:
    return [tag.fault for tag in marked(text).tags]


@given(ANY)
def test_any_text_is_cut_into_pieces_that_are_the_text(text: str) -> None:
    found = marked(text)
    pieces = found.stretches()
    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece for piece, _ in pieces)
    assert {purpose for _, purpose in pieces} <= {Purpose.PLAN, Purpose.DISPATCH}
    assert markup(text) == (pieces if found.tags else None)


@given(ANY)
def test_tags_do_not_overlap_and_their_orders_stand_inside(text: str) -> None:
    at = 0
    for tag in tags_in(text):
        start, end = tag.order
        assert at <= tag.start <= start <= end <= tag.end <= len(text)
        at = tag.end
        if tag.fault is None:
            order = text[start:end]
            assert order and order == order.strip() and "<delegate>" not in order
            assert text[tag.start : start].rstrip().endswith(">") and text[end : tag.end].lstrip().startswith("</")


@given(st.lists(st.tuples(WORDS, ORDERS), min_size=1), WORDS)
def test_what_is_well_formed_comes_back_as_it_was_written(written: list[tuple[str, str]], after: str) -> None:
    text = "".join(f"{before}<delegate>{order}</delegate>" for before, order in written) + after
    assert [(text[slice(*tag.order)], tag.fault) for tag in tags_in(text)] == [(order, None) for _, order in written]


@given(st.lists(ORDERS, min_size=1), st.integers(0, 20))
def test_an_unclosed_tag_spoils_no_other(written: list[str], place: int) -> None:
    tags = [f"<delegate>{order}</delegate>" for order in written]
    at = min(place, len(tags))
    text = "\n".join([*tags[:at], "<delegate>Do this", *tags[at:]])
    assert orders(text) == written
    assert faults(text).count("opened and not closed") == 1 and faults(text)[at] == "opened and not closed"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nothing here.", []),
        ("<delegate>a</delegate>", [None]),
        ("<delegate >a</delegate\n>", [None]),
        ("<delegate>a", ["opened and not closed"]),
        ("<delegate", ["opened and not closed"]),
        ("a</delegate>", ["closed and not opened"]),
        ("<delegate>a</delegate></delegate>", [None, "closed and not opened"]),
        ("<delegate></delegate>", ["empty"]),
        ("<delegate>\n \n</delegate>", ["empty"]),
        ("<delegate/>", ["empty"]),
        ('<delegate to="alice">a</delegate>', ["more than its bare name"]),
        ("<Delegate>a</Delegate>", ["more than its bare name"]),
        ("< delegate>a</delegate>", ["more than its bare name"]),
        ("<delegate>a</delegate x>", ["more than its bare name"]),
        ("<delegate Read a.txt </delegate>", ["more than its bare name"]),
        ("<delegate>a <delegate>b</delegate> c</delegate>", ["around another tag"]),
        ("<delegate>a <delegate/> c</delegate>", ["around another tag"]),
        ("<delegate>a <delegate>b <delegate>c</delegate></delegate></delegate>", ["around another tag"]),
        ("<delegate>a <delegate>b</delegate>", ["opened and not closed", None]),
        ("<delegate>a <delegate>b <delegate>c</delegate>", ["opened and not closed", "opened and not closed", None]),
        ("<delegates>a</delegates> <delegate-all> <redelegate>", []),
    ],
)
def test_what_is_wrong_with_a_tag(text: str, expected: list[str | None]) -> None:
    assert faults(text) == expected


def test_a_deliverable_in_json_holds_no_tags() -> None:
    """What stands in its strings is quoted: a document about such tags, say."""
    deliverable = '[{"question": "What did it write?", "answer": "<delegate>Read a.txt</delegate>"}]'
    assert faults(deliverable) == [] and markup(deliverable) is None
    assert faults(f"```json\n{deliverable}\n```") == []
    assert faults(f"{deliverable} <delegate>b</delegate>") == [None, None], "this is no JSON"


def test_the_words_of_an_order_are_a_piece_of_their_own() -> None:
    assert markup("Two parts. <delegate>\n  Read a.txt\n</delegate> Now.") == [
        ("Two parts. ", Purpose.PLAN),
        ("<delegate>\n  ", Purpose.DISPATCH),
        ("Read a.txt", Purpose.DISPATCH),
        ("\n</delegate>", Purpose.DISPATCH),
        (" Now.", Purpose.PLAN),
    ]


@pytest.mark.parametrize(
    "piece",
    [
        "<delegate>", "</delegate>", "<delegate>a</delegate>", "<", "< ", "<delegate ", "<delegate/>", " ", "a",
        "<delegate>a <delegate>b</delegate>",
    ],
)  # fmt: skip
def test_time_grows_with_the_text_and_no_faster(piece: str) -> None:
    """A quadratic search would take hours over these; the bound is generous for a slow machine."""
    text = piece * (1_000_000 // len(piece))
    began = time.perf_counter()
    found = marked(text)
    assert len(found.tags) <= text.count("<")
    assert time.perf_counter() - began < 10


def test_deep_nesting_takes_no_longer() -> None:
    began = time.perf_counter()
    (tag,) = tags_in("<delegate>" * 50_000 + "</delegate>" * 50_000)
    assert tag.fault == "around another tag"
    assert time.perf_counter() - began < 10
