"""Splitting whole numbers over parts: what goes in comes out, exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.accounting.prices import Bill, Rates, nearest
from harness.accounting.split import largest_remainder, split_usage
from harness.accounting.usage import AccountingError, Usage

WEIGHTS = st.lists(st.integers(0, 10**7), min_size=1, max_size=12).filter(any)


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    prompt = draw(st.integers(0, 200_000))
    cached = draw(st.integers(0, prompt))
    written = draw(st.integers(0, prompt - cached))
    long = draw(st.integers(0, written))
    completion = draw(st.integers(0, 20_000))
    return Usage(prompt, completion, cached, written, long, draw(st.integers(0, completion)))


@st.composite
def rates(draw: st.DrawFn) -> Rates:
    plain, read, write, write_long, output, reasoning = (draw(st.integers(0, 10**9)) for _ in range(6))
    return Rates(plain, read, write, write_long, output, reasoning, draw(st.sampled_from([1, 2, 3, 1000])))


def token_total(usage: Usage, r: Rates) -> Fraction:
    """What a usage costs at these rates, in pUSD, by plain rational arithmetic."""
    short = usage.cache_write_tokens - usage.cache_write_long_tokens
    plain = usage.prompt_tokens - usage.cached_tokens - usage.cache_write_tokens
    visible = usage.completion_tokens - usage.reasoning_tokens
    amount = plain * r.plain + usage.cached_tokens * r.read + short * r.write
    amount += usage.cache_write_long_tokens * r.write_long + visible * r.output + usage.reasoning_tokens * r.reasoning
    return Fraction(amount, r.unit)


@pytest.mark.parametrize(
    ("total", "weights", "shares"),
    [
        (10, [1, 1, 1], [4, 3, 3]),  # equal remainders: the lower index gets what is left
        (10, [0, 1, 0, 1, 1], [0, 4, 0, 3, 3]),
        (100, [30, 70], [30, 70]),
        (7, [1, 2, 4], [1, 2, 4]),
        (5, [3, 3, 1], [2, 2, 1]),  # quotas 2.14, 2.14, 0.71: the largest remainder is the last
        (0, [5, 5], [0, 0]),
        (3, [9], [3]),
        (0, [], []),
        (0, [0, 0], [0, 0]),
    ],
)
def test_largest_remainder_by_hand(total: int, weights: list[int], shares: list[int]) -> None:
    assert largest_remainder(total, weights) == shares


@given(st.integers(0, 10**15), WEIGHTS)
def test_largest_remainder_is_exact_and_proportional(total: int, weights: list[int]) -> None:
    shares = largest_remainder(total, weights)
    quotas = [Fraction(total * w, sum(weights)) for w in weights]
    assert sum(shares) == total
    assert all(abs(s - q) < 1 for s, q in zip(shares, quotas, strict=True))
    assert all(s == 0 for s, w in zip(shares, weights, strict=True) if w == 0)


@given(st.integers(0, 10**6), st.integers(1, 10**6), st.integers(1, 12))
def test_ties_go_to_the_lower_index(total: int, weight: int, n: int) -> None:
    assert largest_remainder(total, [weight] * n) == sorted(largest_remainder(total, [weight] * n), reverse=True)


@pytest.mark.parametrize("weights", [[], [0], [0, 0]])
def test_something_without_anything_to_carry_it_is_refused(weights: list[int]) -> None:
    with pytest.raises(AccountingError, match="without weight"):
        largest_remainder(1, weights)


def test_a_prompt_is_cut_by_position_and_parts_straddle() -> None:
    """Parts of 100, 300 and 600 tokens; read [0, 250), written long [250, 350), short [350, 450), the rest plain."""
    usage = Usage(
        1000, 100, cached_tokens=250, cache_write_tokens=200, cache_write_long_tokens=100, reasoning_tokens=50
    )
    r = Rates(plain=10, read=1, write=12, write_long=20, output=50, reasoning=60)
    split = split_usage(usage, Bill(r, 14_450, 0), [100, 300, 600], [30, 70])
    assert split.prompt == [100, 300, 600]
    assert split.cached == [100, 150, 0]
    assert split.prompt_pusd == [
        100 * 1,
        150 * 1 + 100 * 20 + 50 * 12,
        50 * 12 + 550 * 10,
    ]
    assert split.reasoning == [15, 35]
    assert split.completion_pusd == [15 * 50 + 15 * 60, 35 * 50 + 35 * 60]
    assert split.fee_pusd == 0


@pytest.mark.parametrize(
    ("above", "fee"),
    [(1_000, 1_000), (2, 2), (1, 0), (0, 0), (-1, 0), (-100, 0)],
)
def test_what_exceeds_the_token_total_by_more_than_a_picodollar_is_a_fee(above: int, fee: int) -> None:
    r = Rates(plain=10, read=1, write=12, write_long=20, output=50, reasoning=50)
    tokens = 1000 * 10 + 100 * 50
    split = split_usage(Usage(1000, 100), Bill(r, tokens + above, 0), [400, 600], [100])
    assert split.fee_pusd == fee
    assert split.prompt_pusd is not None
    assert split.completion_pusd is not None
    assert sum(split.prompt_pusd) + sum(split.completion_pusd) + fee == tokens + above


def test_a_request_price_without_tokens_is_all_fee() -> None:
    r = Rates(plain=10, read=1, write=12, write_long=20, output=50, reasoning=50)
    split = split_usage(Usage(0, 0), Bill(r, 5, 0), [1], [1])
    assert (split.fee_pusd, split.prompt_pusd, split.completion_pusd) == (5, [0], [0])


def test_without_a_price_tokens_are_split_and_costs_are_unknown() -> None:
    split = split_usage(Usage(10, 4), None, [1, 1], [1])
    assert (split.prompt, split.completion) == ([5, 5], [4])
    assert (split.prompt_pusd, split.completion_pusd, split.fee_pusd) == (None, None, None)


@given(usages(), rates(), WEIGHTS, WEIGHTS, st.integers(-1, 10**9))
def test_tokens_and_picodollars_are_conserved(
    usage: Usage, r: Rates, prompt: list[int], completion: list[int], above: int
) -> None:
    exact = token_total(usage, r)
    total = max(0, nearest(exact.numerator, exact.denominator) + above)
    split = split_usage(usage, Bill(r, total, 0), prompt, completion)
    assert sum(split.prompt) == usage.prompt_tokens
    assert sum(split.cached) == usage.cached_tokens
    assert sum(split.completion) == usage.completion_tokens
    assert sum(split.reasoning) == usage.reasoning_tokens
    assert split.prompt_pusd is not None
    assert split.completion_pusd is not None
    assert split.fee_pusd is not None
    assert sum(split.prompt_pusd) + sum(split.completion_pusd) + split.fee_pusd == total
    everything = [*split.prompt, *split.cached, *split.completion, *split.reasoning]
    assert min([*everything, *split.prompt_pusd, *split.completion_pusd, split.fee_pusd]) >= 0
    assert all(c <= t for c, t in zip(split.cached, split.prompt, strict=True))
    assert all(h <= t for h, t in zip(split.reasoning, split.completion, strict=True))
    if above > 1 or not exact:
        assert split.fee_pusd in (total, total - nearest(exact.numerator, exact.denominator))
    else:
        assert split.fee_pusd == 0


@given(usages(), rates(), WEIGHTS, WEIGHTS)
def test_each_part_costs_what_its_own_tokens_cost(
    usage: Usage, r: Rates, prompt: list[int], completion: list[int]
) -> None:
    """Token by token: position p of the prompt costs the rate of the stretch it lies in. Rounding moves a part by less
    than 1.5 pUSD: half for the rounded total, less than one for the remainder."""
    exact = token_total(usage, r)
    split = split_usage(usage, Bill(r, nearest(exact.numerator, exact.denominator), 0), prompt, completion)
    assert split.prompt_pusd is not None
    read = usage.cached_tokens
    long = read + usage.cache_write_long_tokens
    short = read + usage.cache_write_tokens
    at = 0
    for tokens, pusd in zip(split.prompt, split.prompt_pusd, strict=True):
        ends = [min(max(cut, at), at + tokens) for cut in (read, long, short)]
        in_read, in_long, in_short = ends[0] - at, ends[1] - ends[0], ends[2] - ends[1]
        plain = tokens - in_read - in_long - in_short
        own = Fraction(in_read * r.read + in_long * r.write_long + in_short * r.write + plain * r.plain, r.unit)
        assert abs(pusd - own) < Fraction(3, 2)
        at += tokens


@pytest.mark.parametrize(
    ("usage", "says"),
    [
        (Usage(-1, 0), "negative"),
        (Usage(10, 5, cached_tokens=-1), "negative"),
        (Usage(10, 5, cached_tokens=6, cache_write_tokens=5), "more cached and written"),
        (Usage(10, 5, cache_write_tokens=2, cache_write_long_tokens=3), "more long-lived"),
        (Usage(10, 5, reasoning_tokens=6), "more reasoning"),
    ],
)
def test_a_usage_that_cannot_be_true_is_rejected(usage: Usage, says: str) -> None:
    with pytest.raises(AccountingError, match=says):
        usage.check()


@given(usages())
def test_a_possible_usage_passes(usage: Usage) -> None:
    usage.check()
