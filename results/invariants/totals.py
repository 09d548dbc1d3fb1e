"""What the rows of each run add up to, beside what the run says of itself."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from results.columns import Columns, Mask, Numbers
from results.invariants.keys import Number, folded
from results.tally import CLASSES, JUDGE, UNKNOWN, class_of

COUNTED = ("prompt_tokens", "cached_tokens", "cache_write_tokens", "completion_tokens", "reasoning_tokens")


def totals(tables: Mapping[str, Columns], count: int) -> Columns:
    """The runs with their totals, the judge apart: ``rows_*`` (attempts), ``agents_*`` (attempts by a named agent),
    ``content_*`` (shares of a known purpose, fees added in pUSD), ``activity_*`` (attempts of a known activity),
    both of an imported run also of an unknown one, ``class_*`` tokens, ``judge_rows_*``, ``rows_messages``,
    ``rows_returned`` (tries).

    The codes of run ids are the same in all tables, and below ``count``.
    """
    runs = tables["runs"]
    made = _by_attempt(tables["calls"], count) | _by_share(tables["shares"], count)
    made["rows_messages"] = _distinct_each(tables["messages"], "msg_id", count)
    tries = tables["delegations"]
    made["rows_returned"] = _Adder(tries, count).sum(tries.texts("status").equal("returned"))
    made["content_pusd"] = made["content_pusd"] + made["rows_fee_pusd"]
    made["rows_cost"] = made["rows_pusd"]
    made["rows_cost_unknown"] = (made["rows_attempts"] > 0) & (made["rows_priced"] == 0)
    made["judge_rows_cost"] = made["judge_rows_pusd"]
    made["judge_rows_cost_unknown"] = made["judge_rows_priced"] < made["judge_rows_attempts"]
    number = runs.texts("run_id").codes
    return runs.having(**{name: values[number] for name, values in made.items()})


class _Adder:
    """Sums a run, over the rows of one table or some of them."""

    def __init__(self, rows: Columns, count: int, chosen: Mask | None = None) -> None:
        self._chosen = np.ones(len(rows), np.bool_) if chosen is None else chosen
        self._run: Number = rows.texts("run_id").codes[self._chosen]
        self._count = count

    def sum(self, values: Numbers) -> Numbers:
        return folded(np.add, self._run, values[self._chosen], self._count)

    def largest(self, values: Numbers) -> Numbers:
        return folded(np.maximum, self._run, values[self._chosen], self._count)

    def rows(self) -> Numbers:
        return np.bincount(self._run, minlength=self._count)


def _by_attempt(calls: Columns, count: int) -> dict[str, Numbers]:
    tokens = calls.numbers("prompt_tokens") + calls.numbers("completion_tokens")
    pusd, priced, prompt = calls.numbers("cost_pusd"), ~calls.unknown("cost_pusd"), calls.numbers("prompt_tokens")
    judged = calls.texts("activity").equal(JUDGE)
    mine, of_judge = _Adder(calls, count, ~judged), _Adder(calls, count, judged)
    named = _Adder(calls, count, ~judged & ~calls.texts("agent").equal(""))
    active = _Adder(calls, count, ~judged & _counted(calls, "activity"))
    made = {f"rows_{c}": mine.sum(calls.numbers(c)) for c in COUNTED}
    for prefix, adder in (("rows", mine), ("agents", named), ("activity", active), ("judge_rows", of_judge)):
        made |= {f"{prefix}_tokens": adder.sum(tokens), f"{prefix}_pusd": adder.sum(pusd)}
    return made | {
        "rows_fee_pusd": mine.sum(calls.numbers("fee_pusd")),
        "rows_priced": mine.sum(priced),
        "rows_attempts": mine.rows(),
        "rows_calls": _distinct_each(calls.where(~judged), "operation_id", count),
        "rows_peak": mine.largest(prompt),
        "judge_rows_priced": of_judge.sum(priced),
        "judge_rows_attempts": of_judge.rows(),
    }


def _by_share(shares: Columns, count: int) -> dict[str, Numbers]:
    tokens, kind = shares.numbers("tokens"), shares.texts("purpose_class")
    content = _Adder(shares, count, _counted(shares, "purpose"))
    made = {"content_tokens": content.sum(tokens), "content_pusd": content.sum(shares.numbers("cost_pusd"))}
    return made | {f"class_{name}": _Adder(shares, count, kind.equal(name)).sum(tokens) for name in CLASSES}


def _counted(rows: Columns, column: str) -> Mask:
    """Whether a purpose counts towards the run: not the judge's, and only an imported run's may be unknown."""
    classes = rows.texts(column).renamed(class_of)
    return classes.equal(*CLASSES) | (classes.equal(UNKNOWN) & rows.numbers("imported"))


def _distinct_each(rows: Columns, column: str, count: int) -> Numbers:
    """How many different texts a column has in each run."""
    first, _ = rows.numbered(["run_id", column])
    return np.bincount(rows.texts("run_id").codes[first], minlength=count)
