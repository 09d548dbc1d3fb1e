"""Scenes of ``moa``."""

from __future__ import annotations

from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, WRONG, entries, read
from harness.models.protocol import TransportError

ALL = calls(read(0), read(1), read(2))

SCENES = (
    Scene(
        "Proposals and their combination",
        "A proposer reads what a single agent reads and nothing else. The aggregator reads the task, and then all "
        "proposals without their authors.",
        {
            "proposer_1": [ALL, Say(entries(0, 1))],
            "proposer_2": [ALL, FINAL],
            "proposer_3": [calls(read(0)), Say(WRONG)],
            "aggregator": [FINAL],
        },
        ["proposer_1", "aggregator"],
    ),
    Scene(
        "A proposer that fails",
        "It is left out, and the aggregator is not told.",
        {
            "proposer_1": [Say(entries(0, 1))],
            "proposer_2": [
                Say(fault=TransportError("the provider is overloaded", kind="server_error", retryable=False))
            ],
            "proposer_3": [FINAL],
            "aggregator": [FINAL],
        },
        ["aggregator"],
    ),
    Scene(
        "An aggregator that wants to read",
        "It has no tools, and is told so once more.",
        {
            "proposer_1": [FINAL],
            "proposer_2": [FINAL],
            "proposer_3": [FINAL],
            "aggregator": [calls(Call("read_document", {"document": "00-0000-inspection.txt"})), FINAL],
        },
        ["aggregator"],
    ),
    Scene(
        "A second layer",
        "New proposers read the proposals of the first layer; the aggregator reads theirs.",
        {
            "proposer_1": [Say(entries(0, 1))],
            "proposer_2": [Say(WRONG)],
            "proposer_1_layer_2": [calls(read(0, "5"), read(2, "5")), FINAL],
            "proposer_2_layer_2": [Say(entries(0, 1))],
            "aggregator": [FINAL],
        },
        ["proposer_1_layer_2", "aggregator"],
        {"proposers": 2, "layers": 2},
        prompts=True,
    ),
)
