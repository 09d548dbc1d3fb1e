"""Scenes of ``taskboard``."""

from __future__ import annotations

from typing import Any

from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, WRONG, entries, errand, read
from harness.models.protocol import TransportError

COORDINATOR = "coordinator"


def post(number: int = 0) -> Call:
    return Call("post_task", {"task": errand(number)})


def ends(title: str, about: str, *says: Say, **options: Any) -> Scene:
    """A member that ends a task in some way, as the coordinator reads it."""
    return Scene(title, about, {COORDINATOR: [calls(post()), FINAL], "alice": says}, [COORDINATOR], options)


SCENES = (
    Scene(
        "Tasks and their results",
        "Two members take a task each; who is free first takes the third. Results come in the order of the board.",
        {
            COORDINATOR: [calls(post(0), post(1), post(2), text="A task for each question."), FINAL],
            "alice": [calls(read(0, "5")), Say(entries(0))],
            "bob": [Say(entries(1)), calls(read(2, "5")), Say(entries(2))],
        },
        [COORDINATOR, "bob"],
        {"members": 2},
    ),
    Scene(
        "Finished means done",
        "A wrong result is reported as any other; whether it is looked at again is up to the coordinator.",
        {COORDINATOR: [calls(post()), calls(post()), FINAL], "alice": [Say(WRONG), Say(entries(0))]},
        [COORDINATOR],
    ),
    Scene(
        "Tasks that are refused",
        "Nothing is posted, and none is used up.",
        {
            COORDINATOR: [
                calls(
                    Call("post_task", {"task": " "}), Call("post_task", {"to": "bob"}), Call("post_task", '{"task": ')
                ),
                FINAL,
            ]
        },
        [COORDINATOR],
    ),
    Scene(
        "More tasks than there may be",
        "The tool answers with a refusal.",
        {COORDINATOR: [calls(post(0), post(1)), FINAL], "alice": [Say(entries(0))]},
        [COORDINATOR],
        {"max_tasks": 1},
    ),
    Scene(
        "A member that tries to hand its task on",
        "It has no tool for that, and is refused by depth; then it goes on.",
        {COORDINATOR: [calls(post()), FINAL], "alice": [calls(post()), Say(entries(0))]},
        ["alice"],
    ),
    Scene(
        "A member whose task fails",
        "It takes no more tasks before the coordinator posts again. Here it is alone, so nobody is left.",
        {
            COORDINATOR: [calls(post(0), post(1)), calls(post(1)), FINAL],
            "alice": [
                Say(fault=TransportError("the provider is overloaded", kind="server_error", retryable=False)),
                Say(entries(1)),
            ],
        },
        [COORDINATOR, "alice"],
        {"members": 1},
    ),
    ends("A member that runs out of steps", "The task has failed.", calls(read(0, "5")), member_steps=1),
    ends(
        "A member that takes too long",
        "It is interrupted, and the task has failed.",
        Say(entries(0), seconds=9.0),
        member_timeout_s=5.0,
    ),
    Scene(
        "With a coordinator that works",
        "It has the task's tools too, and its prompt says so.",
        {
            COORDINATOR: [calls(post(0), read(2, "5")), FINAL],
            "alice": [Say(entries(0))],
        },
        [COORDINATOR],
        {"coordinator_works": True},
    ),
)
