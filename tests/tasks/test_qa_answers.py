"""When an answer or a reference is right. Expected values follow from the rules stated in the suite's README."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.common.texts import normalise, quantity, strip_marker
from tasks.qa_corpus.answers import is_right
from tasks.qa_corpus.questions import Question
from tasks.qa_corpus.references import parse


def question(answer: str, **key: object) -> Question:
    return Question("q", answer, "d.txt", "evidence", **key)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_", "same"),
    [
        ("TypeError", "typeerror"),
        ("  the  Finally   clause. ", "finally clause"),
        ("`__call__()`", "__call__"),
        ("“PEP 492”", "pep 492"),
        ("ＡＢＣ　１２", "abc 12"),  # full-width forms and the ideographic space are compatibility characters
        ("12.50 万元", "12.50万元"),
        ("王建国 。", "王建国"),
        ("−1", "-1"),  # U+2212
        ("an", "an"),  # an article alone is kept
    ],
)
def test_normalise(given_: str, same: str) -> None:
    assert normalise(given_) == same


def test_a_text_of_punctuation_only_is_kept() -> None:
    assert normalise("...") == "..." == normalise("…")


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1,200", "1200", ""),
        ("1200.0", "1200", ""),
        ("12.50 万元", "12.5", "万元"),
        ("EUR 1,250,000", "1250000", "eur"),
        ("1,250,000 EUR", "1250000", "eur"),
        ("0.5%", "0.5", "%"),
        ("-1", "-1", ""),
        (".5 mm", "0.5", "mm"),
    ],
)
def test_quantity(text: str, value: str, unit: str) -> None:
    assert quantity(text) == (Decimal(value), unit)


@pytest.mark.parametrize("text", ["12,5", "1,20", "", "none", "1.2.3", "+", "."])
def test_what_is_no_number(text: str) -> None:
    found = quantity(text)
    assert found is None or found[1] != ""


def test_a_required_unit_is_required() -> None:
    asked = question("12.50 万元", number=Decimal("12.5"), units=("万元",))
    assert [is_right(asked, a) for a in ("12.5万元", "12.50 万元", "12.5", "12.5 元", "125,000 元", "万元")] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]


def test_an_optional_unit_is_optional() -> None:
    asked = question("11", number=Decimal(11), units=("", "lines"), aliases=("eleven",))
    assert all(is_right(asked, a) for a in ("11", "11 lines", "11.0", "Eleven"))
    assert not any(is_right(asked, a) for a in ("11 bytes", "12", "about 11", "11 lines or 12 lines"))


def test_versions_are_texts_not_numbers() -> None:
    """3.1 and 3.10 are equal as numbers and differ as versions."""
    assert not is_right(question("3.10"), "3.1")


def test_the_right_answer_inside_a_longer_text_is_wrong() -> None:
    asked = question("TypeError")
    assert not is_right(asked, "TypeError or ValueError")
    assert not is_right(asked, "TypeError" + " " * 400)


@given(st.text(max_size=80))
def test_normalise_is_stable_and_every_answer_equals_itself(text: str) -> None:
    assert normalise(normalise(text)) == normalise(normalise(normalise(text)))
    assert is_right(question(text), text)


@pytest.mark.parametrize(
    "written",
    ["for.txt §3", "[for.txt §3]", "for.txt§3", "for.txt#3", "FOR.txt, section 3", "§3 of for.txt", "`for.txt § 3`."],
)
def test_forms_of_one_reference(written: str) -> None:
    assert parse(written) == ("for.txt", 3)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "for.txt",
        "§3",
        "3",
        "for.txt §3 §4",
        "for.txt §3, if.txt §4",
        "for.txt §3-5",
        "for.txt §3 and §4",
        "x" * 400,
    ],
)
def test_what_names_no_single_place(written: str) -> None:
    assert parse(written) is None


def test_chinese_file_names_are_references_too() -> None:
    assert parse("合同_2023.md §12") == ("合同_2023.md", 12)


@pytest.mark.parametrize("line", ["- Is it?", "* Is it?", "12. Is it?", "3) Is it?", "  Is it?  ", "(3) Is it?"])
def test_list_markers_are_not_part_of_a_question(line: str) -> None:
    assert strip_marker(line) == "Is it?"
