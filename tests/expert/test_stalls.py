"""Calls that never come back, of every role: nothing hangs, and each ends as the same role's failure does."""

from __future__ import annotations

from typing import Any

import pytest
from support.experts import NO, ONE, PASS, TWO, data, ended, plan, step, team, tiers, verdicts
from support.models import Call, Say, heard
from support.panels import left_out

from harness.limits import Limits
from harness.records import RunRecord

HUNG = Say("too late", latency_s=1e6)
LIMITS = Limits(run_wall_s=None)
"""Nothing but the waits of the team itself ends a call here: 4 attempts of 120 s at most, or less where it says so."""
LONGEST = 4 * 120 + 3 * 60
"""Virtual seconds of one hung call: all its attempts (``call_timeout_s``), and the longest pauses between them."""
EXPLORE = Call("dispatch_sub_agent", {"type": "explore", "order": {
    "objective": "Find alpha.", "input_ref": [], "context_card": {"background": "A search."},
    "output_schema": {"type": "string"}, "acceptance_criteria": [],
}})  # fmt: skip


def hung(acts: dict[str, Any], calls: int = 1, **more: Any) -> tuple[RunRecord, Any]:
    record, model = team(acts, limits=LIMITS, **more)
    assert record.run.wall_s < calls * LONGEST + 100, "waited for no longer than it takes to give up"
    return record, model


def test_a_planner_that_hangs_is_one_without_a_plan() -> None:
    record, _ = hung({"planner": [HUNG]})
    assert (record.run.status, record.run.score, ended(record)) == ("failed", 0.0, "FAILED")
    assert (record.run.error or "").startswith("planner: ")
    acts = {"planner": [HUNG], "generalist": [Say("all")], "evaluator": [PASS]}
    record, _ = hung(acts, on_planner_failure="SINGLE_STEP_FALLBACK")
    assert (record.run.answer, ended(record)) == ("all", "COMPLETED")


def test_a_planner_that_hangs_while_it_plans_anew_or_combines() -> None:
    record, _ = hung({"planner": [ONE, HUNG], "alice": [Say("BLOCKED: no")]})
    assert ended(record) == "FAILED" and (record.run.error or "").startswith("planner: ")
    acts = {"planner": [TWO, HUNG], "alice": [Say("A")], "bob": [Say("B")], "evaluator": [PASS], "evaluator_2": [PASS]}
    record, _ = hung(acts)
    assert ended(record) == "FAILED" and (record.run.error or "").startswith("planner, combining")


def test_an_expert_that_hangs_is_done_by_the_stronger_model_and_the_others_go_on() -> None:
    acts = {"planner": [plan(step("a"), step("b", "bob"), step("c", "carol", "a", "b"))], "alice": [HUNG]}
    acts |= {"alice_2": [Say("A")], "bob": [Say("B")], "carol": [Say("C")]}
    record, _ = hung(acts | {f"evaluator{n}": [PASS] for n in ("", "_2", "_3")}, strong=True)
    assert (tiers(record), record.run.answer, ended(record)) == ([1], "C", "COMPLETED")
    assert [c.agent for c in record.calls].count("bob") == 1


def test_if_everybody_hangs_each_is_tried_once_and_the_team_fails() -> None:
    acts = {name: [HUNG] for name in ("alice", "alice_2", "alice_3", "architect")}
    record, model = hung({"planner": [plan(step("a", risk="LOW"))], **acts}, calls=3, strong=True)
    assert (tiers(record), record.run.status, ended(record)) == ([1, 2, 3], "failed", "FAILED")
    assert {who for who, _ in left_out(record)} == {"alice", "alice_2", "architect"} and not model.of("alice_3")


@pytest.mark.parametrize(("risk", "end"), [("LOW", "DEGRADED"), ("HIGH", "FAILED")])
def test_an_evaluator_that_hangs(risk: str, end: str) -> None:
    acts = {"planner": [plan(step("a", risk=risk))], "alice": [Say("A")], "evaluator": [HUNG]}
    record, _ = hung(acts, evaluator_low="agent", auto_pass=True)
    assert ended(record) == end and left_out(record) == [("evaluator", "review_timeout_s: not done after 300 s")]
    assert verdicts(record) == (["AUTO_PASS_WITH_WARNING"] if risk == "LOW" else [])


@pytest.mark.parametrize(("risk", "end"), [("LOW", "DEGRADED"), ("HIGH", "FAILED")])
def test_an_architect_that_hangs_leaves_it_to_the_risk(risk: str, end: str) -> None:
    acts = {"planner": [plan(step("a", risk=risk))], "alice": [Say("A")], "evaluator": [NO], "architect": [HUNG]}
    record, _ = hung(acts, evaluator_low="agent", max_feedback_rounds=0)
    assert (tiers(record), ended(record)) == ([2, 3], end)


def test_an_explorer_that_hangs_is_told_to_the_expert_who_goes_on_without_it() -> None:
    acts = {"planner": [ONE], "alice": [Say(calls=(EXPLORE,)), Say("A")], "alice_explore_1": [HUNG]}
    record, model = hung(acts | {"evaluator": [PASS]}, explorers=True)
    assert (record.run.answer, ended(record), tiers(record)) == ("A", "COMPLETED", [])
    assert "120 s" in heard(model.of("alice")[1]) and not data(record, "ESCALATION")
