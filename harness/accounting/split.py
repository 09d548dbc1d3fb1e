"""Splitting a provider's whole numbers over parts so that nothing is lost: largest remainders in integers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from harness.accounting.prices import Bill, nearest
from harness.accounting.usage import AccountingError, Usage


def largest_remainder(total: int, weights: Sequence[int]) -> list[int]:
    """Integers in proportion to ``weights`` that sum to ``total`` exactly.

    Whole quotas first, then one each to the largest remainders, ties to the lower index; zero weight gets zero.
    Raises AccountingError when there is something to split and nothing to carry it.
    """
    whole = sum(weights)
    if whole == 0:
        if total:
            raise AccountingError(f"{total} cannot be split over {len(weights)} parts without weight")
        return [0] * len(weights)
    if len(weights) == 1:
        return [total]
    if total == 0:
        return [0] * len(weights)
    shares = [total * w // whole for w in weights]
    left = total - sum(shares)
    if left:
        remainders = [total * w % whole for w in weights]
        for i in sorted(range(len(weights)), key=remainders.__getitem__, reverse=True)[:left]:  # stable: ties in order
            shares[i] += 1
    return shares


@dataclass(frozen=True, slots=True)
class Split:
    """One attempt's usage over its parts; all lists follow the parts' order. Costs are None when unpriced."""

    prompt: list[int]
    cached: list[int]
    completion: list[int]
    reasoning: list[int]
    prompt_pusd: list[int] | None
    completion_pusd: list[int] | None
    fee_pusd: int | None


def split_usage(
    usage: Usage, bill: Bill | None, prompt_weights: Sequence[int], completion_weights: Sequence[int]
) -> Split:
    """Split one attempt (docs/cost-model.md, "From parts to the bill").

    ``prompt_weights``: counted tokens a part, in the order in which the provider caches; the prompt is cut, from its
    start, into read, written (long), written (short) and plain tokens, and a part may straddle a cut.
    """
    prompt = largest_remainder(usage.prompt_tokens, prompt_weights)
    completion = largest_remainder(usage.completion_tokens, completion_weights)
    reasoning = largest_remainder(usage.reasoning_tokens, completion)
    cuts = (
        usage.cached_tokens,
        usage.cached_tokens + usage.cache_write_long_tokens,
        usage.cached_tokens + usage.cache_write_tokens,
    )
    cached = _overlaps(prompt, 0, cuts[0])
    if bill is None:
        return Split(prompt, cached, completion, reasoning, None, None, None)
    r = bill.rates
    if not cuts[2]:
        exact = [t * r.plain for t in prompt]
    else:
        long = _overlaps(prompt, cuts[0], cuts[1])
        short = _overlaps(prompt, cuts[1], cuts[2])
        exact = [
            (t - a - b - c) * r.plain + a * r.read + b * r.write_long + c * r.write
            for t, a, b, c in zip(prompt, cached, long, short, strict=True)
        ]
    exact += [(c - h) * r.output + h * r.reasoning for c, h in zip(completion, reasoning, strict=True)]
    by_tokens = sum(exact)
    fee = bill.total_pusd - nearest(by_tokens, r.unit)
    if fee <= 1 and by_tokens:
        fee = 0
    pusd = largest_remainder(bill.total_pusd - fee, exact)
    return Split(prompt, cached, completion, reasoning, pusd[: len(prompt)], pusd[len(prompt) :], fee)


def _overlaps(lengths: Sequence[int], start: int, end: int) -> list[int]:
    """How much of each consecutive stretch lies in [start, end)."""
    out = [0] * len(lengths)
    if start >= end:
        return out
    ends = list(accumulate(lengths))
    first, last = bisect_right(ends, start), bisect_left(ends, end)  # the stretches that hold the two cuts
    if first < len(out):
        out[first + 1 : last] = lengths[first + 1 : last]
        out[first] = min(ends[first], end) - start
    if first < last < len(out):
        out[last] = end - ends[last - 1]
    return out
