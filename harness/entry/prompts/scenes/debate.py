"""Scenes of ``debate``."""

from __future__ import annotations

from harness.entry.prompts.scene import Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, WRONG, entries, read
from harness.models.protocol import TransportError

ALL = calls(read(0), read(1), read(2))

SCENES = (
    Scene(
        "Two rounds",
        "In the first a debater reads what a single agent reads and nothing else. In each further one it reads the "
        "others' latest answers, without their authors; none sees what the others say in the same round. All agree "
        "after the second round here, so there is no third.",
        {
            "debater_1": [ALL, Say(entries(0, 1)), FINAL],
            "debater_2": [ALL, FINAL, FINAL],
            "debater_3": [calls(read(0)), Say(WRONG), calls(read(0, "5"), read(2, "5")), FINAL],
        },
        ["debater_1", "debater_3"],
    ),
    Scene(
        "A debater that fails in the second round",
        "The others still read its last answer in the third.",
        {
            "debater_1": [Say(entries(0, 1)), Say(entries(0, 1)), FINAL],
            "debater_2": [FINAL, FINAL, FINAL],
            "debater_3": [
                Say(WRONG),
                Say(fault=TransportError("the provider is overloaded", kind="server_error", retryable=False)),
            ],
        },
        ["debater_1"],
        {"rounds": 3},
    ),
)
