"""What litellm's total holds beyond tokens times rates: fees, and what no rates explain."""

from __future__ import annotations

import logging

import pytest

from harness.accounting.split import split_usage
from harness.accounting.usage import Usage
from harness.models.litellm.pricing import LiteLLMPricing

pytestmark = pytest.mark.filterwarnings("ignore:.*ReadOnly. qualifier:UserWarning")
"""Pydantic remarks on litellm's own classes when these are first used; litellm's filter for that ends with a test."""

USAGE = Usage(1000, 100, cached_tokens=200)
LISTED = 800 * 150_000 + 200 * 75_000 + 100 * 600_000
"""That usage at gpt-4o-mini's list price: 0.15, 0.075 and 0.60 USD a million tokens, in pUSD."""


class WithFee(LiteLLMPricing):
    """As if litellm charged half a cent for each request."""

    def _usd(self, usage: Usage) -> tuple[float, float]:
        prompt, completion = super()._usd(usage)
        return prompt + 0.005, completion


class WithDiscount(LiteLLMPricing):
    """As if litellm billed the prompt at half where only a part of it was cached: no rates a token give that."""

    def _usd(self, usage: Usage) -> tuple[float, float]:
        prompt, completion = super()._usd(usage)
        return prompt / 2 if 0 < usage.cached_tokens < usage.prompt_tokens else prompt, completion


def test_a_fee_a_request_is_no_tokens_price() -> None:
    bill = WithFee("gpt-4o-mini").bill(USAGE)
    assert bill is not None
    assert (bill.total_pusd, bill.uncached_pusd) == (LISTED + 5 * 10**9, LISTED + 200 * 75_000 + 5 * 10**9)
    assert round(bill.rates.plain / bill.rates.unit) == 150_000
    assert round(bill.rates.read / bill.rates.unit) == 75_000
    split = split_usage(USAGE, bill, [1], [1])
    assert split.fee_pusd == 5 * 10**9
    assert (split.prompt_pusd, split.completion_pusd) == ([LISTED - 100 * 600_000], [100 * 600_000])


def test_rates_that_do_not_add_up_are_told_once(caplog: pytest.LogCaptureFixture) -> None:
    pricing = WithDiscount("gpt-4o-mini")
    with caplog.at_level(logging.WARNING):
        bills = [pricing.bill(USAGE), pricing.bill(USAGE)]
    assert len(caplog.records) == 1
    assert "'gpt-4o-mini' do not add up" in caplog.text
    for bill in bills:
        assert bill is not None
        split = split_usage(USAGE, bill, [1, 1], [1])
        assert bill.total_pusd == LISTED - (LISTED - 100 * 600_000) // 2
        assert sum(split.prompt_pusd or ()) + sum(split.completion_pusd or ()) == bill.total_pusd


def test_a_usage_that_litellm_cannot_bill_has_an_unknown_cost(caplog: pytest.LogCaptureFixture) -> None:
    class Failing(LiteLLMPricing):
        def _usd(self, usage: Usage) -> tuple[float, float]:
            if usage.cached_tokens:
                raise ValueError("no cached rate")
            return super()._usd(usage)

    with caplog.at_level(logging.WARNING):
        assert Failing("gpt-4o-mini").bill(USAGE) is None
    assert "cannot bill 'gpt-4o-mini'" in caplog.text


def test_rates_that_add_up_are_told_never(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        bill = LiteLLMPricing("gpt-4o-mini").bill(USAGE)
    assert bill is not None
    assert bill.total_pusd == LISTED
    assert not caplog.records
