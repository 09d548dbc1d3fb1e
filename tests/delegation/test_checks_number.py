"""What counts as a number, and which values count as the same."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.delegation.checks.number import number
from harness.delegation.checks.values import key


@pytest.mark.parametrize(
    ("written", "value", "decimals", "unit"),
    [
        (340, "340", 0, ""),
        (Decimal("12.50"), "12.5", 2, ""),
        (0.1, "0.1", 1, ""),
        ("1,234.5", "1234.5", 1, ""),
        ("1,234,567", "1234567", 0, ""),
        ("12.50 EUR", "12.5", 2, "EUR"),
        ("EUR12.50", "12.5", 2, "EUR"),
        ("¥340", "340", 0, "¥"),
        ("340 万元", "340", 0, "万元"),
        ("约 340.00 万元。", "340", 2, "约 万元"),
        ("３４０．５０万元", "340.5", 2, "万元"),
        ("１，２００", "1200", 0, ""),
        ("－5％", "-5", 0, "%"),
        ("−3.5", "-3.5", 1, ""),
        ("亏损-5万元", "-5", 0, "亏损 万元"),
        ("+7", "7", 0, ""),
        ("1.5e3", "1500", 0, ""),
        ("2E-3", "0.002", 3, ""),
        (".5", "0.5", 1, ""),
        ("12.", "12", 0, ""),
        ("12 m2", "12", 0, "m2"),
        ("12 m²", "12", 0, "m²"),
    ],
)
def test_numbers(written: Any, value: str, decimals: int, unit: str) -> None:
    found = number(written)
    assert found is not None
    assert (found.value, found.decimals, found.unit) == (Decimal(value), decimals, unit)


@pytest.mark.parametrize(
    "written",
    [
        "", " ", "twelve", "三百", "3-4", "10-5", "1 234", "12,5", "1,2345", "1.234.567", "2023年1月", "covid-19",
        True, False, None, [1], {"a": 1}, "9" * 401,
    ],
)  # fmt: skip
def test_no_number(written: Any) -> None:
    """Two numbers are none: which one is meant would be a guess."""
    assert number(written) is None


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_has_an_answer(text: str) -> None:
    number(text)


@settings(deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9))
def test_a_number_survives_being_written(value: Decimal) -> None:
    found = number(f"{value} EUR")
    assert found is not None
    assert (found.value, found.unit) == (value, "EUR")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, Decimal("1.00"), True),
        (1, "1", True),
        (Decimal("1.50"), "1.5", True),
        (0, Decimal("-0.0"), True),
        (Decimal("1e3"), 1000, True),
        (Decimal("0.1"), 0.1, True),
        ("1.0", 1, False),
        (True, 1, False),
        (True, "true", False),
        ("a", "A", False),
        ({"a": 1, "b": [2]}, {"b": [Decimal("2.0")], "a": Decimal(1)}, True),
        ({"a": 1}, {"a": None}, False),
        (10**40, 10**40 + 1, False),
    ],
)
def test_values_that_count_as_the_same(one: Any, other: Any, same: bool) -> None:
    assert (key(one) == key(other)) is same
