"""What goes wrong inside a sub-agent, and the end of a run while some are at work: no task is left behind."""

from __future__ import annotations

import asyncio

import pytest
from support.models import Call, Say
from support.runs import cell, check_invariants, events, run_once

from harness.accounting.usage import Usage
from harness.bus.memory import MemoryBus
from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.dispatch.executor import Pool
from harness.limits import Limits, Scope
from harness.run import run_sample
from topologies.sync import Sync

from .stage import DONE, READ, Cast, ReferenceSuite, calls_of, dispatch, order, ran, read_back, spans, tool, tries

FOUR = Say("", [dispatch(order(f"job {n}")) for n in range(4)])


@pytest.mark.parametrize("beside", [(), (READ,)])
@pytest.mark.parametrize(
    ("raises", "type"),
    [(ValueError("a defect"), "ValueError"), (SystemExit(3), "RuntimeError"), (KeyboardInterrupt(), "RuntimeError")],
)
def test_a_tool_that_raises_ends_the_run(raises: BaseException, type: str, beside: tuple[Call, ...]) -> None:
    """A defect of a tool must not pass for a sub-agent's failure; and it never ends the process."""
    suite = ReferenceSuite(more_tools=[tool("broken", "read", raises=raises)])
    record, _ = ran([FOUR, DONE], [Say("", [Call("broken"), *beside])], suite=suite, status="error")
    assert record.run.error_type == type
    assert "topology: " in (record.run.error or "")
    assert record.delegations[0].status == "unanswered"
    assert events(record, "leftover") == []
    check_invariants(record)


def test_a_tool_that_raises_ends_the_others_too() -> None:
    suite = ReferenceSuite(more_tools=[tool("broken", "read", raises=ValueError("a defect"))])
    workers = {"job 0": [Say("", [Call("broken")])], "job": [Say("R.", latency_s=50)]}
    record, _ = ran([FOUR, DONE], workers, suite=suite, status="error", parallel=True)
    assert record.run.error_type == "ValueError"
    assert [(c.agent, c.status, c.ended_s) for c in record.calls] == [
        ("lead", "ok", 1),
        ("research_1", "ok", 2),
        ("research_2", "cancelled", 2),
    ]
    assert {d.status for d in record.delegations} == {"unanswered"}


def test_a_limit_of_the_run_in_a_sub_agent_ends_the_run() -> None:
    record, _ = ran([FOUR, DONE], lambda _: Say("", [READ]), limits=Limits(run_calls=3), status="limit")
    assert (record.run.limit, record.run.attempts) == ("run_calls: 4 is 1 over the bound of 3", 3)
    check_invariants(record)


def test_a_limit_of_the_experiment_in_a_sub_agent_ends_the_run() -> None:
    scope = Scope("experiment", calls=3)
    record = run_once(Sync(), Cast([FOUR, DONE], lambda _: Say("", [READ])), suite=ReferenceSuite(), scope=scope)
    assert (record.run.status, record.run.limit) == ("limit", "experiment_calls: 4 is 1 over the bound of 3")


def test_a_limit_that_an_abandoned_sub_agent_meets_ends_only_itself() -> None:
    """It has made two calls and the lead two when the fifth is asked for; the lead answers with its own last call."""
    lead = [Say("", [dispatch()]), Say('["done"]', latency_s=100)]
    workers = [Say("", [READ], 20), Say("", [READ], 20), Say("Never sent.")]
    record, _ = ran(lead, workers, worker_timeout_s=10, limits=Limits(run_calls=4))
    assert (record.run.answer, record.run.attempts) == ('["done"]', 4)
    assert spans(record, "research_1") == [(1, 21), (21, 41)]
    check_invariants(record)


def test_a_limit_passed_after_the_answer_keeps_the_answer() -> None:
    lead = [Say("", [dispatch()]), DONE]
    workers = [Say("Late.", latency_s=20, usage=Usage(10**6, 1))]
    record, _ = ran(lead, workers, worker_timeout_s=10, limits=Limits(run_tokens=100_000), status="limit")
    assert (record.run.answer, record.run.score, record.run.wall_s) == ('["done"]', 1.0, 12)
    assert [c.late for c in calls_of(record, "research_1")] == [True]


def test_late_work_may_not_go_on_beyond_the_run_s_wall_clock() -> None:
    """The answer is there at 12 s; the run's bound ends what is late at 100 s, and is not held against the answer."""
    record, _ = ran(
        [Say("", [dispatch()]), DONE], [Say("Late.", latency_s=500)], worker_timeout_s=10,
        limits=Limits(run_wall_s=100, call_timeout_s=900),
    )  # fmt: skip
    assert (record.run.status, record.run.score, record.run.wall_s) == ("ok", 1.0, 12)
    (late,) = calls_of(record, "research_1")
    assert (late.status, late.ended_s, late.usage_status) == ("cancelled", 100, "missing")
    assert not record.run.cost_complete


@pytest.mark.parametrize("pool", [Pool(), Pool(1, 1, 8), Pool(4, 4, 0)])
def test_the_run_s_wall_clock_ends_running_and_queued(pool: Pool) -> None:
    """Four at once at 1 s; at 50 s those that run are cancelled, and none that queues starts."""
    record, _ = ran(
        [FOUR, DONE], lambda _: Say("Late.", latency_s=100), parallel=True, pool=pool,
        limits=Limits(run_wall_s=50), status="timeout",
    )  # fmt: skip
    assert record.run.limit == "run_wall_s: not done after 50 s"
    assert record.run.wall_s == 50
    workers = [c for c in record.calls if c.depth]
    assert [(c.status, c.ended_s) for c in workers] == [("cancelled", 50)] * pool.core
    assert {s for _, _, s in tries(record)} == {"unanswered"}
    assert (events(record, "leftover"), events(record, "error")) == ([], [])
    check_invariants(record)


@pytest.mark.parametrize("pool", [Pool(), Pool(1, 1, 8)])
def test_cancelling_the_experiment_leaves_no_task(pool: Pool) -> None:
    model = Cast([FOUR, DONE], lambda _: Say("Late.", latency_s=100))

    async def main(clock: Clock) -> list[str]:
        bus = MemoryBus()
        await bus.open(clock)
        made = cell(Sync(parallel=True, pool=pool), model, bus, suite=ReferenceSuite())
        running = asyncio.create_task(run_sample(made, "s0", 0, clock, Scope("experiment")))
        await clock.start().sleep(5, "somebody")
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await bus.close()
        return [t.get_name() for t in asyncio.all_tasks() if t is not asyncio.current_task()]

    assert run("virtual", main) == []
    assert len(model.worked()) == pool.core


def test_the_lead_s_steps_are_a_limit() -> None:
    record, _ = ran(lambda _: Say("", [READ]), lead_steps=3, status="limit")
    assert record.run.limit == "max_steps: 4 is 1 over the bound of 3"


def test_a_lead_that_raises_ends_its_abandoned_sub_agents() -> None:
    """It has no third answer: IndexError at 12 s, while the abandoned one works until 101 s."""
    lead = [Say("", [dispatch()]), Say("", [READ])]
    record, _ = ran(lead, [Say("Late.", latency_s=100)], worker_timeout_s=10, status="error")
    assert record.run.error_type == "IndexError"
    assert [(c.status, c.ended_s, c.late) for c in calls_of(record, "research_1")] == [("cancelled", 12, True)]


@pytest.mark.parametrize("raises", [ValueError("a defect"), SystemExit(1)])
def test_a_defect_is_a_defect_also_when_it_is_late(raises: BaseException) -> None:
    suite = ReferenceSuite(more_tools=[tool("broken", "read", raises=raises)])
    record, _ = ran(
        [Say("", [dispatch()]), DONE], [Say("", [Call("broken")], 30)], worker_timeout_s=10, suite=suite, status="error"
    )
    assert record.run.wall_s == 12
    assert record.run.answer == '["done"]', "what was answered is kept beside the error"


def test_texts_of_any_kind() -> None:
    """Lone surrogates in an order and in a result; an order of a megabyte."""
    raw = dispatch(order("Find \ud83d the fee.", context_card={"background": "\udc00"}))
    record, model = ran([Say("", [raw]), DONE], [Say("\ud800 340 元")])
    assert read_back(model) == ["[SUCCESS] subtask_1 by research_1\n\ud800 340 元"]
    assert "Find \ud83d the fee." in model.worked()[0].messages[1]["content"]
    check_invariants(record)


def test_an_order_of_a_megabyte() -> None:
    """It is sent; a model's window is what bounds it, and an overrun of a sub-agent's is its failure."""
    text = "逐条核对合同。" * 50_000
    model = Cast([Say("", [dispatch(order(text))]), DONE], [Say("R.")], window_tokens=10**7)
    record = run_once(Sync(), model, suite=ReferenceSuite())
    assert (record.run.status, record.delegations[0].status) == ("ok", "success")
    assert text in model.worked()[0].messages[1]["content"]
