"""Nobody waits longer than ``worker_timeout_s``: what is harvested, what is late, and what it costs."""

from __future__ import annotations

import pytest
from support.models import Call, Say
from support.runs import check_invariants, events, purposes, shares

from harness.dispatch.executor import Pool
from harness.dispatch.harvest import CUT, SubStep, partial_summary
from harness.limits import Limits

from .stage import (
    DONE,
    READ,
    ReferenceSuite,
    calls_of,
    dispatch,
    order,
    ran,
    read_back,
    spans,
    spent,
    told_errors,
    tool,
    tries,
)

LATE = [Say("", [READ]), Say("", [READ], 30), Say("Too late.")]
"""A step until 2 s, one until 32 s, an answer at 33 s."""


def test_the_lead_goes_on_exactly_at_the_timeout() -> None:
    record, model = ran([Say("", [dispatch()]), DONE], LATE, worker_timeout_s=10.5)
    assert spans(record, "lead") == [(0, 1), (11.5, 12.5)]
    assert read_back(model) == [
        "[PARTIAL_SUCCESS] subtask_1 by research_1: worker_timeout_s: not done after 10.5 s. Finished steps:\n"
        '1. read_document({"name": "a.txt"}) done: The fee is 340 yuan.\n'
    ]
    (row,) = record.delegations
    assert (row.status, row.seconds, row.validated) == ("partial_success", 10.5, False)
    assert row.raw_output == '1. read_document({"name": "a.txt"}) done: The fee is 340 yuan.'
    assert told_errors(row) == ["worker_timeout_s: not done after 10.5 s"]
    check_invariants(record)


def test_an_abandoned_sub_agent_goes_on_to_its_end() -> None:
    """It is not interrupted; what it spends after 11 s is late, unused, known, and the run's, whose time is over."""
    record, _ = ran([Say("", [dispatch()]), DONE], LATE, worker_timeout_s=10)
    assert [(c.started_s, c.ended_s, c.late, c.used, c.status) for c in calls_of(record, "research_1")] == [
        (1, 2, False, True, "ok"),
        (2, 32, True, False, "ok"),
        (32, 33, True, False, "ok"),
    ]
    assert record.run.wall_s == 12
    total = record.run.prompt_tokens + record.run.completion_tokens
    assert total == spent(record, "lead") + spent(record, "research_1")
    assert record.delegations[0].tokens == spent(record, "research_1")
    assert record.run.cost_complete
    assert [e.at_s for e in events(record, "abandoned")] == [11]
    assert [e.at_s for e in events(record, "sub_progress")] == [2, 32]
    assert tries(record) == [("d1", 1, "partial_success")], "its answer at 33 s changes nothing"


def test_only_what_the_abandoned_one_does_is_late() -> None:
    """It ends while its lead still works: late all the same; the lead's calls and another sub-agent's are not."""
    lead = [Say("", [dispatch(order("one"))]), Say("", [dispatch(order("two"))]), Say("", [READ], 40), DONE]
    workers = {"one": LATE, "two": [Say("Second.", latency_s=3)]}
    record, _ = ran(lead, workers, worker_timeout_s=10)
    assert {c.agent for c in record.calls if c.late} == {"research_1"}
    assert record.run.wall_s == 56
    assert spans(record, "research_1")[-1] == (32, 33)


@pytest.mark.parametrize("type", ["explore", "research"])
def test_done_at_the_very_instant_is_done(type: str) -> None:
    """Whatever the type is called: names before and after "lead"."""
    record, model = ran([Say("", [dispatch(type=type)]), DONE], [Say("Result.", latency_s=10)], worker_timeout_s=10)
    assert read_back(model) == [f"[SUCCESS] subtask_1 by {type}_1\nResult."]
    assert [(c.late, c.used) for c in record.calls] == [(False, True)] * 3
    record, model = ran([Say("", [dispatch(type=type)]), DONE], [Say("R.", latency_s=10)], worker_timeout_s=9.999999)
    assert read_back(model)[0].startswith("[FAILED]")
    assert [(c.late, c.used) for c in calls_of(record, f"{type}_1")] == [(True, False)]


def test_without_a_finished_step_there_is_nothing_to_harvest() -> None:
    record, model = ran([Say("", [dispatch()]), DONE], [Say("Late.", latency_s=30)], worker_timeout_s=10)
    assert read_back(model) == ["[FAILED] subtask_1 by research_1: worker_timeout_s: not done after 10 s\n"]
    assert (record.delegations[0].status, record.delegations[0].raw_output) == ("failed", "")


def test_harvesting_calls_no_model_and_is_report() -> None:
    record, _ = ran([Say("", [dispatch()]), DONE], LATE, worker_timeout_s=10)
    assert [c.started_s for c in record.calls if 11 <= c.started_s < 32] == [11], "the lead's own next call"
    read = purposes(shares(record, operation="lead#2", direction="prompt"))
    assert read["report"] > 0 and "merge" not in read


def test_a_finished_call_is_harvested_although_another_of_the_same_completion_hangs() -> None:
    suite = ReferenceSuite(more_tools=[tool("hang", "read", seconds=30)])
    record, model = ran(
        [Say("", [dispatch()]), DONE], [Say("", [READ, Call("hang")]), Say("Late.")], suite=suite, worker_timeout_s=10
    )
    (said,) = read_back(model)
    assert said.startswith("[PARTIAL_SUCCESS]") and "1. read_document(" in said and "hang" not in said
    assert record.delegations[0].status == "partial_success"


def test_inputs_and_outputs_are_cut_at_two_hundred_characters() -> None:
    name, text = "n" * 500, "文" * 199 + "字尾" + "x" * 300
    suite = ReferenceSuite(documents={name: text, "a.txt": "y"})
    workers = [Say("", [Call("read_document", {"name": name})]), Say("Late.", latency_s=99)]
    _, model = ran([Say("", [dispatch()]), DONE], workers, worker_timeout_s=10, suite=suite)
    given = ('{"name": "' + name)[:200]
    assert read_back(model)[0].endswith(f"\n1. read_document({given}) done: {'文' * 199}字\n")
    assert CUT == 200


def test_a_failed_step_is_a_step() -> None:
    workers = [Say("", [Call("read_document", {"name": "zz"}), Call("nowhere", "{bad")]), Say("Late.", latency_s=99)]
    _, model = ran([Say("", [dispatch()]), DONE], workers, worker_timeout_s=10)
    assert read_back(model)[0].split("Finished steps:\n")[1] == (
        '1. read_document({"name": "zz"}) error: no document \'zz\'; there are: a.txt, b.txt\n'
        "2. nowhere({bad) error: There is no tool 'nowhere'. Your tools: read_document.\n"
    )


def test_the_summary_by_hand() -> None:
    steps = [SubStep.of(1, "a", False, "x" * 201, "y" * 200), SubStep.of(2, "b", True, "", "")]
    assert partial_summary(steps) == f"1. a({'x' * 200}) done: {'y' * 200}\n2. b() error: "
    assert partial_summary([]) == ""


def test_waiting_for_a_place_is_part_of_the_time() -> None:
    """One place. The first holds it until 101 s, though its lead gave up at 11 s; the second never starts."""
    lead = [Say("", [dispatch(order("one")), dispatch(order("two"))]), DONE]
    record, model = ran(
        lead, {"one": [Say("Late.", latency_s=100)]}, parallel=True, pool=Pool(1, 1, 4), worker_timeout_s=10
    )
    assert [text.split(" by ")[0] for text in read_back(model)] == ["[FAILED] subtask_1", "[FAILED] subtask_2"]
    assert calls_of(record, "research_2") == []
    assert [e.agent for e in events(record, "never_started")] == ["research_2"]
    assert [(d.status, d.seconds, d.tokens > 0) for d in record.delegations] == [
        ("failed", 10, True),
        ("failed", 10, False),
    ]
    assert (record.run.wall_s, spans(record, "research_1")) == (12, [(1, 101)])


def test_an_abandoned_sub_agent_keeps_its_place() -> None:
    """The lead dispatches again at 12 s; the only place is free at 31 s, 19 s later and within its own 20 s."""
    lead = [Say("", [dispatch(order("one"))]), Say("", [dispatch(order("two"))]), DONE]
    workers = {"one": [Say("Late.", latency_s=30)], "two": [Say("Done.", latency_s=0.5)]}
    record, model = ran(lead, workers, pool=Pool(1, 1, 1), worker_timeout_s=20)
    assert spans(record, "research_1") == [(1, 31)]
    assert spans(record, "research_2") == [(31, 31.5)]
    assert read_back(model)[1] == "[SUCCESS] subtask_2 by research_2\nDone."


def test_a_slow_tool_is_time_like_any_other() -> None:
    suite = ReferenceSuite(more_tools=[tool("slow", "read", seconds=50)])
    workers = [Say("", [READ]), Say("", [Call("slow")]), Say("Late.")]
    record, model = ran([Say("", [dispatch()]), DONE], workers, worker_timeout_s=10, suite=suite)
    assert read_back(model)[0].startswith("[PARTIAL_SUCCESS]")
    assert spans(record, "research_1") == [(1, 2), (2, 3), (53, 54)]


def test_each_timeout_has_its_name() -> None:
    """The sub-agent's time, one request's, and the run's (003, section 5.2)."""
    lead, slow = [Say("", [dispatch()]), DONE], [Say("Late.", latency_s=1000)]
    limits = Limits(call_timeout_s=5, transport_attempts=1)
    _, model = ran(lead, slow, worker_timeout_s=100, limits=limits)
    assert "call_timeout_s: no answer in 5 s" in read_back(model)[0]
    _, model = ran(lead, slow, worker_timeout_s=7)
    assert "worker_timeout_s: not done after 7 s" in read_back(model)[0]
    record, _ = ran(lead, slow, limits=Limits(run_wall_s=9), status="timeout")
    assert record.run.limit == "run_wall_s: not done after 9 s"
