"""Scenes of ``sync``."""

from __future__ import annotations

from typing import Any

from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes.material import FAULTY, FINAL, UNKNOWN_CHECK, WRONG, entries, order, read
from harness.models.protocol import TransportError

TYPES = ("research", "explore", "plan", "coder", "reviewer", "general_purpose")
WORKER = "research_1"


def dispatch(number: int = 0, type: str = "research", **changes: Any) -> Call:
    return Call("dispatch_sub_agent", {"type": type, "order": order(number, **changes)})


def ends(title: str, about: str, *says: Say, **options: Any) -> Scene:
    """A sub-agent that ends in some way, as its lead reads it."""
    return Scene(title, about, {"lead": [calls(dispatch()), FINAL], WORKER: says}, ["lead"], options)


SCENES = (
    Scene(
        "An order and its result",
        "The sub-agent reads its order as its first message; the lead reads the result as the tool's.",
        {"lead": [calls(dispatch()), FINAL], WORKER: [calls(read(0, "5")), Say(entries(0))]},
        ["lead", WORKER],
    ),
    Scene(
        "Sub-agents of every type",
        "",
        {
            "lead": [calls(*(dispatch(type=t) for t in TYPES)), FINAL],
            **{f"{t}_{n}": [Say(entries(0))] for n, t in enumerate(TYPES, 1)},
        },
        [],
    ),
    Scene(
        "Orders that are refused",
        "Nothing is dispatched, and no dispatch is used up. All that is wrong with an order is said at once.",
        {
            "lead": [
                calls(
                    Call("dispatch_sub_agent", {"type": "research", "order": FAULTY}),
                    Call("dispatch_sub_agent", {"type": "research", "order": UNKNOWN_CHECK}),
                    Call("dispatch_sub_agent", {"type": "search", "order": {"objective": "Search."}}),
                    Call("dispatch_sub_agent", '{"type": "research", "order": {'),
                ),
                FINAL,
            ]
        },
        ["lead"],
        {"delegation": {"card_tokens": 10, "validate": True}},
    ),
    ends(
        "A sub-agent that is blocked",
        "It says so in the form that its order asks for.",
        Say("BLOCKED: the document names two inspectors and does not say who was in charge."),
    ),
    ends(
        "A forbidden action",
        "The sub-agent ends at once. Without a word about it in the order, handing work on is forbidden.",
        calls(dispatch()),
    ),
    Scene(
        "An attempt to hand work on where the order does not forbid it",
        "It is refused all the same, by depth, and the sub-agent goes on.",
        {
            "lead": [calls(dispatch(forbidden_actions=[])), FINAL],
            WORKER: [calls(dispatch()), Say(entries(0))],
        },
        [WORKER],
    ),
    ends(
        "A sub-agent that runs out of steps",
        "What it has done is summed up without another model call.",
        calls(read(0, "5"), read(0, "99")),
        worker_steps=1,
    ),
    ends(
        "A sub-agent that takes too long",
        "It is abandoned; what it had done by then is summed up.",
        calls(read(0, "5")),
        Say(entries(0), seconds=9.0),
        worker_timeout_s=5.0,
    ),
    ends(
        "A sub-agent that takes too long and has done nothing",
        "As above, with nothing to sum up.",
        Say(entries(0), seconds=9.0),
        worker_timeout_s=5.0,
    ),
    ends(
        "A provider that fails",
        "The fault ends the sub-agent, not the run.",
        Say(fault=TransportError("the provider is overloaded", kind="server_error", retryable=False)),
    ),
    Scene(
        "More dispatches than there may be",
        "The tool answers with a refusal.",
        {"lead": [calls(dispatch(), dispatch(1)), FINAL], WORKER: [Say(entries(0))]},
        ["lead"],
        {"max_dispatches": 1},
    ),
    Scene(
        "More dispatches at once than there are places",
        "The one that finds no place fails.",
        {"lead": [calls(dispatch(), dispatch(1)), FINAL], WORKER: [Say(entries(0))]},
        ["lead"],
        {"parallel": True, "pool": {"core": 1, "max": 1, "queue": 0}},
    ),
    Scene(
        "With the validation ring: a result that is returned, and one that needs a person",
        "Off by default in this topology.",
        {
            "lead": [calls(dispatch(max_retries=1)), FINAL],
            WORKER: [Say(f"Here it is: {WRONG}"), Say(WRONG)],
        },
        ["lead", WORKER],
        {"delegation": {"validate": True}},
    ),
    Scene(
        "With the validation ring and vague feedback",
        "An ablation: the sub-agent is not told what is wrong.",
        {"lead": [calls(dispatch()), FINAL], WORKER: [Say(WRONG), Say(entries(0))]},
        [WORKER],
        {"delegation": {"validate": True, "feedback": "vague"}},
    ),
    Scene(
        "With orders in one sentence",
        "An ablation.",
        {
            "lead": [
                calls(
                    Call("dispatch_sub_agent", {"type": "research", "task": "Find the inspector of 2020."}),
                    Call("dispatch_sub_agent", {"type": "research", "task": " "}),
                ),
                FINAL,
            ],
            WORKER: [Say("Helen Baptiste, 00-0000-inspection.txt §5")],
        },
        ["lead", WORKER],
        {"delegation": {"order": "sentence"}},
        tools=True,
    ),
    Scene(
        "With the whole conversation instead of a context card",
        "An ablation.",
        {
            "lead": [
                calls(read(2, "5"), text="I look at the contract myself."),
                calls(dispatch(context_card=None)),
                FINAL,
            ],
            WORKER: [Say(entries(0))],
        },
        [WORKER],
        {"delegation": {"context": "history"}},
    ),
    Scene(
        "With a type that is a topology",
        "As in `topology=moa_inside`. The agents inside read the order as their task, and the rest as in moa.md; the "
        "lead reads their answer as that of one sub-agent.",
        {
            "lead": [calls(dispatch(type="panel")), FINAL],
            "panel_1/proposer_1": [Say(entries(0))],
            "panel_1/proposer_2": [Say(WRONG)],
            "panel_1/aggregator": [Say(entries(0))],
        },
        ["lead", "panel_1/proposer_1", "panel_1/aggregator"],
        {"types": [], "inside": {"panel": {"_target_": "topologies.moa.Moa", "proposers": 2}}},
        tools=True,
    ),
)
