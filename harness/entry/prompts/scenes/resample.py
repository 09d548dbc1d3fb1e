"""Scenes of ``resample``."""

from __future__ import annotations

from harness.entry.prompts.scene import Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, WRONG, entries, read
from harness.models.protocol import TransportError

READING = calls(read(0, "5"), read(1, "8"), read(2, "5"))
JUDGED = {"choose": "judge"}

SCENES = (
    Scene(
        "Attempts of which the majority counts",
        "Every attempt is a whole run of the topology `single`; none reads anything of another, and nothing more is "
        "written to anybody.",
        {"solver_1": [READING, Say(WRONG)], "solver_2": [READING, FINAL], "solver_3": [READING, FINAL]},
        ["solver_1"],
    ),
    Scene(
        "A judge",
        "It reads the task and all attempts, whole and numbered.",
        {"solver_1": [Say(WRONG)], "solver_2": [FINAL], "solver_3": [Say(entries(0, 2))], "judge": [Say("2")]},
        ["judge"],
        JUDGED,
    ),
    Scene(
        "A judge that may check, and an answer that is no number",
        "It has the task's tools. It is asked once more; if that is no number either, the first attempt stands.",
        {
            "solver_1": [Say(WRONG)],
            "solver_2": [FINAL],
            "solver_3": [Say(fault=TransportError("the provider is overloaded", kind="server_error", retryable=False))],
            "judge": [calls(read(0, "5")), Say("The second one, since Maria Kelter stands nowhere."), Say("2")],
        },
        ["judge"],
        JUDGED | {"judge_reads": True},
    ),
    Scene(
        "Visible tests",
        "One attempt after the other; the tests tell the engine what fails, and no agent.",
        {"solver_1": [READING, Say(WRONG)], "solver_2": [READING, FINAL]},
        [],
        {"choose": "visible"},
    ),
    Scene(
        "Attempts that are reviewed",
        "Each is asked to check its own answer before one is chosen.",
        {"solver_1": [Say(WRONG), FINAL], "solver_2": [FINAL, FINAL]},
        ["solver_1"],
        {"attempts": 2, "attempt": {"reviews": 1}},
    ),
)
