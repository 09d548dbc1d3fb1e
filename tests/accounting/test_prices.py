"""Price cards: exact by hand, and equal to litellm's own totals for cards copied from its table."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.accounting.prices import CardPricing, PriceCard, Rates, UnpricedModel, nearest
from harness.accounting.split import split_usage
from harness.accounting.usage import Usage
from harness.errors import ConfigError

LITELLM_MODELS = [
    "gpt-4o-mini",  # a cache read rate, no write rate
    "o3-mini",
    "claude-sonnet-4-5",  # read, write and one-hour write rates
    "gemini/gemini-2.5-flash",  # a reasoning rate equal to the output rate
    "dashscope/qwen-turbo",  # a reasoning rate of its own
]
USAGES = [
    Usage(1, 1),
    Usage(1_234, 567),
    Usage(10_000, 500, cached_tokens=2_000, reasoning_tokens=200),
    Usage(10_000, 500, cached_tokens=2_000, cache_write_tokens=3_000, reasoning_tokens=200),
    Usage(9_999, 1, cache_write_tokens=9_999, cache_write_long_tokens=4_321),
    Usage(99_999, 12_345, cached_tokens=33_333, cache_write_tokens=11_111, cache_write_long_tokens=1_111),
]


@pytest.fixture(scope="module")
def litellm_says() -> dict[str, Any]:
    """Model → its rates a token and its totals, from a process of its own."""
    program = Path(__file__).with_name("litellm_totals.py")
    asked = json.dumps([LITELLM_MODELS, [asdict(u) for u in USAGES]])
    done = subprocess.run(
        [sys.executable, str(program)], input=asked, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    return {row["model"]: row for row in json.loads(done.stdout.splitlines()[-1])}


@pytest.mark.parametrize("model", LITELLM_MODELS)
@pytest.mark.parametrize("n", range(len(USAGES)))
def test_a_card_copied_from_litellm_gives_its_total(litellm_says: dict[str, Any], model: str, n: int) -> None:
    """To the picodollar: litellm computes in binary floating point, a card in whole numbers."""
    row = litellm_says[model]
    per_million: dict[str, Any] = {
        k: None if v is None else float(Fraction(str(v)) * 10**6) for k, v in row["card"].items()
    }
    bill = CardPricing(PriceCard(**per_million)).bill(USAGES[n])
    assert bill.total_pusd == round(row["totals"][n] * 10**12)
    assert split_usage(USAGES[n], bill, [1, 2, 3], [1]).fee_pusd == 0


def test_a_bill_by_hand() -> None:
    """1,000 prompt tokens at $3 a million, 400 of them read at $0.30, 100 written at $3.75, 200 for an hour at $6;
    50 completion tokens at $15, 20 of them reasoning at $20. A dollar a million tokens is 10⁶ pUSD a token."""
    card = PriceCard(input=3, output=15, cached_input=0.3, cache_write=3.75, cache_write_long=6, reasoning=20)
    usage = Usage(1000, 50, cached_tokens=400, cache_write_tokens=300, cache_write_long_tokens=200, reasoning_tokens=20)
    bill = CardPricing(card).bill(usage)
    output = 30 * 15_000_000 + 20 * 20_000_000
    assert bill.total_pusd == 300 * 3_000_000 + 400 * 300_000 + 100 * 3_750_000 + 200 * 6_000_000 + output
    assert bill.uncached_pusd == 1000 * 3_000_000 + output


def test_rates_left_out_follow_the_nearest_one() -> None:
    r = CardPricing(PriceCard(input=2, output=8)).bill(Usage(1, 1)).rates
    assert r == Rates(2_000_000, 2_000_000, 2_000_000, 2_000_000, 8_000_000, 8_000_000)
    r = CardPricing(PriceCard(input=2, output=8, cache_write=3)).bill(Usage(1, 1)).rates
    assert (r.write, r.write_long) == (3_000_000, 3_000_000)


def test_rates_finer_than_a_picodollar_stay_exact() -> None:
    """$0.0000005 a million tokens is half a pUSD a token: two tokens make one pUSD, and one rounds up."""
    pricing = CardPricing(PriceCard(input=0.0000005, output=1))
    assert [pricing.bill(Usage(n, 0)).total_pusd for n in (0, 1, 2, 3, 4)] == [0, 1, 1, 2, 2]


@given(st.integers(0, 10**30), st.integers(1, 10**12))
def test_nearest_rounds_halves_up(numerator: int, denominator: int) -> None:
    exact = Fraction(numerator, denominator)
    rounded = nearest(numerator, denominator)
    assert exact - Fraction(1, 2) < rounded <= exact + Fraction(1, 2)


@pytest.mark.parametrize("wrong", [{"input": -1}, {"cached_input": float("nan")}, {"output": float("inf")}])
def test_a_card_with_an_impossible_amount_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        PriceCard(**{"input": 1.0, "output": 1.0} | wrong)


def test_a_card_of_zeros_is_no_price() -> None:
    with pytest.raises(ConfigError, match="unpriced"):
        PriceCard(input=0, output=0)


def test_no_price_is_not_a_price_of_zero() -> None:
    assert UnpricedModel().bill(Usage(1000, 1000)) is None
