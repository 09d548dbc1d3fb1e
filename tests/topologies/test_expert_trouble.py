"""An expert team in trouble: every tier of escalation, every kill and every fallback, by what models say."""

from __future__ import annotations

import pytest
from support.experts import (
    BETTER,
    NO,
    ONE,
    PASS,
    TWO,
    data,
    ended,
    exceeded,
    plan,
    revise,
    rule,
    step,
    team,
    tiers,
    verdicts,
)
from support.models import Say, heard, text_of
from support.panels import DEAD, READ, left_out

from harness.expert.prompts import FOUND_WRONG

# -- escalation --------------------------------------------------------------------------------------------------------


def test_revisions_are_bounded_and_the_stronger_model_is_the_first_tier() -> None:
    record, model = team(
        {
            "planner": [ONE], "alice": [Say("A1"), Say("A2"), Say("A3")], "alice_2": [Say("A4")],
            "evaluator": [NO], "evaluator_2": [NO], "evaluator_3": [NO], "evaluator_4": [PASS],
        },
        strong=True,
    )  # fmt: skip
    assert verdicts(record) == ["REVISE", "REVISE", "REVIEW_EXCEEDED", "PASS"]
    assert (tiers(record), record.run.escalations, record.run.revisions) == ([1], 1, 2)
    (anew,) = model.of("alice_2")
    assert anew.model == "strong" and f"{FOUND_WRONG}\n- still wrong" in heard(anew) and "A3" not in heard(anew)
    assert (record.run.answer, ended(record)) == ("A4", "COMPLETED")


def test_an_architect_s_revised_instruction_is_one_more_attempt() -> None:
    again = rule("REVISED_INSTRUCTION", instruction="Do a, and only the north gate.")
    record, model = exceeded(again, strong=True, acts={"evaluator_3": [PASS]})
    assert (tiers(record), record.run.escalations) == ([1, 2], 2), "two attempts more at most"
    (told,) = model.of("alice_3")
    assert "Objective: Do a, and only the north gate." in heard(told) and "Objective: Do a.\n" not in heard(told)
    asked = heard(model.of("architect")[0])
    assert all(text in asked for text in ("A2", "still wrong", "Objective: Do a."))
    assert "Do a, and only the north gate." in heard(model.of("evaluator_3")[0]), "reviewed by what was asked for"
    assert (verdicts(record), ended(record)) == (["REVIEW_EXCEEDED", "REVIEW_EXCEEDED", "PASS"], "COMPLETED")


def test_an_architect_s_caveats_go_with_the_product() -> None:
    accept = rule("ACCEPT_WITH_CAVEATS", caveats="The date is not certain.")
    record, model = exceeded(accept, acts={"evaluator_2": [PASS]})
    assert tiers(record) == [2], "no stronger model: that tier is skipped"
    assert "Result of step a by alice:\nA1\nTo be known of it: The date is not certain." in heard(model.of("bob")[0])
    assert (ended(record), data(record, "TEAM_COMPLETED")[0]["caveats"]) == (
        "COMPLETED", {"a": "The date is not certain."},
    )  # fmt: skip


@pytest.mark.parametrize("risk", ["LOW", "MEDIUM", "HIGH"])
@pytest.mark.parametrize("architect", [DEAD, BETTER], ids=["killed", "vain"])
def test_in_the_end_the_risk_decides(risk: str, architect: Say) -> None:
    record, _ = exceeded(architect, risk=risk, strong=True, acts={"evaluator_3": [PASS if architect is DEAD else NO]})
    assert tiers(record) == [1, 2, 3] and record.run.escalations == 3
    if risk == "LOW":
        assert (record.run.status, record.run.answer, ended(record)) == ("ok", "B", "DEGRADED")
        assert data(record, "STEP_COMPLETED", "a")[0]["degraded"]
    else:
        assert (record.run.status, record.run.score, ended(record)) == ("failed", 0.0, "FAILED")
        assert "step 'a'" in (record.run.error or "") and not [c for c in record.calls if c.agent == "bob"]


def test_every_tier_can_be_left_out() -> None:
    record, _ = exceeded(strong=True, stronger=None, architect=False)
    assert (tiers(record), ended(record)) == ([3], "FAILED")


# -- kills -------------------------------------------------------------------------------------------------------------


def test_a_killed_expert_is_escalated_at_once() -> None:
    record, model = team(
        {"planner": [ONE], "alice": [READ, DEAD], "alice_2": [Say("A")], "evaluator": [PASS]}, strong=True
    )
    assert tiers(record) == [1] and left_out(record) == [("alice", "test: made to fail by a test")]
    assert model.of("alice_2")[0].model == "strong"
    assert (record.run.answer, ended(record)) == ("A", "COMPLETED")
    assert [d.status for d in record.delegations] == ["failed", "success"]


def test_killed_to_the_last_it_fails_the_team_whatever_its_risk() -> None:
    low = plan(step("a", risk="LOW"))
    record, _ = team({"planner": [low], "alice": [DEAD], "alice_2": [DEAD], "architect": [DEAD]}, strong=True)
    assert (tiers(record), record.run.status, ended(record)) == ([1, 2, 3], "failed", "FAILED"), "there is no product"


def test_an_architect_cannot_accept_what_is_not_there() -> None:
    accept = rule("ACCEPT_WITH_CAVEATS", caveats="None.")
    record, _ = team({"planner": [ONE], "alice": [DEAD], "architect": [accept]})
    assert (tiers(record), ended(record)) == ([2, 3], "FAILED")


@pytest.mark.parametrize("evaluator", [[DEAD], [Say("fine"), Say("fine")]], ids=["killed", "unreadable"])
@pytest.mark.parametrize(("risk", "auto_pass"), [("LOW", True), ("LOW", False), ("MEDIUM", True), ("HIGH", True)])
def test_nothing_unreviewed_gets_through_unless_it_is_low_and_wanted(
    risk: str, auto_pass: bool, evaluator: list[Say]
) -> None:
    record, _ = team(
        {"planner": [plan(step("a", risk=risk))], "alice": [Say("A")], "evaluator": evaluator},
        auto_pass=auto_pass, evaluator_low="agent",
    )  # fmt: skip
    if risk == "LOW" and auto_pass:
        assert (verdicts(record), ended(record)) == (["AUTO_PASS_WITH_WARNING"], "DEGRADED")
        assert "nobody has reviewed it" in data(record, "EVALUATION_RESULT")[0]["warning"]
        assert not record.delegations[0].validated
    else:
        assert (record.run.status, record.run.score, ended(record)) == ("failed", 0.0, "FAILED")
        assert "evaluator of step 'a'" in (record.run.error or "")
        assert record.delegations[0].status == "failed"


def test_a_planner_killed_at_the_end_fails_the_team() -> None:
    acts = {"planner": [TWO, DEAD], "alice": [Say("A")], "bob": [Say("B")], "evaluator": [PASS], "evaluator_2": [PASS]}
    record, _ = team(acts)
    assert (record.run.status, ended(record)) == ("failed", "FAILED")
    assert (record.run.error or "").startswith("planner, combining")


def test_an_expert_that_never_ends_is_not_waited_for() -> None:
    record, _ = team({"planner": [ONE], "alice": [Say("A", latency_s=90)], "architect": [DEAD]}, step_timeout_s=30.0)
    assert left_out(record)[0] == ("alice", "step_timeout_s: not done after 30 s")
    assert ended(record) == "FAILED"


# -- planning anew -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["blocked", "replan"])
def test_a_step_that_cannot_be_done_as_planned_is_planned_anew(how: str) -> None:
    blocked = how == "blocked"
    record, model = team(
        {
            "planner": [TWO, plan(step("c", "carol", "b"))],
            "alice": [Say("BLOCKED: there is no such document" if blocked else "A")],
            "bob": [Say("B")],
            "carol": [Say("C")],
            "evaluator": [PASS if blocked else revise("the order asks for the wrong thing", replan=True)],
            "evaluator_2": [PASS],
            "evaluator_3": [PASS],
        }
    )
    why = "BLOCKED: there is no such document" if blocked else "the order asks for the wrong thing"
    told = text_of(model.of("planner")[1].messages[-1])
    assert f"step a by alice: {why}" in told and "not to be planned again: b." in told
    assert "Result of step b by bob:\nB" in heard(model.of("carol")[0]), "what is done may be built upon"
    assert (record.run.answer, ended(record)) == ("C", "COMPLETED")
    assert [d.status for d in record.delegations] == ["blocked" if blocked else "needs_person", "success", "success"]


def test_a_revision_that_a_new_plan_makes_pointless_is_not_counted() -> None:
    record, _ = team(
        {"planner": [TWO, plan(step("c", "carol"))], "alice": [Say("BLOCKED: no")], "bob": [Say("B")],
         "carol": [Say("C")], "evaluator": [revise("too short")], "evaluator_2": [PASS]}
    )  # fmt: skip
    assert (record.run.answer, record.run.revisions, data(record, "STEP_REVISED")) == ("C", 0, [])
    assert [(d.worker, d.status) for d in record.delegations] == [
        ("alice", "blocked"), ("bob", "revise"), ("bob", "unanswered"), ("carol", "success"),
    ]  # fmt: skip


def test_plans_are_made_anew_as_often_as_the_settings_say_and_then_it_is_escalated() -> None:
    accept = rule("ACCEPT_WITH_CAVEATS", caveats="There is nothing.")
    stuck = {"alice": [Say("BLOCKED: no")], "alice_2": [Say("BLOCKED: no")], "architect": [accept]}
    record, _ = team({"planner": [ONE, ONE], **stuck})
    assert len(data(record, "PLAN_READY")) == 2
    assert (tiers(record), ended(record)) == ([2, 3], "FAILED"), "what is blocked is no product"


def test_without_a_new_plan_the_settings_decide() -> None:
    acts = {"planner": [ONE, DEAD], "alice": [Say("BLOCKED: no")], "generalist": [Say("all")], "evaluator": [PASS]}
    assert ended(team(acts)[0]) == "FAILED"
    record, _ = team(acts, on_planner_failure="SINGLE_STEP_FALLBACK")
    assert (record.run.answer, ended(record)) == ("all", "COMPLETED")
