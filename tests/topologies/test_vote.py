"""Voting: nobody reads another's text, code takes the majority, and no token goes on coordination."""

from __future__ import annotations

import json
from pathlib import Path

from support.models import ActingModel, Call, Say
from support.panels import READ, Panel, entries
from support.runs import check_invariants, events, purposes, run_once, shares

from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from topologies.single import Single
from topologies.vote import Vote


def test_each_question_goes_to_the_answer_that_most_give() -> None:
    model = Panel(
        "vote",
        {
            "voter_1": [Say(entries(a="1", b="2", c="3"))],
            "voter_2": [Say(entries(a="1", b="0", c="9"))],
            "voter_3": [Say(entries(b="0", c="5", d="4"))],
        },
    )
    record = run_once(Vote(), model)
    check_invariants(record)
    said = {e["question"]: e["answer"] for e in json.loads(record.run.answer)}
    assert said == {"a": "1", "b": "0", "c": "3", "d": "4"}, "c: three answers, so the first; a, d: some abstain"
    assert record.run.calls == 3, "no model counts the votes"


def test_a_voter_is_sent_what_a_single_agent_is_sent() -> None:
    single = ActingModel({"solver": [READ, Say("yes")]})
    run_once(Single(), single)
    voters = Panel("vote", {f"voter_{n}": [READ, Say("yes")] for n in (1, 2, 3)})
    run_once(Vote(), voters)
    for name in ("voter_1", "voter_2", "voter_3"):
        for own, alone in zip(voters.of(name), single.requests, strict=True):
            assert (own.messages, own.tools) == (alone.messages, alone.tools)


def test_not_even_the_engine_s_corrections_are_coordination() -> None:
    """A voter knows of no team, so they are the task's, as a single agent's are."""
    stumbles = [Say(calls=(Call("read_document", "{"), Call("open", {}), Call("delegate", {"task": "x"}))), Say("yes")]
    record = run_once(Vote(), Panel("vote", {f"voter_{n}": stumbles for n in (1, 2, 3)}))
    assert (record.run.family, record.run.refused, record.run.parse_failures) == ("team", 6, 3)
    assert record.run.coordination_tokens == record.run.verification_tokens == 0
    assert {s.purpose for s in record.shares} == {"task", "answer"}
    single = run_once(Single(), ActingModel({"solver": stumbles}))
    for name in ("voter_1", "voter_2", "voter_3"):
        assert purposes(shares(record, agent=name)) == purposes(shares(single)), "token for token"


def test_voters_on_models_of_their_own() -> None:
    main = ActingModel(lambda _: Say("main"))
    main.roles = {name: ActingModel(lambda _: Say("yes"), name=f"model-{name}") for name in ("b", "c")}
    record = run_once(Vote(voters=3, models=["b", "c", "b"]), main)
    assert {c.agent: c.model for c in record.calls} == {
        "voter_1": "model-b",
        "voter_2": "model-c",
        "voter_3": "model-b",
    }
    assert record.run.answer == "yes" and not main.requests


def test_without_names_all_run_on_the_main_model_or_that_of_their_role() -> None:
    main, own = ActingModel(lambda _: Say("main")), ActingModel(lambda _: Say("own"), name="own")
    assert {c.model for c in run_once(Vote(), main).calls} == {"acting"}
    main.roles = {"voter": own}
    assert {c.model for c in run_once(Vote(), main).calls} == {"own"}


def test_one_voter_is_a_single_agent_by_another_name(tmp_path: Path) -> None:
    one, alone = (records(cell(t, faultless())) for t in (Vote(voters=1), Single()))
    assert faults(one, tmp_path) == []
    for a, b in zip(one, alone, strict=True):
        assert (a.run.score, a.run.calls, a.run.work_tokens) == (b.run.score, b.run.calls, b.run.work_tokens)
        assert not events(a, "left_out")
