"""The cheap model first, the strong one where a visible test fails."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.models import ActingModel, Say, heard, named

from harness.errors import ConfigError
from harness.limits import Limits
from harness.models.protocol import Request, TransportError
from harness.records import RunRecord
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.testing.toy import NOTES, Toy, entry
from topologies.escalate import UNFINISHED, Escalate
from topologies.single import REVIEW, Single

TOY = Toy(samples=1)
RIGHT = TOY.key()
CHEAP = ("solver_1", "solver_2")
FAILING = Say(fault=TransportError("made to fail", kind="test", retryable=False))
SEEN = json.dumps([entry(n, "not to be found" if n == "pump.txt" else a) for n, (_, a, _) in NOTES.items()])
"""One answer stands in no note."""
PLAUSIBLE = json.dumps([entry(n, NOTES["pump.txt"][1]) for n in NOTES])
"""Wrong, and no visible test can tell."""


def models(cheap: Sequence[Say], strong: Sequence[Say]) -> tuple[ActingModel, ActingModel]:
    says = iter(strong)
    dear = ActingModel(lambda _: next(says), name="dear")
    main = ActingModel(lambda request: cheap[CHEAP.index(named(request, CHEAP))])
    main.roles = {"strong": dear}
    return main, dear


def run(topology: Escalate, main: ActingModel, limits: Limits | None = None) -> RunRecord:
    (record,) = records(cell(topology, main, suite=TOY, limits=limits))
    return record


def escalated(record: RunRecord) -> list[list[str]]:
    return [json.loads(e.data)["failures"] for e in record.events if e.type == "escalated"]


@pytest.mark.parametrize("answer", [RIGHT, PLAUSIBLE])
def test_what_passes_the_visible_tests_stays_right_or_wrong(answer: str) -> None:
    main, dear = models([Say(answer)], [])
    record = run(Escalate(), main)
    assert (record.run.status, record.run.answer, record.run.escalations) == ("ok", answer, 0)
    assert dear.requests == [] and escalated(record) == [] and record.run.calls == 1


def test_a_failure_goes_to_the_strong_model_which_starts_anew(tmp_path: Path) -> None:
    main, dear = models([Say(SEEN)], [Say(RIGHT)])
    record = run(Escalate(), main)
    assert (record.run.answer, record.run.score, record.run.escalations) == (RIGHT, 1.0, 1)
    ((failure,),) = escalated(record)
    assert failure.startswith("'not to be found' stands in no note")
    assert [(c.agent, c.role, c.model, c.started_s) for c in record.calls] == [
        ("solver_1", "single", "acting", 0.0), ("strong", "strong", "dear", 1.0),
    ]  # fmt: skip
    (request,) = dear.requests
    assert [m["content"] for m in request.messages[1:]] == [TOY.sample("toy-0").statement]
    assert "not to be found" not in heard(request)
    assert record.run.coordination_tokens == 0
    assert faults([record], tmp_path) == []


def test_the_strong_models_answer_stands_untested() -> None:
    main, _ = models([Say(SEEN)], [Say("[]")])
    assert run(Escalate(), main).run.answer == "[]"


def test_if_the_strong_model_fails_the_cheap_answer_stands() -> None:
    main, _ = models([Say("[]"), Say(SEEN)], [FAILING])
    record = run(Escalate(tries=2), main)
    assert (record.run.status, record.run.answer) == ("ok", SEEN), "the one with fewest failures"
    assert (record.run.escalations, record.run.left_out) == (1, 1)


def test_a_cheap_attempt_that_fails_escalates_too() -> None:
    main, _ = models([FAILING], [Say(RIGHT)])
    record = run(Escalate(), main)
    assert (record.run.score, record.run.escalations, record.run.left_out) == (1.0, 1, 1)
    assert escalated(record) == [[UNFINISHED]]


def test_nobody_answers() -> None:
    main, _ = models([FAILING], [FAILING])
    record = run(Escalate(), main)
    assert (record.run.status, record.run.score, record.run.left_out) == ("failed", 0.0, 2)
    assert "none of 2 attempts answered" in (record.run.error or "")


def test_the_cheap_model_may_try_again() -> None:
    main, dear = models([Say(SEEN), Say(RIGHT)], [])
    record = run(Escalate(tries=2), main)
    assert (record.run.answer, record.run.escalations, record.run.calls) == (RIGHT, 0, 2) and dear.requests == []


def test_the_cheap_answer_is_graded_if_a_limit_ends_the_run() -> None:
    main, _ = models([Say(SEEN)], [Say("", latency_s=100)])
    record = run(Escalate(), main, Limits(run_wall_s=10))
    assert (record.run.status, record.run.answer, record.run.score) == ("timeout", SEEN, 0.75)


def test_reviews_are_made_by_both() -> None:
    def checking(request: Request) -> Say:
        return Say(RIGHT if REVIEW in heard(request) else SEEN)

    main = ActingModel(checking)
    main.roles = {"strong": ActingModel({})}
    record = run(Escalate(attempt=Single(reviews=1)), main)
    assert (record.run.score, record.run.escalations, record.run.calls) == (1.0, 0, 2), "tested after its review"


def test_what_it_needs_is_asked_for_before_anything_runs() -> None:
    sample = TOY.sample("toy-0")
    Escalate().check(faultless(), sample)
    with pytest.raises(ConfigError, match=r"topology=escalate needs a stronger model .* set model\.strong=NAME"):
        Escalate().check(ActingModel({}), sample)
    with pytest.raises(ConfigError, match=r"topology=escalate needs visible tests, and this task has none"):
        Escalate().check(faultless(), replace(sample, visible=None))
    with pytest.raises(ConfigError, match=r"topology\.tries=0: must be from 1 to 100"):
        Escalate(tries=0)
    with pytest.raises(ConfigError, match=r"topology\.attempt\.strong=true"):
        Escalate(attempt=Single(strong=True))
