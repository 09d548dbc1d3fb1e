"""Delegation by tags: what starts when, what is refused, what is left out, and what each token counts as."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.models import Act, ActingModel, Call, Say, news, text_of, turn
from support.runs import check_invariants, events, purposes, run_once, shares

from harness.errors import ConfigError
from harness.limits import Limits
from harness.models.protocol import Request, TransportError
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Malformed
from harness.records import RunRecord
from harness.testing.models import faultless
from harness.testing.runs import cell, records
from harness.testing.toy import Toy
from tasks.qa_corpus import QaCorpus
from topologies.inline import Inline

READ = Call("read_document", {"name": "a.txt"})
DONE = Say('["done"]')


def tag(order: str) -> str:
    return f"<delegate>{order}</delegate>"


def is_worker(request: Request) -> bool:
    return "You are a sub-agent." in str(request.messages[0]["content"])


class Cast(ActingModel):
    """``lead``: what the lead says; ``workers``: order → what the worker says that was given it."""

    def __init__(self, lead: Act, workers: Mapping[str, Sequence[Say]]) -> None:
        def act(request: Request) -> Say:
            if is_worker(request):
                return workers[text_of(request.messages[1])][turn(request)]
            return lead(request) if callable(lead) else lead[turn(request)]  # type: ignore[return-value, operator]

        super().__init__(act)

    def led(self) -> list[str]:
        """What the lead read since it spoke last, of each of its requests."""
        return [news(r) for r in self.requests if not is_worker(r)]

    def worked(self) -> list[str]:
        return [text_of(r.messages[-1]) for r in self.requests if is_worker(r)]


def ran(
    lead: Act, workers: Mapping[str, Sequence[Say]] | None = None, *, limits: Limits | None = None, status: str = "ok",
    **inline: Any,
) -> tuple[RunRecord, Cast]:  # fmt: skip
    model = Cast(lead, workers or {})
    record = run_once(Inline(**inline), model, limits=limits)
    assert record.run.status == status, record.run.error
    check_invariants(record)
    return record, model


def spans(record: RunRecord, agent: str) -> list[tuple[float, float]]:
    return [(c.started_s, c.ended_s) for c in record.calls if c.agent == agent]


def test_workers_start_together_and_the_lead_goes_on_after_the_last() -> None:
    record, model = ran(
        [Say(f"Two parts.\n{tag('A.')}\n{tag('B.')}"), DONE],
        {"A.": [Say("", [READ]), Say("alpha", latency_s=3)], "B.": [Say("beta", latency_s=2)]},
    )
    assert spans(record, "worker_1") == [(1, 2), (2, 5)]
    assert spans(record, "worker_2") == [(1, 3)]
    assert spans(record, "lead") == [(0, 1), (5, 6)]
    assert model.led()[1] == "[SUCCESS] subtask_1 by worker_1\nalpha\n\n[SUCCESS] subtask_2 by worker_2\nbeta"
    assert [(d.subtask_id, d.worker, d.type, d.status, d.seconds) for d in record.delegations] == [
        ("subtask_1", "worker_1", "worker", "success", 4.0),
        ("subtask_2", "worker_2", "worker", "success", 2.0),
    ]
    assert [json.loads(d.order)["objective"] for d in record.delegations] == ["A.", "B."]
    assert (record.run.parse_failures, record.run.refused, record.run.left_out) == (0, 0, 0)
    assert record.run.answer == '["done"]'


def test_a_worker_knows_nothing_but_its_order() -> None:
    record, model = ran([Say(f"Secret plan.\n{tag('A.')}"), Say(tag("B.")), DONE], {"A.": [Say("x")], "B.": [Say("y")]})
    assert model.worked() == ["A.", "B."], "a fresh worker for each"
    workers = [r for r in model.requests if is_worker(r)]
    assert all([m["role"] for m in r.messages] == ["system", "user"] for r in workers)
    assert [[t["function"]["name"] for t in r.tools] for r in workers] == [["read_document"]] * 2
    assert {(c.agent, c.role, c.depth, c.parent_session_id is None) for c in record.calls} == {
        ("lead", "lead", 0, True), ("worker_1", "worker", 1, False), ("worker_2", "worker", 1, False),
    }  # fmt: skip


def test_what_each_token_counts_as() -> None:
    record, _ = ran([Say(f"Two parts.\n{tag('Read both documents.')}"), DONE], {"Read both documents.": [Say("alpha")]})
    dispatching = purposes(shares(record, agent="lead", direction="completion", operation="lead#1"))
    assert set(dispatching) == {"plan", "dispatch"} and dispatching["dispatch"] > dispatching["plan"]
    assert record.calls[0].activity == "dispatch"
    read = purposes(shares(record, agent="worker_1", direction="prompt"))
    assert set(read) == {"task", "scaffold", "dispatch"}
    ordered = [s for s in shares(record, agent="worker_1", direction="prompt") if s.purpose == "dispatch"]
    assert {s.author for s in ordered} == {"lead"}
    merged = shares(record, direction="prompt", operation="lead#2")
    assert {(s.author, s.purpose) for s in merged} == {
        ("task", "task"), ("engine", "scaffold"), ("lead", "plan"), ("lead", "dispatch"),
        ("engine", "report"), ("worker_1", "merge"),
    }  # fmt: skip


def test_tags_beside_tool_calls_are_carried_out_after_them() -> None:
    record, model = ran([Say(f"I look too.\n{tag('A.')}", [READ]), DONE], {"A.": [Say("x")]})
    assert model.led()[1] == "alpha\n[SUCCESS] subtask_1 by worker_1\nx", "the tool's result, then the worker's"
    roles = [m["role"] for m in model.requests[-1].messages]
    assert roles == ["system", "user", "assistant", "tool", "user"]
    assert set(purposes(shares(record, operation="lead#1", direction="completion"))) == {"plan", "dispatch", "answer"}


def test_malformed_tags_are_counted_and_told_and_spoil_no_other() -> None:
    record, model = ran(
        [Say(f"<delegate>C.\n{tag('A.')}\n{tag(' ')}\n{tag('B.')}"), DONE], {"A.": [Say("x")], "B.": [Say("y")]}
    )
    assert record.run.parse_failures == 2 and record.run.refused == 0
    told = [(e.agent, json.loads(e.data)["text"]) for e in events(record, "parse_failure")]
    assert told == [("lead", "tag 1 is opened and not closed"), ("lead", "tag 3 is empty")]
    said = model.led()[1].split("\n\n")
    assert said[:2] == ["[SUCCESS] subtask_1 by worker_1\nx", "[SUCCESS] subtask_2 by worker_2\ny"]
    assert said[2].startswith("Not taken: tag 1 is opened and not closed; tag 3 is empty. Write an order as <delegate>")
    correction = [s for s in shares(record, operation="lead#2", direction="prompt") if s.author == "engine"]
    assert {s.purpose for s in correction} == {"scaffold", "report"}


def test_a_lead_with_nothing_but_malformed_tags_is_told_and_goes_on() -> None:
    record, model = ran([Say("<delegate>A."), Say(tag("A.")), DONE], {"A.": [Say("x")]})
    assert spans(record, "lead") == [(0, 1), (1, 2), (3, 4)], "nothing was waited for after the first"
    assert model.led()[1].startswith("Not taken: tag 1 is opened and not closed.")
    assert len(record.delegations) == 1 and record.run.parse_failures == 1


def test_a_lead_that_writes_only_malformed_tags_ends_at_its_steps() -> None:
    record, _ = ran(lambda _: Say("<delegate>A."), lead_steps=3, status="limit")
    assert str(record.run.limit).startswith("lead_steps: ") and record.run.calls == 3 and record.run.parse_failures == 3


def test_tags_beyond_the_cap_are_refused_each_in_its_place() -> None:
    record, model = ran(
        [Say(tag("A.")), Say(f"{tag('B.')}{tag('C.')}{tag('D.')}"), DONE],
        {"A.": [Say("x")], "B.": [Say("y")]},
        max_delegations=2,
    )
    refusal = "REFUSED: all 2 delegations are used. Go on with what you have, or do the rest yourself."
    assert model.led()[2] == f"[SUCCESS] subtask_2 by worker_2\ny\n\n{refusal}\n\n{refusal}"
    assert record.run.refused == 2 and len(record.delegations) == 2
    assert [json.loads(e.data)["tag"] for e in events(record, "refused", "lead")] == [2, 3]


def test_a_worker_that_writes_a_tag_is_refused_by_depth_and_goes_on() -> None:
    record, model = ran([Say(tag("A.")), DONE], {"A.": [Say(f"{tag('B.')}{tag('C.')} and <delegate>D."), Say("alpha")]})
    assert model.worked()[1].startswith("Refused: you work at depth 1 and may not hand work to others (limit 1).")
    tried = [(e.agent, json.loads(e.data)) for e in events(record, "depth_violation")]
    assert [(who, said["depth"], said["how"]) for who, said in tried] == [("worker_1", 2, "tag")] * 3
    assert (record.run.depth_violations, record.run.refused, record.run.parse_failures) == (3, 3, 1)
    assert len(record.delegations) == 1 and record.delegations[0].raw_output == "alpha"
    assert set(purposes(shares(record, agent="worker_1", direction="completion"))) == {"plan", "dispatch", "answer"}


def test_a_worker_cannot_hand_on_however_deep_the_limit() -> None:
    record, model = ran([Say(tag("A.")), DONE], {"A.": [Say(tag("B.")), Say("alpha")]}, limits=Limits(max_depth=3))
    assert model.worked()[1].startswith("Refused: a sub-agent cannot hand work on.")
    assert (record.run.depth_violations, record.run.refused) == (0, 1)
    assert max(c.depth for c in record.calls) == 1


def test_a_worker_s_call_of_a_delegation_tool_is_refused_too() -> None:
    record, _ = ran([Say(tag("A.")), DONE], {"A.": [Say("", [Call("delegate", {"task": "B."})]), Say("alpha")]})
    assert (record.run.depth_violations, record.run.refused) == (1, 1)
    assert record.delegations[0].status == "success"


def test_without_depth_the_lead_s_tags_are_refused() -> None:
    record, model = ran([Say(f"{tag('A.')}{tag('B.')}"), DONE], limits=Limits(max_depth=0))
    assert model.led()[1].count("Refused: you work at depth 0") == 2
    assert (record.run.depth_violations, record.run.refused, len(record.delegations)) == (2, 2, 0)


def test_a_worker_that_is_not_done_in_time_is_interrupted_and_left_out() -> None:
    record, model = ran(
        [Say(f"{tag('A.')}{tag('B.')}"), DONE],
        {"A.": [Say("late", latency_s=9)], "B.": [Say("y")]},
        worker_timeout_s=5.0,
    )
    assert model.led()[1].startswith("[FAILED] subtask_1 by worker_1: worker_timeout_s: not done after 5 s\n")
    assert spans(record, "lead") == [(0, 1), (6, 7)] and spans(record, "worker_1") == [(1, 6)]
    assert [d.status for d in record.delegations] == ["failed", "success"]
    assert record.run.left_out == 1 and record.run.wall_s == 7
    (cut,) = [c for c in record.calls if c.agent == "worker_1"]
    assert (cut.status, cut.used, cut.late) == ("cancelled", False, False)


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ([Say(fault=TransportError("overloaded", kind="server_error", retryable=False))], "server_error: overloaded"),
        ([Say("", [READ]), Say("", [READ])], "max_steps: not done after 2 steps"),
    ],
)
def test_a_worker_that_fails_is_left_out_and_the_others_are_not(says: list[Say], why: str) -> None:
    record, model = ran(
        [Say(f"{tag('A.')}{tag('B.')}"), DONE], {"A.": says, "B.": [Say("y", latency_s=3)]}, worker_steps=2
    )
    first, second = model.led()[1].split("\n\n[")
    assert first.strip() == f"[FAILED] subtask_1 by worker_1: {why}" and second == "SUCCESS] subtask_2 by worker_2\ny"
    assert record.run.left_out == 1
    assert [(e.agent, json.loads(e.data)["text"]) for e in events(record, "left_out")] == [("worker_1", why)]


def test_a_worker_that_is_blocked_says_so_and_is_not_left_out() -> None:
    record, model = ran([Say(tag("A.")), DONE], {"A.": [Say("BLOCKED: no such document.")]})
    assert model.led()[1] == "[FAILED] subtask_1 by worker_1: blocked\nBLOCKED: no such document."
    assert record.run.left_out == 0 and record.delegations[0].status == "blocked"


def test_no_more_workers_run_at_once_than_the_limit_allows() -> None:
    record, _ = ran(
        [Say("".join(tag(n) for n in "ABC")), DONE],
        {n: [Say(n)] for n in "ABC"},
        limits=Limits(workers_running=2),
    )
    assert [spans(record, f"worker_{n}") for n in (1, 2, 3)] == [[(1, 2)], [(1, 2)], [(2, 3)]]


def test_a_json_answer_that_quotes_a_tag_is_the_answer() -> None:
    record, _ = ran([Say(f'["{tag("A.")}"]')])
    assert record.run.answer == f'["{tag("A.")}"]' and not record.delegations


@pytest.mark.parametrize("name", ["max_delegations", "lead_steps", "worker_steps", "worker_timeout_s"])
def test_bad_parameters_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=f"topology.{name}=0: must be above 0"):
        Inline(**{name: 0})


# -- with the simulated model --------------------------------------------------------------------------------------


def erring(rate: float) -> SimulatedModel:
    """Faultless but for its tags."""
    model = faultless()
    made = replace(model, behaviour=replace(model.behaviour, malformed=Malformed(rate=0, tags=rate)))
    made.consult(Toy().oracle())
    return made


@pytest.mark.parametrize("docs", [3, 7])
def test_a_faultless_model_solves_generated_material(docs: int) -> None:
    suite = QaCorpus(corpus="generated", docs=docs, samples=2)
    suite.load()
    for record in records(cell(Inline(), faultless(suite.oracle()), suite=suite)):
        assert (record.run.score, record.run.parse_failures, record.run.left_out) == (1.0, 0, 0)
        assert len(record.delegations) == -(-docs // 3), "three documents to a part"


def test_a_model_that_never_closes_a_tag_does_the_work_alone_in_the_end() -> None:
    for record in records(cell(Inline(), erring(1.0)), epochs=range(3)):
        assert (record.run.status, record.run.score, len(record.delegations)) == ("ok", 1.0, 0)
        assert record.run.parse_failures == 4, "two parts, each tried twice"
        assert {c.agent for c in record.calls} == {"lead"}


def test_tags_are_malformed_at_the_declared_rate_and_written_again() -> None:
    """Each of two parts is written until a try is well-formed, at most twice."""
    rate, epochs = 0.3, 200
    found = records(cell(Inline(), erring(rate), suite=Toy(samples=1)), epochs=range(epochs))
    assert {(r.run.status, r.run.score) for r in found} == {("ok", 1.0)}
    failures, started = (sum(x) for x in zip(*((r.run.parse_failures, len(r.delegations)) for r in found), strict=True))
    tries = failures + started
    assert abs(failures / tries - rate) < 3.29 * (rate * (1 - rate) / tries) ** 0.5
    lost = 2 * epochs - started  # parts that were malformed twice
    assert abs(lost / (2 * epochs) - rate**2) < 3.29 * (rate**2 * (1 - rate**2) / (2 * epochs)) ** 0.5
