"""One logical call: retries, waits and timeouts, each attempt a row; and limits, the outermost first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.models import ActingModel, Call, Say, Sequenced
from support.runs import check_invariants, run_once

from harness.accounting.prices import UnpricedModel
from harness.accounting.usage import NOT_BILLED, Usage
from harness.errors import ConfigError, LimitExceeded
from harness.limits import Limits, Scope
from harness.models.protocol import Request, Response, TransportError
from topologies.single import Single


def busy(retry_after_s: float | None = None) -> Say:
    """A rate limit: known to cost nothing."""
    fault = TransportError(
        "slow down", kind="rate_limit", retry_after_s=retry_after_s, usage=NOT_BILLED, latency_s=0.25
    )
    return Say(fault=fault)


def stall() -> Say:
    """The connection broke after sending: nobody knows what it cost."""
    return Say(fault=TransportError("connection lost", kind="connection", latency_s=2.0))


def attempts(record: Any) -> list[tuple[Any, ...]]:
    return [(c.operation_id, c.attempt, c.status, c.usage_status, c.started_s, c.ended_s) for c in record.calls]


def test_a_rate_limit_is_waited_out_as_long_as_the_provider_asks() -> None:
    record = run_once(Single(), Sequenced([busy(7.0), busy(3.5), Say("done")]))
    assert attempts(record) == [
        ("solver#1", 1, "error", "reported", 0.0, 0.25),
        ("solver#1", 2, "error", "reported", 7.25, 7.5),
        ("solver#1", 3, "ok", "reported", 11.0, 12.0),
    ]
    assert [c.queue_s for c in record.calls] == [0, 7.0, 3.5]
    assert [c.cost_pusd for c in record.calls[:2]] == [0, 0]
    r = record.run
    assert (r.calls, r.attempts, r.retries_transport, r.cost_complete) == (1, 3, 2, True)
    assert (r.wall_s, r.working_s) == (12.0, 1.5)
    assert record.calls[0].error == "rate_limit: slow down"
    assert not record.calls[0].used
    check_invariants(record)


def test_without_a_wish_the_wait_doubles() -> None:
    record = run_once(Single(), Sequenced([busy(), busy(), busy(), Say("done")]), limits=Limits(backoff_s=2.0))
    assert [c.queue_s for c in record.calls] == [0, 2, 4, 8]


def test_no_wait_is_longer_than_the_bound() -> None:
    record = run_once(Single(), Sequenced([busy(1_000_000), Say("done")]), limits=Limits(max_wait_s=60))
    assert record.run.wall_s == 0.25 + 60 + 1


def test_attempts_used_up_are_an_error_row() -> None:
    record = run_once(Single(), Sequenced([busy()] * 9), limits=Limits(transport_attempts=3))
    assert (record.run.status, record.run.error_type, record.run.attempts) == ("error", "TransportError", 3)
    assert record.run.cost_pusd == 0
    assert record.run.cost_complete


def test_a_fault_that_no_retry_mends_is_not_retried() -> None:
    fault = TransportError("no such model", kind="not_found", retryable=False, usage=NOT_BILLED, latency_s=0)
    record = run_once(Single(), Sequenced([Say(fault=fault)]))
    assert (record.run.status, record.run.attempts) == ("error", 1)


def test_an_unknown_attempt_leaves_the_run_s_cost_incomplete() -> None:
    record = run_once(Single(), Sequenced([stall(), Say("done", usage=Usage(100, 10))]))
    assert [c.usage_status for c in record.calls] == ["missing", "reported"]
    assert record.calls[0].cost_pusd is None
    assert record.run.cost_pusd == 100 * 10**6 + 10 * 4 * 10**6  # the sum of what is known
    assert not record.run.cost_complete
    check_invariants(record)


def test_a_run_of_which_nothing_is_known_costs_null() -> None:
    record = run_once(Single(), Sequenced([stall()] * 4))
    assert (record.run.cost_pusd, record.run.cost_usd, record.run.cost_complete) == (None, None, False)


def test_an_unpriced_model_costs_null_and_is_incomplete() -> None:
    record = run_once(Single(), Sequenced([Say("done")], pricing=UnpricedModel()))
    assert (record.run.cost_pusd, record.run.cost_uncached_usd, record.run.cost_complete) == (None, None, False)
    assert record.run.status == "ok"


def test_a_call_that_timed_out_is_sent_again() -> None:
    """The first cost is unknown, so the run's is incomplete although it ended well."""
    late = [Say("late", latency_s=500), Say('["done"]')]
    record = run_once(Single(), Sequenced(late), limits=Limits(call_timeout_s=20))
    assert [(c.attempt, c.status) for c in record.calls] == [(1, "timeout"), (2, "ok")]
    assert (record.run.status, record.run.retries_transport, record.run.cost_complete) == ("ok", 1, False)


def test_a_call_timeout_has_its_name_and_an_unknown_cost() -> None:
    limits = Limits(call_timeout_s=20, transport_attempts=2)
    record = run_once(Single(), Sequenced([Say("late", latency_s=500)] * 2), limits=limits)
    assert attempts(record) == [
        ("solver#1", 1, "timeout", "missing", 0.0, 20.0),
        ("solver#1", 2, "timeout", "missing", 20.0, 40.0),
    ]
    assert (record.run.status, record.run.error_type) == ("timeout", "TimeoutError")
    assert record.run.limit == record.run.error == "call_timeout_s: no answer in 20 s"
    assert not record.run.cost_complete


def test_a_run_s_wall_clock_cancels_the_call_and_keeps_its_row() -> None:
    record = run_once(Single(), Sequenced([Say("late", latency_s=100)]), limits=Limits(run_wall_s=30))
    assert attempts(record) == [("solver#1", 1, "cancelled", "missing", 0.0, 30.0)]
    assert (record.run.status, record.run.limit) == ("timeout", "run_wall_s: not done after 30 s")
    assert record.run.wall_s == 30
    check_invariants(record)


def test_an_impossible_usage_is_an_error_and_a_missing_attempt() -> None:
    record = run_once(Single(), Sequenced([Say("done", usage=Usage(10, 1, cached_tokens=11))]))
    assert (record.run.status, record.run.error_type) == ("error", "AccountingError")
    assert record.calls[0].usage_status == "missing"
    check_invariants(record)


# -- limits --------------------------------------------------------------------------------------------------------


def reading() -> ActingModel:
    """Never done; each call costs 100 + 10 tokens, that is 140 microdollars."""
    return ActingModel(lambda _: Say("", [Call("read_document", {"name": "a.txt"})], usage=Usage(100, 10)))


@pytest.mark.parametrize(
    ("limits", "calls", "says"),
    [
        ({"run_tokens": 250}, 3, "run_tokens: 330 is 80 over the bound of 250"),
        ({"run_calls": 2}, 2, "run_calls: 3 is 1 over the bound of 2"),
        ({"run_usd": 0.0003}, 3, "run_usd: 0.00042 is 0.00012 over the bound of 0.0003"),
        ({"agent_tokens": 250}, 3, "agent_tokens: 330 is 80 over the bound of 250"),
        ({"agent_calls": 2}, 2, "agent_calls: 3 is 1 over the bound of 2"),
        ({"run_tokens": 250, "agent_tokens": 250}, 3, "run_tokens: 330 is 80 over the bound of 250"),
        ({"run_calls": 2, "agent_calls": 2}, 2, "run_calls: 3 is 1 over the bound of 2"),
        ({"run_tokens": 330}, 4, "run_tokens: 440 is 110 over the bound of 330"),  # a bound may be reached
    ],
)
def test_a_limit_is_an_outcome_that_says_by_how_much(limits: dict[str, Any], calls: int, says: str) -> None:
    record = run_once(Single(), reading(), limits=Limits(**limits))
    assert (record.run.status, record.run.limit, len(record.calls)) == ("limit", says, calls)
    check_invariants(record)


def test_the_experiment_s_limit_beats_the_run_s_and_the_agent_s() -> None:
    limits = Limits(run_tokens=250, agent_tokens=250)
    record = run_once(Single(), reading(), limits=limits, scope=Scope("experiment", tokens=200))
    assert record.run.limit == "experiment_tokens: 220 is 20 over the bound of 200"
    record = run_once(Single(), reading(), limits=limits, scope=Scope("experiment", tokens=300))
    assert record.run.limit == "experiment_tokens: 330 is 30 over the bound of 300"


def test_scopes_add_up_and_the_outermost_breach_wins() -> None:
    experiment = Scope("experiment", tokens=100)
    run = Scope("run", experiment, tokens=100, usd=1e-6)
    agents = [Scope("agent", run, calls=5) for _ in range(2)]
    agents[0].spend(60, 500_000)
    agents[1].spend(40, None)
    for agent in agents:
        agent.check()  # 100 of 100
    assert (experiment.tokens, run.calls, run.pusd, agents[1].tokens) == (100, 2, 500_000, 40)
    agents[1].spend(1, 600_000)
    with pytest.raises(LimitExceeded) as breach:
        agents[0].check()
    assert breach.value.facts == {"limit": "experiment_tokens", "bound": 100, "value": 101, "scope": "experiment"}


@pytest.mark.parametrize(
    ("name", "value"),
    [("run_usd", 0), ("run_tokens", -1), ("max_depth", -1), ("workers_running", 0), ("call_timeout_s", 0),
     ("transport_attempts", 0), ("run_wall_s", float("nan"))],
)  # fmt: skip
def test_bounds_that_make_no_sense_are_refused(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=f"limits.{name}"):
        Limits(**{name: value})


def test_a_prompt_that_only_its_provider_finds_too_long_is_a_limit_and_graded() -> None:
    """Its tokeniser counts more than ours: the same outcome as one that we find too long, on what exists."""
    fault = TransportError("request (9014 tokens) exceeds the context", kind="context_window", retryable=False,
                           usage=NOT_BILLED, latency_s=0)  # fmt: skip
    record = run_once(Single(), Sequenced([Say(fault=fault)]))
    assert (record.run.status, record.run.attempts) == ("limit", 1)
    assert record.run.limit == "window_tokens: request (9014 tokens) exceeds the context"
    assert record.calls[0].error == "context_window: request (9014 tokens) exceeds the context"
    assert any(e.type == "graded" for e in record.events)
    check_invariants(record)


def test_no_row_of_a_simulated_model_passes_for_a_real_one() -> None:
    """A stand-in behind a gateway: the gateway lists a model like any other, the answers tell."""

    class Disguised(ActingModel):
        simulated = False

        async def complete(self, request: Request) -> Response:
            return replace(await super().complete(request), simulated=True, latency_s=None)

    record = run_once(Single(), Disguised(lambda _: Say('["done"]', usage=Usage(100, 10))))
    assert (record.run.status, record.run.score, record.run.attempts) == ("error", 0.0, 1)
    assert (record.run.error or "").startswith("topology: model 'acting' is simulated, behind a server")
    assert (record.run.prompt_tokens, record.run.completion_tokens) == (100, 10), "what it took is known"
    check_invariants(record)
    assert run_once(Single(), ActingModel(lambda _: Say('["done"]'))).run.status == "ok"
