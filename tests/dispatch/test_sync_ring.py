"""The validation ring on sync: what is returned, how often, and what the lead reads in the end."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.models import Say
from support.runs import check_invariants

from harness.delegation.rendering import VAGUE
from harness.delegation.rules import Delegation
from topologies.sync import Sync

from .stage import (
    DONE,
    READ,
    RING,
    ReferenceSuite,
    calls_of,
    dispatch,
    order,
    ran,
    read_back,
    spent,
    told_errors,
    tries,
)

TWO_ENTRIES: dict[str, Any] = {"acceptance_criteria": [{"check": "count", "min": 2}]}
FEW = "entries: 1, at least 2 are asked for"


def test_off_by_default() -> None:
    """001 rules automatic retries out."""
    record, model = ran([Say("", [dispatch(order(**TWO_ENTRIES))]), DONE], [Say("no JSON")])
    assert Sync().delegation.validate is False
    assert read_back(model) == ["[SUCCESS] subtask_1 by research_1\nno JSON"]
    assert (tries(record), record.delegations[0].validated) == ([("d1", 1, "success")], False)
    assert record.run.retries_validation == 0


def test_a_result_is_returned_with_what_is_wrong_with_it() -> None:
    lead = [Say("", [dispatch(order(**TWO_ENTRIES))]), DONE]
    record, model = ran(lead, [Say("", [READ]), Say("[1]"), Say("[1, 2]")], delegation=RING)
    assert read_back(model) == ["[SUCCESS] subtask_1 by research_1\n[1, 2]"]
    again = model.worked()[-1].messages[-1]
    assert (again["role"], again["content"]) == (
        "user",
        f"[order subtask_1, try 2 of 3]\nNot accepted:\n- {FEW}\n"
        "Send the whole result again with these errors corrected.",
    )
    first, second = record.delegations
    assert tries(record) == [("d1", 1, "returned"), ("d1", 2, "success")]
    assert (told_errors(first), told_errors(second)) == ([FEW], [])
    assert (json.loads(first.order)["feedback"], json.loads(second.order)["feedback"]) == ([], [FEW])
    assert (first.raw_output, second.raw_output, first.validated, second.validated) == ("[1]", "[1, 2]", True, True)
    assert record.run.retries_validation == 1
    check_invariants(record)


def test_tokens_and_seconds_by_hand() -> None:
    """The first try has the sub-agent's first two calls (2 s + 3 s), the second its third (4 s)."""
    lead = [Say("", [dispatch(order(**TWO_ENTRIES))]), DONE]
    workers = [Say("", [READ], 2), Say("[1]", latency_s=3), Say("[1, 2]", latency_s=4)]
    record, _ = ran(lead, workers, delegation=RING)
    calls = [c.prompt_tokens + c.completion_tokens for c in calls_of(record, "research_1")]
    assert [(d.tokens, d.seconds) for d in record.delegations] == [(calls[0] + calls[1], 5), (calls[2], 4)]
    assert sum(d.tokens for d in record.delegations) == spent(record, "research_1")


@pytest.mark.parametrize("retries", [0, 1, 2])
def test_at_most_so_many_re_orders_then_a_person(retries: int) -> None:
    lead = [Say("", [dispatch(order(**TWO_ENTRIES, max_retries=retries))]), DONE]
    record, model = ran(lead, lambda _: Say("[1]"), delegation=RING)
    times = "1 try" if retries == 0 else f"{retries + 1} tries"
    assert read_back(model) == [
        f"[FAILED] subtask_1 by research_1: needs_person: not accepted after {times}: {FEW}\n[1]"
    ]
    assert [s for _, _, s in tries(record)] == ["returned"] * retries + ["needs_person"]
    assert len(calls_of(record, "research_1")) == retries + 1
    assert record.run.retries_validation == retries
    assert told_errors(record.delegations[-1]) == [FEW]


def test_a_lead_is_told_five_errors_and_how_many_more() -> None:
    wanted = [{"check": "required", "field": f"f{n}"} for n in range(7)]
    lead = [Say("", [dispatch(order(acceptance_criteria=wanted, max_retries=0))]), DONE]
    record, model = ran(lead, [Say('[{"g": 1}]')], delegation=RING)
    said = read_back(model)[0]
    assert len(told_errors(record.delegations[0])) == 7
    assert all(f"f{n}" in said for n in range(5)) and "f5" not in said and "(and 2 more)" in said


def test_vague_feedback() -> None:
    lead = [Say("", [dispatch(order(**TWO_ENTRIES))]), DONE]
    record, model = ran(lead, [Say("[1]"), Say("[1, 2]")], delegation=Delegation(feedback="vague"))
    assert model.worked()[-1].messages[-1]["content"] == f"[order subtask_1, try 2 of 3]\n{VAGUE}"
    assert told_errors(record.delegations[0]) == [FEW], "the row has what the worker is not told"


def test_more_retries_than_the_rules_allow_are_refused() -> None:
    record, model = ran([Say("", [dispatch(order(max_retries=3))]), DONE], delegation=RING)
    assert "max_retries is 3: 0 to 2 are allowed." in read_back(model)[0]
    assert (record.run.refused, record.delegations) == (1, [])


def test_blocked_is_accepted_at_once() -> None:
    lead = [Say("", [dispatch(order(**TWO_ENTRIES))]), DONE]
    record, model = ran(lead, [Say("BLOCKED: the scan is illegible.")], delegation=RING)
    assert read_back(model)[0].startswith("[FAILED] subtask_1 by research_1: blocked\nBLOCKED: the scan is illegible.")
    assert (tries(record), record.run.retries_validation) == ([("d1", 1, "blocked")], 0)


def test_forbidden_in_the_second_try() -> None:
    lead = [Say("", [dispatch(order(**TWO_ENTRIES))]), DONE]
    record, model = ran(lead, [Say("[1]"), Say("", [dispatch()]), Say("[1, 2]")], delegation=RING)
    assert tries(record) == [("d1", 1, "returned"), ("d1", 2, "forbidden")]
    assert read_back(model)[0].startswith("[FAILED] subtask_1 by research_1: forbidden action: ")


def test_the_timeout_covers_all_tries() -> None:
    """Returned at 5 s and again at 9 s; at 11 s its time is up, and the answer at 13 s changes nothing."""
    lead = [Say("", [dispatch(order(**TWO_ENTRIES))]), DONE]
    record, model = ran(lead, lambda _: Say("[1]", latency_s=4), delegation=RING, worker_timeout_s=10)
    assert tries(record) == [("d1", 1, "returned"), ("d1", 2, "returned"), ("d1", 3, "failed")]
    assert [d.seconds for d in record.delegations] == [4, 4, 2]
    assert read_back(model) == ["[FAILED] subtask_1 by research_1: worker_timeout_s: not done after 10 s\n"]
    assert [c.late for c in calls_of(record, "research_1")] == [False, False, True]
    assert record.run.retries_validation == 2


def test_the_source_is_looked_up_and_a_copy_is_measured() -> None:
    text = "The north pump delivers three hundred and forty litres per minute since the repair."
    suite = ReferenceSuite(documents={"a.txt": f"{text} It is blue.", "b.txt": "beta"})
    wanted = [{"check": "quote_in_source", "field": "answer"}]
    lead = [Say("", [dispatch(order(input_ref=["a.txt"], acceptance_criteria=wanted))]), DONE]
    right = json.dumps([{"answer": text}])
    workers = [Say("", [READ]), Say('[{"answer": "two hundred litres"}]'), Say(right)]
    record, _ = ran(lead, workers, delegation=RING, suite=suite)
    first, second = record.delegations
    assert tries(record) == [("d1", 1, "returned"), ("d1", 2, "success")]
    assert "two hundred litres" in told_errors(first)[0]
    assert first.copied_tokens == 0
    assert 12 <= second.copied_tokens <= 20, "the sentence that it copied, some 15 tokens"


def test_a_sentence_has_nothing_to_check() -> None:
    record, model = ran(
        [Say("", [dispatch("Find the fee.")]), DONE], [Say("340")], delegation=Delegation(order="sentence")
    )
    assert read_back(model) == ["[SUCCESS] subtask_1 by research_1\n340"]
    row = record.delegations[0]
    assert (row.validated, json.loads(row.order)["objective"], row.card_tokens) == (True, "Find the fee.", 0)
    assert model.worked()[0].messages[1]["content"] == "Find the fee.", "one sentence and nothing else"


def test_without_the_gate_prose_is_a_result() -> None:
    lead = [Say("", [dispatch({k: v for k, v in order().items() if k != "output_schema"})]), DONE]
    record, model = ran(lead, [Say("The fee is 340.")], delegation=Delegation(output_gate=False))
    assert tries(record) == [("d1", 1, "success")]
    assert all("output_schema" not in json.dumps(t) for t in model.led()[0].tools)
