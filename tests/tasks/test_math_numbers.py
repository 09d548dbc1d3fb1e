"""How the numbers of an answer are read and those of a key are written."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.math.numbers import folded, number_in, written

READ = {
    "72": 72,
    "72.": 72,
    "72.00": 72,
    "007": 7,
    "1,234": 1234,
    "$1,234.50": Fraction(2469, 2),
    "1234.5 dollars": Fraction(2469, 2),
    "US$5": 5,
    "€ 5": 5,
    "₹7": 7,
    "\\$18": 18,
    "1,000,000": 1_000_000,
    "-5": -5,
    "−5": -5,
    "-$5": -5,
    "$-5": -5,
    "= -5": -5,
    "- 5 eggs": 5,  # an item of a list
    "5%": 5,
    "18\\%": 18,
    "1/2": Fraction(1, 2),
    "½": Fraction(1, 2),
    "2 1/2": Fraction(5, 2),
    "2½": Fraction(5, 2),
    "-1/2": Fraction(-1, 2),
    ".5": Fraction(1, 2),
    "$5/hour": 5,
    "72 eggs a day": 72,
    "72 m²": 72,
    "P0007: 72": 72,
    "共72个": 72,
    "３６": 36,
    "3 million": 3_000_000,
    "3万元": 30_000,
    "1.2万": 12_000,
    "5k": 5000,
    "5 km": 5,
    "3rd": 3,
    "72 or 72.0": 72,
    "**72**": 72,
}
NOT_READ = (
    "", "none", "72, 36", "72 36", "12,5", "1,23", "1,0000", "1.2.3", "16 - 3", "16-3", "3-5", "1e3", "1e3, so 72",
    "10^2", "10²", "3x4", "1/0", "12/25/2020", "10:30", "x2", "9" * 60, "1/2/3",
)  # fmt: skip


@pytest.mark.parametrize(("text", "value"), READ.items())
def test_a_number_is_read_whatever_stands_around_it(text: str, value: Fraction | int) -> None:
    assert number_in(folded(text)) == value


@pytest.mark.parametrize("text", NOT_READ)
def test_no_number_several_or_one_that_cannot_be_read(text: str) -> None:
    assert number_in(folded(text)) is None


def test_numbers_are_exact() -> None:
    assert number_in("0.1") == Fraction(1, 10) != Fraction(0.1)
    assert number_in("0.30000000000000004") != number_in("0.3")
    assert number_in("12345678901234567890.1") == Fraction(123456789012345678901, 10)


@given(st.fractions(max_denominator=10**6))
def test_what_is_written_is_read_back(value: Fraction) -> None:
    assert number_in(folded(written(value))) == value


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=4))
def test_thousands_separators_change_nothing(value: object) -> None:
    assert number_in(folded(f"${value:,}")) == Fraction(str(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(72), "72"), (Fraction(5, 2), "2.5"), (Fraction(-1, 8), "-0.125"), (Fraction(1, 3), "1/3"),
     (Fraction(1, 10**300), "0." + "0" * 299 + "1")],
)  # fmt: skip
def test_a_value_is_written_in_decimals_where_they_end(value: Fraction, text: str) -> None:
    assert written(value) == text
