"""Scenes of ``expert``: verdicts, revisions, other plans, escalation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, WRONG, entries, order

SHORT: dict[str, Any] = {
    "context_card": {"background": ""},
    "constraints": None,
    "output_schema": None,
    "acceptance_criteria": [],
}
"""An order that says little."""
ONCE = {"max_feedback_rounds": 0}
WHOM = "entry 1: section 5 names Helen Baptiste"
REVISED = "Who signed section 5 as the inspector?"


def step(id: str, number: int, expert: str, *needs: str, risk: str = "MEDIUM", **changes: Any) -> dict[str, Any]:
    """A step for one question."""
    return {"id": id, "expert": expert, "depends_on": [*needs], "risk": risk, "order": order(number, **changes)}


def plan(*steps: Mapping[str, Any]) -> Say:
    return calls(Call("submit_plan", {"steps": [*steps]}))


def judged(verdict: str, *errors: Any, **more: Any) -> Say:
    return Say(json.dumps({"verdict": verdict, "errors": errors, **more}))


def rule(ruling: str, **words: str) -> Say:
    return Say(json.dumps({"ruling": ruling, **words}))


ONE = plan(step("inspector", 0, "alice"))
"""Its one result is the answer."""
PASS = judged("PASS")
REVISE = judged("REVISE", WHOM)
ODD = (
    Say("It is right."),
    Say('["PASS"]'),
    judged("FAIL"),
    judged("REVISE", 5),
    judged("REVISE", replan="yes"),
    judged("PASS", "It could be shorter."),
    judged("REVISE"),
)
"""Verdicts in another form than the one asked for."""

REVIEWS = (
    Scene(
        "A revision",
        "The same expert reads what its evaluator has found, in the same conversation. The next product has a new "
        "evaluator.",
        {
            "planner": [ONE],
            "alice": [Say(WRONG), Say(entries(0))],
            "evaluator": [REVISE],
            "evaluator_2": [PASS],
        },
        ["alice", "evaluator"],
    ),
    Scene(
        "A revision by the checks of the order",
        "With LOW risk, or with `topology.evaluator=simple`.",
        {"planner": [plan(step("inspector", 0, "alice", risk="LOW"))], "alice": [Say(WRONG), Say(entries(0))]},
        ["alice"],
    ),
    Scene(
        "Verdicts in another form",
        "Each is asked for once more; an evaluator that answers in another form again has failed.",
        {
            "planner": [plan(*(step(f"try_{n}", 0, "alice", **SHORT) for n in range(1, len(ODD) + 1))), FINAL],
            **{name: [Say(entries(0))] for name in ("alice", *(f"alice_{n}" for n in range(2, len(ODD) + 1)))},
            **{"evaluator" if n == 1 else f"evaluator_{n}": [odd, PASS] for n, odd in enumerate(ODD, 1)},
        },
        ["evaluator", *(f"evaluator_{n}" for n in range(2, len(ODD) + 1))],
        {"messages": False},
    ),
    Scene(
        "Escalation: a stronger model, then the architect's revised instruction",
        "When a step may not be revised any more. Each time a new agent does it, with what was found wrong at hand.",
        {
            "planner": [ONE],
            "alice": [Say(WRONG)],
            "evaluator": [REVISE],
            "alice_2": [Say(WRONG)],
            "evaluator_2": [REVISE],
            "architect": [rule("RETRY"), rule("REVISED_INSTRUCTION", instruction=REVISED)],
            "alice_3": [Say(entries(0))],
            "evaluator_3": [PASS],
        },
        ["alice_2", "architect", "alice_3"],
        ONCE,
        strong=True,
    ),
    Scene(
        "Escalation: caveats",
        "The architect accepts a product, and what is to be known of it goes with it.",
        {
            "planner": [plan(step("inspector", 0, "alice"), step("price", 2, "bob", "inspector", risk="LOW"))],
            "alice": [Say(entries(0))],
            "bob": [Say(entries(2))],
            "evaluator": [REVISE],
            "architect": [
                Say('{"ruling": "ACCEPT_WITH_CAVEATS"}'),
                rule("ACCEPT_WITH_CAVEATS", caveats="The inspector's first name is not certain."),
            ],
        },
        ["architect", "bob"],
        ONCE,
    ),
    Scene(
        "Escalation: a step without a product",
        "Here the expert has done what its order forbids, and is stopped.",
        {
            "planner": [plan(step("inspector", 0, "alice", risk="LOW", forbidden_actions=["search_documents"]))],
            "alice": [calls(Call("search_documents", {"query": "inspector"}))],
            "architect": [rule("REVISED_INSTRUCTION", instruction=REVISED)],
            "alice_2": [Say(entries(0))],
        },
        ["architect", "alice_2"],
        ONCE,
    ),
    Scene(
        "A new plan",
        "An expert says that its step cannot be done, and an evaluator that an order is wrong; the planner plans anew "
        "what is not done.",
        {
            "planner": [
                plan(
                    step("inspector", 0, "alice", **SHORT),
                    step("wall", 1, "bob", **SHORT),
                    step("price", 2, "carol", **SHORT),
                ),
                plan(step("price", 0, "alice", **SHORT), step("other", 0, "bob", "wall", **SHORT)),
                plan(step("again", 0, "alice", **SHORT), step("other", 1, "bob", "price", **SHORT)),
                FINAL,
            ],
            "alice": [Say("BLOCKED: the document names two inspectors.")],
            "bob": [Say(entries(1))],
            "carol": [Say(entries(2))],
            "evaluator": [judged("REVISE", "The order names another year.", replan=True)],
            "evaluator_2": [PASS],
            "alice_2": [Say(entries(0))],
            "bob_2": [Say(entries(1))],
            "evaluator_3": [PASS],
            "evaluator_4": [PASS],
        },
        ["planner"],
        {"messages": False},
    ),
)
