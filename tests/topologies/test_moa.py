"""Mixture of agents: who reads what, what it counts as, and what becomes of a run whose parts fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from support.models import ActingModel, Call, Say, heard
from support.panels import DEAD, READ, Panel, entries, left_out
from support.runs import DeskSuite, check_invariants, purposes, run_once, shares

from harness.agents.tools import Tool
from harness.limits import Limits
from harness.records import RunRecord
from harness.suite import Sample
from topologies.moa import COMBINE, NO_TOOLS, TOOLS, Moa
from topologies.single import Single

ONE, TWO, THREE = entries(a="1"), entries(a="2", b="2"), entries(a="3", c="3")
FINAL = entries(a="1", b="2", c="3")


def acts(**changes: list[Say]) -> dict[str, list[Say]]:
    said = {
        "proposer_1": [READ, Say(ONE)],
        "proposer_2": [READ, Say(TWO)],
        "proposer_3": [READ, Say(THREE)],
        "aggregator": [Say(FINAL)],
    }
    return {**said, **changes}


def mixed(model: ActingModel, *, limits: Limits | None = None, **options: Any) -> RunRecord:
    record = run_once(Moa(**options), model, limits=limits)
    check_invariants(record)
    return record


def test_proposers_are_sent_what_a_single_agent_is_sent() -> None:
    single = ActingModel({"solver": [READ, Say("yes")]})
    run_once(Single(), single)
    model = Panel("moa", acts())
    mixed(model)
    for name in ("proposer_1", "proposer_2", "proposer_3"):
        assert [(r.messages, r.tools) for r in model.of(name)] == [
            (alone.messages[:2], alone.tools) if i == 0 else (r.messages, alone.tools)
            for i, (r, alone) in enumerate(zip(model.of(name), single.requests, strict=True))
        ]
        assert model.of(name)[1].messages == single.requests[1].messages


def test_the_aggregator_reads_the_task_and_the_proposals_without_their_authors() -> None:
    model = Panel("moa", acts())
    record = mixed(model)
    (request,) = model.of("aggregator")
    system, statement, proposals = (str(m["content"]) for m in request.messages)
    assert system.endswith(COMBINE.format(tools=NO_TOOLS)) and not request.tools
    assert statement == "Answer the question."
    assert proposals == f"Proposal 1:\n{ONE}\n\nProposal 2:\n{TWO}\n\nProposal 3:\n{THREE}"
    assert "proposer" not in heard(request)
    assert (record.run.answer, record.run.status) == (FINAL, "ok")
    read = [s for s in shares(record, agent="aggregator", direction="prompt") if s.author.startswith("proposer")]
    assert {s.author for s in read} == {"proposer_1", "proposer_2", "proposer_3"}
    assert set(purposes(read)) == {"merge"}
    assert {s.purpose for s in shares(record, agent="aggregator", direction="prompt") if s.author == "engine"} == {
        "scaffold"
    }
    written = purposes(shares(record, agent="aggregator", direction="completion"))
    assert set(written) == {"merge"}, "each answer stands in some proposal"


def test_what_stands_in_no_proposal_is_the_aggregator_s_own() -> None:
    record = mixed(Panel("moa", acts(aggregator=[Say(entries(a="1", b="a word that nobody else has written"))])))
    assert set(purposes(shares(record, agent="aggregator", direction="completion"))) == {"merge", "answer"}


def test_a_dead_proposer_is_left_out_and_the_rest_is_combined() -> None:
    model = Panel("moa", acts(proposer_2=[READ, DEAD]))
    record = mixed(model)
    assert left_out(record) == [("proposer_2", "test: made to fail by a test")]
    assert str(model.of("aggregator")[0].messages[-1]["content"]) == f"Proposal 1:\n{ONE}\n\nProposal 2:\n{THREE}"
    assert (record.run.status, record.run.answer) == ("ok", FINAL)


def test_without_a_quorum_nobody_combines() -> None:
    model = Panel("moa", acts(proposer_1=[READ, DEAD], proposer_3=[READ, Say(THREE, latency_s=99)]))
    record = mixed(model, proposer_timeout_s=50.0)
    assert left_out(record) == [
        ("proposer_1", "test: made to fail by a test"),
        ("proposer_3", "proposer_timeout_s: not done after 50 s"),
    ]
    few, why = "quorum: 1 of 3 proposers answered, and 2 are needed", "test: made to fail by a test"
    assert record.run.error == f"{few} ({why}; proposer_timeout_s: not done after 50 s)"
    assert (record.run.status, record.run.score) == ("failed", 0.0) and not model.of("aggregator")


def test_a_failing_aggregator_fails_the_run_and_nothing_else_is_graded_in_its_place() -> None:
    asks = Say(calls=(Call("read_document", {"name": "a.txt"}),))
    for says, why in (([DEAD], "test: made to fail by a test"), ([asks] * 3, "max_steps: 4 is 1 over the bound of 3")):
        record = mixed(Panel("moa", acts(aggregator=says)))
        assert (record.run.status, record.run.error, record.run.score) == ("failed", f"aggregator: {why}", 0.0)
        assert record.run.left_out == 0, "it is no proposer"


def test_what_the_run_s_limit_cuts_off_is_the_proposal_that_came_first() -> None:
    quick = [READ, Say(TWO, latency_s=0.5)]
    slow = [Say(FINAL, latency_s=1000)]
    record = mixed(Panel("moa", acts(proposer_2=quick, aggregator=slow)), limits=Limits(run_wall_s=100))
    assert (record.run.status, record.run.answer) == ("timeout", TWO)


def test_in_a_second_layer_new_agents_read_all_proposals_of_the_first() -> None:
    second = {f"proposer_{n}_layer_2": [READ, Say(text)] for n, text in enumerate((TWO, FINAL, FINAL), 1)}
    model = Panel("moa", {**acts(), **second})
    record = mixed(model, layers=2)
    first = f"Proposal 1:\n{ONE}\n\nProposal 2:\n{TWO}\n\nProposal 3:\n{THREE}"
    for name in second:
        opening, _ = model.of(name)
        assert [str(m["content"]) for m in opening.messages[1:]] == ["Answer the question.", first]
        assert [t["function"]["name"] for t in opening.tools] == ["read_document"]
        read = [s for s in shares(record, agent=name, direction="prompt") if s.author.startswith("proposer")]
        assert {s.purpose for s in read if s.author != name} == {"merge"}, "they combine"
    (last,) = model.of("aggregator")
    assert str(last.messages[-1]["content"]) == f"Proposal 1:\n{TWO}\n\nProposal 2:\n{FINAL}\n\nProposal 3:\n{FINAL}"
    assert record.run.calls == 13


def test_whoever_has_no_tools_is_told_so() -> None:
    """In a task without tools no prompt speaks of using them."""

    class Bare(DeskSuite):
        def tools(self, sample: Sample) -> Sequence[Tool]:
            return []

    model = ActingModel(lambda _: Say(ONE))
    record = run_once(Moa(layers=2), model, suite=Bare())
    assert record.run.status == "ok"
    told = [str(r.messages[0]["content"]) for r in model.requests]
    assert sum(NO_TOOLS in t for t in told) == 4 and not any(TOOLS in t for t in told), (
        "three proposers, one aggregator"
    )


def test_each_layer_needs_its_quorum_and_starts_with_all_again() -> None:
    second = {f"proposer_{n}_layer_2": [Say(FINAL)] for n in (1, 2, 3)}
    record = mixed(Panel("moa", {**acts(proposer_1=[DEAD]), **second}), layers=2)
    assert (record.run.status, record.run.left_out) == ("ok", 1)
    second |= {"proposer_1_layer_2": [DEAD], "proposer_2_layer_2": [DEAD]}
    record = mixed(Panel("moa", {**acts(), **second}), layers=2)
    few, why = "quorum: 1 of 3 proposers answered, and 2 are needed", "test: made to fail by a test"
    assert record.run.error == f"{few} ({why})"


def test_models_for_the_proposers_and_for_the_aggregator() -> None:
    main = ActingModel(lambda _: Say("main"))
    main.roles = {name: ActingModel(lambda _: Say("yes"), name=f"model-{name}") for name in ("b", "c", "aggregator")}

    def models(**options: Any) -> dict[str, str]:
        return {c.agent: c.model for c in mixed(main, proposers=2, **options).calls}

    own = {"proposer_1": "model-b", "proposer_2": "model-c"}
    assert models(models=["b", "c"]) == {**own, "aggregator": "model-aggregator"}, "its role has a model"
    assert models(models=["b", "c"], aggregator="c") == {**own, "aggregator": "model-c"}
    assert models()["proposer_1"] == "acting"
    assert models(models=["b", "c"], layers=2)["proposer_2_layer_2"] == "model-c"
