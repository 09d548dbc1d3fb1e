"""Scenes of ``inline``."""

from __future__ import annotations

from typing import Any

from harness.entry.prompts.scene import Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, entries, errand, read
from harness.models.protocol import TransportError

WORKER = "worker_1"


def tag(number: int = 0) -> str:
    return f"<delegate>{errand(number)}</delegate>"


def ends(title: str, about: str, *says: Say, **options: Any) -> Scene:
    """A worker that ends in some way, as its lead reads it."""
    return Scene(title, about, {"lead": [Say(tag()), FINAL], WORKER: says}, ["lead"], options)


SCENES = (
    Scene(
        "Orders and their results",
        "The workers start together, and the lead reads both results when the second has ended.",
        {
            "lead": [Say(f"One for each of the inspections.\n{tag(0)}\n{tag(1)}"), calls(read(2, "5")), FINAL],
            WORKER: [calls(read(0, "5")), Say(entries(0))],
            "worker_2": [calls(read(1, "8")), Say(entries(1))],
        },
        ["lead", WORKER],
    ),
    Scene(
        "Tags beside a tool call",
        "The call is run first, then the worker.",
        {"lead": [calls(read(2, "5"), text=tag()), FINAL], WORKER: [Say(entries(0))]},
        ["lead"],
    ),
    Scene(
        "Malformed tags beside one that is not",
        "Each is counted as a parse failure. The well-formed one is carried out all the same.",
        {
            "lead": [
                Say(
                    "</delegate>\n"
                    "<delegate>Read the contract.\n"
                    f"{tag()}\n"
                    "<delegate> </delegate>\n"
                    '<delegate to="anna">Read it.</delegate>\n'
                    "<delegate>Read <delegate>it</delegate> now.</delegate>"
                ),
                FINAL,
            ],
            WORKER: [Say(entries(0))],
        },
        ["lead"],
    ),
    Scene(
        "Nothing but a malformed tag",
        "The lead is told and goes on.",
        {
            "lead": [Say(tag().removesuffix("</delegate>")), Say(tag()), FINAL],
            WORKER: [Say(entries(0))],
        },
        ["lead"],
    ),
    Scene(
        "More delegations than there may be",
        "The rest is refused.",
        {"lead": [Say(f"{tag(0)}\n{tag(1)}"), FINAL], WORKER: [Say(entries(0))]},
        ["lead"],
        {"max_delegations": 1},
    ),
    Scene(
        "A worker that tries to hand its order on",
        "It is refused by depth, reads why, and goes on.",
        {"lead": [Say(tag()), FINAL], WORKER: [Say(f"Somebody else may do this.\n{tag()}"), Say(entries(0))]},
        [WORKER],
    ),
    ends(
        "A worker that is blocked",
        "It says so by itself; its order does not ask for that form.",
        Say("BLOCKED: the document names two inspectors and does not say who was in charge."),
    ),
    ends("A worker that runs out of steps", "It is left out.", calls(read(0, "5")), worker_steps=1),
    ends(
        "A worker that takes too long",
        "It is interrupted and left out.",
        Say(entries(0), seconds=9.0),
        worker_timeout_s=5.0,
    ),
    ends(
        "A provider that fails",
        "The fault ends the worker, not the run.",
        Say(fault=TransportError("the provider is overloaded", kind="server_error", retryable=False)),
    ),
)
