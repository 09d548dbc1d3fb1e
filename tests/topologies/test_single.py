"""The single agent: on the stronger model, and asked to check its own answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.models import ActingModel, Call, Say, heard, news

from harness.accounting.tokens import count_tokens
from harness.errors import ConfigError
from harness.limits import Limits
from harness.models.protocol import Request, TransportError
from harness.records import RunRecord
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.testing.toy import NOTES, Toy, entry
from topologies.single import REVIEW, Single

TOY = Toy(samples=1)
WRONG = json.dumps([entry(name, wrong) for name, (_, _, wrong) in NOTES.items()])
BROKEN = TransportError("made to fail", kind="test", retryable=False)


def run(topology: Single, model: ActingModel, limits: Limits | None = None) -> RunRecord:
    (record,) = records(cell(topology, model, suite=TOY, limits=limits))
    return record


def test_a_review_is_asked_for_in_the_same_conversation_and_is_rework(tmp_path: Path) -> None:
    said = [Say(WRONG), Say("", [Call("read_document", {"document": "pump.txt"})]), Say(TOY.key())]
    model = ActingModel({"solver": said})
    record = run(Single(reviews=1), model)
    assert (record.run.status, record.run.score, record.run.answer) == ("ok", 1.0, TOY.key())
    assert news(model.requests[1]) == REVIEW and WRONG in heard(model.requests[1])
    assert [c.activity for c in record.calls] == ["answer", "answer", "rework"]
    written = {(s.purpose, s.operation_id): s.tokens for s in record.shares if s.direction == "completion"}
    assert written["rework", record.calls[2].operation_id] == count_tokens(TOY.key())
    assert record.run.verification_tokens == count_tokens(TOY.key()) and record.run.coordination_tokens == 0
    assert faults([record], tmp_path) == []


def test_each_review_rewrites_the_last_answer() -> None:
    texts = ["[]", WRONG, TOY.key()]
    model = ActingModel({"solver": [Say(text) for text in texts]})
    record = run(Single(reviews=2), model)
    assert record.run.answer == TOY.key() and [c.activity for c in record.calls] == ["answer", "rework", "rework"]
    asked = [[m["content"] for m in r.messages].count(REVIEW) for r in model.requests]
    assert asked == [0, 1, 2]


@pytest.mark.parametrize("failing", [1, 2])
def test_the_answer_before_stands_if_a_review_fails(failing: int) -> None:
    said = [Say("[]"), Say(TOY.key()), Say(WRONG)]
    said[failing] = Say(fault=BROKEN)
    record = run(Single(reviews=2), ActingModel({"solver": said[: failing + 1]}))
    assert (record.run.status, record.run.answer) == ("ok", said[failing - 1].text)
    assert record.run.calls == failing + 1, "no review of a review that failed"
    assert [e.type for e in record.events].count("review_failed") == 1 and record.run.left_out == 0


def test_a_review_without_end_is_its_own_fault_and_a_limit_of_the_run_is_not() -> None:
    def reading(request: Request) -> Say:
        return Say("", [Call("read_document", {"document": "pump.txt"})]) if REVIEW in heard(request) else Say(WRONG)

    own = run(Single(reviews=1, max_steps=3), ActingModel(reading))
    assert (own.run.status, own.run.answer, own.run.calls, own.run.left_out) == ("ok", WRONG, 4, 0)
    whole = run(Single(reviews=1), ActingModel(reading), Limits(run_calls=4))
    assert (whole.run.status, whole.run.answer, whole.run.left_out) == ("limit", WRONG, 0), (
        "the answer so far is graded"
    )


def test_the_stronger_model_does_all_of_it() -> None:
    main, strong = ActingModel({}), ActingModel({"solver": [Say(WRONG), Say(TOY.key())]}, name="dear")
    main.roles = {"strong": strong}
    record = run(Single(strong=True, reviews=1), main)
    assert record.run.score == 1 and {c.model for c in record.calls} == {"dear"} and main.requests == []
    assert {c.role for c in record.calls} == {"strong"}
    assert {c.model for c in records(cell(Single(), faultless(), suite=TOY))[0].calls} == {"simulated"}


def test_it_is_refused_without_a_stronger_model() -> None:
    model = ActingModel({})
    sample = TOY.sample("toy-0")
    Single().check(model, sample)
    with pytest.raises(ConfigError, match=r"topology\.strong=true needs a stronger model beside the main one"):
        Single(strong=True).check(model, sample)
    model.roles = {"strong": model}
    Single(strong=True).check(model, sample)


def test_less_than_no_review_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"topology\.reviews=-1: must be 0"):
        Single(reviews=-1)
