"""Plans in a form that is none, and what a plan is estimated to cost, by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.experts import ONE, PASS, data, ended, plan, step, team
from support.models import Call, Say, heard, text_of

from harness.accounting.tokens import count_tokens

BAD: list[tuple[Any, str]] = [
    ([{**step("a"), "id": 1}], "1 is not of type 'string'"),
    ([{**step("a"), "depends_on": [2]}], "2 is not of type 'string'"),
    ([{**step("a"), "depends_on": "b"}], "'b' is not of type 'array'"),
    ([{**step("a"), "risk": "SOME"}], "'SOME' is not one of"),
    ([{**step("a"), "order": "Do a."}], "'Do a.' is not of type 'object'"),
    ([{**step("a"), "more": 1}], "'more'"),
    ("a", "'a' is not of type 'array'"),
    ([step("a", "alice", "a")], "a -> a"),
]


@pytest.mark.parametrize(("steps", "told"), BAD, ids=[told for _, told in BAD])
def test_a_plan_in_another_form_is_refused_and_nothing_of_it_is_done(steps: Any, told: str) -> None:
    bad = Say(calls=(Call("submit_plan", {"steps": steps}),))
    record, model = team({"planner": [bad, ONE], "alice": [Say("A")], "evaluator": [PASS]})
    assert told in text_of(model.of("planner")[1].messages[-1])
    assert len(data(record, "PLAN_READY")) == 1 and [d["step"] for d in data(record, "STEP_STARTED")] == ["a"]
    assert (record.run.answer, ended(record)) == ("A", "COMPLETED")


@pytest.mark.parametrize("risk", ["LOW", "HIGH"])
@pytest.mark.parametrize("rounds", [0, 1, 2, 3])
def test_a_revision_is_estimated_to_read_all_that_was_said_before(risk: str, rounds: int, tmp_path: Path) -> None:
    """A product is taken to be 2,000 tokens and what was found wrong 500; so the expert's n-th revision reads its first
    prompt and n times 2,500 tokens. An evaluator is new each time and reads as much as the first one."""
    record, _ = team(
        {"planner": [plan(step("a", risk=risk))]}, plan_only=True, plans=str(tmp_path), max_feedback_rounds=rounds
    )
    estimate = data(record, "PLAN_READY")[0]["estimate"]
    once, most = estimate["no_revision"]["prompt_tokens"], estimate["all_revisions"]["prompt_tokens"]
    assert most == (rounds + 1) * once + 2_500 * sum(range(1, rounds + 1))


def test_a_first_prompt_is_estimated_as_long_as_it_is() -> None:
    """But for the tools' schemas, which it says are not counted, and for what a role's text is filled in with."""
    acts = {"planner": [plan(step("a", risk="LOW"))], "alice": [Say("A")]}
    record, model = team(acts, messages=False)
    (ready,) = data(record, "PLAN_READY")
    (asked,) = model.of("alice")
    filled_in = 10
    assert abs(ready["estimate"]["no_revision"]["prompt_tokens"] - count_tokens(heard(asked))) <= filled_in
