"""Two answers before a judge, in both orders."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from support.models import Say

from harness.accounting.ledger import Ledger
from harness.clock.protocol import Clock
from harness.clock.runner import run as run_clock
from harness.graders.judge import Judge
from harness.graders.pairwise import Count, Hearing, Pair
from harness.limits import Limits, Scope
from harness.models.protocol import TransportError
from harness.testing.models import faultless
from harness.testing.runs import cell
from harness.testing.toy import Toy

from .court import HALF, RIGHT, WRONG, Says, Speech, asked, court, preference

SUITE = Toy(samples=1)


def heard(
    model: Any, a: str = "one", b: str = "two", *, scope: Scope | None = None, judge: Judge | None = None
) -> Hearing:
    pair = Pair("toy-0", 0, {"a": "run a", "b": "run b"}, {"a": a, "b": b})
    hearing = Hearing(pair, Ledger("pair"))

    async def main(clock: Clock) -> None:
        one = cell(Says(""), model, suite=SUITE, limits=Limits(transport_attempts=1))
        await model.open(clock)
        await hearing.judge(judge or Judge(), one, SUITE.sample("toy-0"), clock, scope or Scope("experiment"))

    run_clock("virtual", main)
    return hearing


def answers_in(text: str) -> tuple[str, str]:
    """What stands under A and under B."""
    fence = next(line for line in text.splitlines() if set(line) == {"="})
    pieces = text.split(f"\n{fence}\n")
    headings = [i for i, piece in enumerate(pieces) if piece.strip().endswith(("Answer A:", "Answer B:"))]
    return tuple(pieces[i + 1] for i in headings)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("speech", "outcome"),
    [
        ([preference("A"), preference("B")], "a"),
        ([preference("B"), preference("A")], "b"),
        ([preference("tie"), preference("tie")], "tie"),
        ([preference("A"), preference("A")], "position"),
        ([preference("B"), preference("B")], "position"),
        ([preference("A"), preference("tie")], "position"),
    ],
)
def test_a_win_needs_both_orders(speech: Speech, outcome: str) -> None:
    model = court(speech)
    hearing = heard(model)
    assert hearing.outcome == outcome and hearing.error is None
    assert [answers_in(asked(r)) for r in model.requests] == [("one", "two"), ("two", "one")]
    assert [p.first for p in hearing.preferences] == ["a", "b"]


def test_a_judge_that_always_takes_the_first_finds_no_winner_and_is_found_out() -> None:
    hearings = [heard(court(lambda _: preference("A")), f"a{i}", f"b{i}") for i in range(5)]
    count = Count.of(hearings)
    assert (count.pairs, count.a, count.b, count.ties, count.position) == (5, 0, 0, 5, 5)
    assert (count.first, count.second, count.neither) == (10, 0, 0)


@pytest.mark.parametrize(
    ("a", "b", "outcome"), [(RIGHT, HALF, "a"), (WRONG, HALF, "b"), (WRONG, WRONG + " ", "tie")], ids=["a", "b", "tie"]
)
def test_a_careful_judge_finds_the_better_one(a: str, b: str, outcome: str) -> None:
    assert heard(faultless(), a, b).outcome == outcome


def test_the_same_answer_twice_is_a_tie_that_costs_nothing() -> None:
    hearing = heard(court([]), "same", "same")
    assert (hearing.outcome, hearing.ledger.calls) == ("identical", [])
    count = Count.of([hearing])
    assert (count.pairs, count.ties, count.identical, count.tokens, count.cost_pusd, count.cost_complete) == (
        1, 1, 1, 0, 0, True,
    )  # fmt: skip


def test_what_it_costs_is_a_judges_and_is_the_experiments() -> None:
    scope = Scope("experiment")
    hearing = heard(court(["no", preference("A"), preference("B")]), scope=scope)
    assert [c.operation_id for c in hearing.ledger.calls] == ["grader#1", "grader#2", "grader#3"]
    assert {c.activity for c in hearing.ledger.calls} == {s.purpose for s in hearing.ledger.shares} == {"judge"}
    count = Count.of([hearing])
    assert (scope.tokens, scope.pusd) == (count.tokens, count.cost_pusd) and count.tokens > 0
    assert hearing.unreadable == ["no"]


FAULT = TransportError("no such model", kind="not_found", retryable=False)


@pytest.mark.parametrize(
    ("speech", "error"),
    [
        (["no", "no"], "Unreadable: no verdict"),
        ([preference("A"), Say(fault=FAULT)], "TransportError: no such model"),
    ],
)
def test_a_verdict_that_does_not_come_is_an_error_and_no_tie(speech: Speech, error: str) -> None:
    hearing = heard(court(speech))
    assert hearing.outcome == "error" and (hearing.error or "").startswith(error)
    assert Count.of([hearing]).pairs == 0 and len(hearing.ledger.calls) == 2


def test_the_experiments_limit_is_told_from_other_faults() -> None:
    hearing = heard(court([preference("A")]), scope=Scope("experiment", tokens=10))
    assert hearing.outcome == "limit" and (hearing.error or "").startswith("experiment_tokens: ")
    assert heard(court([], window_tokens=10)).outcome == "error"


def test_a_cancelled_pair_keeps_what_it_has_spent() -> None:
    pair = Pair("toy-0", 0, {"a": "", "b": ""}, {"a": "one", "b": "two"})
    hearing = Hearing(pair, Ledger("pair"))

    async def main(clock: Clock) -> None:
        model = court([preference("A"), Say(preference("B"), latency_s=1000)])
        task = asyncio.create_task(
            hearing.judge(
                Judge(), cell(Says(""), model, suite=SUITE), SUITE.sample("toy-0"), clock, Scope("experiment")
            )
        )
        await clock.start().sleep(10, "test")
        task.cancel()
        await asyncio.wait([task])

    run_clock("virtual", main)
    assert hearing.outcome == "cancelled"
    assert [c.status for c in hearing.ledger.calls] == ["ok", "cancelled"]
