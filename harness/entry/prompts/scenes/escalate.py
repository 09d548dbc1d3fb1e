"""Scenes of ``escalate``."""

from __future__ import annotations

from harness.entry.prompts.scene import Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, WRONG, read

READING = calls(read(0, "5"), read(1, "8"), read(2, "5"))

SCENES = (
    Scene(
        "An answer that passes the visible tests",
        "The strong model is not asked.",
        {"solver_1": [READING, FINAL]},
        [],
    ),
    Scene(
        "An answer that fails a visible test",
        "The strong model starts anew from the task; it reads neither the answer nor what failed, and nothing else is "
        "written to either.",
        {"solver_1": [READING, Say(WRONG)], "strong": [READING, FINAL]},
        ["solver_1", "strong"],
    ),
    Scene(
        "Attempts that are reviewed",
        "Each model checks its own answer before that is tested.",
        {"solver_1": [Say(WRONG), Say("[]")], "strong": [Say(WRONG), FINAL]},
        ["strong"],
        {"attempt": {"reviews": 1}},
    ),
)
