"""Scenes of ``nested``."""

from __future__ import annotations

from typing import Any

from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes.material import FAULTY, FINAL, UNKNOWN_CHECK, WRONG, entries, order, read
from harness.models.protocol import TransportError

MIDDLE, BOTTOM, DEEPER = "middle_1", "bottom_1_1", "bottom_1_1_1"
THREE = {"max_depth": 2}
NO_LIMIT = {"max_depth": None}
READ_ALL = calls(read(0, "5"), read(1, "8"), read(2, "5"))


def dispatch(type: str, number: int = 0, **changes: Any) -> Call:
    """An order without a context card: the whole conversation goes with it."""
    return Call("dispatch_sub_agent", {"type": type, "order": order(number, **{"context_card": None, **changes})})


def ends(title: str, about: str, *says: Say, **options: Any) -> Scene:
    """A middle agent that ends in some way, as the lead reads it."""
    return Scene(title, about, {"lead": [calls(dispatch("middle")), FINAL], MIDDLE: says}, ["lead"], options)


SCENES = (
    Scene(
        "A middle agent that is refused",
        "With the default limit of depth. It does its part itself.",
        {
            "lead": [READ_ALL, calls(dispatch("middle"), text="One part for each question."), FINAL],
            MIDDLE: [calls(dispatch("bottom")), calls(read(0, "5")), Say(entries(0))],
        },
        ["lead", MIDDLE],
    ),
    Scene(
        "Three layers",
        "Each reads the whole conversation of whoever sent its order. The bottom agent may try; it is refused.",
        {
            "lead": [READ_ALL, calls(dispatch("middle")), FINAL],
            MIDDLE: [calls(dispatch("bottom")), Say(entries(0))],
            BOTTOM: [calls(read(0, "5")), calls(dispatch("bottom")), Say(entries(0))],
        },
        [MIDDLE, BOTTOM],
        limits=THREE,
    ),
    Scene(
        "A bottom agent that hands its work on",
        "Without a limit of depth.",
        {
            "lead": [calls(dispatch("middle")), FINAL],
            MIDDLE: [calls(dispatch("bottom")), Say(entries(0))],
            BOTTOM: [calls(dispatch("bottom"), text="There is a table that I cannot parse."), Say(entries(0))],
            DEEPER: [calls(read(0, "5")), Say(entries(0))],
        },
        [BOTTOM],
        limits=NO_LIMIT,
    ),
    Scene(
        "A forbidden action",
        "Where its order forbids handing the task on, which none does by itself, whoever does it all the same ends at "
        "once, at any limit of depth, and nobody is dispatched.",
        {
            "lead": [calls(dispatch("middle", forbidden_actions=["delegate"])), FINAL],
            MIDDLE: [calls(dispatch("bottom"))],
        },
        ["lead"],
        limits=NO_LIMIT,
    ),
    Scene(
        "Orders that are refused",
        "Nothing is dispatched. All that is wrong with an order is said at once.",
        {
            "lead": [
                calls(
                    Call("dispatch_sub_agent", {"type": "middle", "order": FAULTY}),
                    Call("dispatch_sub_agent", {"type": "middle", "order": UNKNOWN_CHECK}),
                    Call("dispatch_sub_agent", {"type": "bottom", "order": {"objective": "Search."}}),
                    Call("dispatch_sub_agent", '{"type": "middle", "order": {'),
                ),
                FINAL,
            ]
        },
        ["lead"],
        {"delegation": {"context": "card", "card_tokens": 10, "validate": True}},
    ),
    ends(
        "A middle agent that is blocked",
        "It says so in the form that its order asks for.",
        Say("BLOCKED: the document names two inspectors and does not say who was in charge."),
    ),
    ends(
        "A middle agent that runs out of steps",
        "What it has done is summed up without another model call.",
        calls(read(0, "5"), read(0, "99")),
        worker_steps=1,
    ),
    Scene(
        "A middle agent that takes too long",
        "It is abandoned, and so is whoever works for it; neither is interrupted. What it had done is summed up.",
        {
            "lead": [calls(dispatch("middle")), FINAL],
            MIDDLE: [calls(read(0, "5")), calls(dispatch("bottom")), Say(entries(0))],
            BOTTOM: [Say(entries(0), seconds=9.0)],
        },
        ["lead"],
        {"worker_timeout_s": 5.0},
        limits=THREE,
    ),
    ends(
        "A provider that fails",
        "The fault ends the middle agent, not the run.",
        Say(fault=TransportError("the provider is overloaded", kind="server_error", retryable=False)),
    ),
    Scene(
        "With the validation ring: a result that is returned, and one that needs a person",
        "Off by default in this topology.",
        {
            "lead": [calls(dispatch("middle", max_retries=1)), FINAL],
            MIDDLE: [Say(f"Here it is: {WRONG}"), Say(WRONG)],
        },
        ["lead", MIDDLE],
        {"delegation": {"validate": True}},
    ),
    Scene(
        "With the validation ring and vague feedback",
        "The middle agent is not told what is wrong.",
        {"lead": [calls(dispatch("middle")), FINAL], MIDDLE: [Say(WRONG), Say(entries(0))]},
        [MIDDLE],
        {"delegation": {"validate": True, "feedback": "vague"}},
    ),
    Scene(
        "With orders in one sentence",
        "The sentence follows the conversation.",
        {
            "lead": [
                calls(
                    Call("dispatch_sub_agent", {"type": "middle", "task": "Find the inspector of 2020."}),
                    Call("dispatch_sub_agent", {"type": "middle", "task": " "}),
                ),
                FINAL,
            ],
            MIDDLE: [Say("Helen Baptiste, 00-0000-inspection.txt §5")],
        },
        ["lead", MIDDLE],
        {"delegation": {"order": "sentence"}},
        tools=True,
    ),
    Scene(
        "With a context card instead of the whole conversation",
        "What 003 does since.",
        {
            "lead": [
                READ_ALL,
                calls(dispatch("middle", context_card=order(0)["context_card"])),
                FINAL,
            ],
            MIDDLE: [Say(entries(0))],
        },
        [MIDDLE],
        {"delegation": {"context": "card"}},
        tools=True,
    ),
)
