"""Scenes of ``strong``."""

from __future__ import annotations

from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, WRONG, read

SCENES = (
    Scene(
        "Reading and answering",
        "The stronger model reads word for word what the main model reads in the topology `single`.",
        {
            "solver": [
                calls(read(0, "5"), read(1, "8"), Call("search_documents", {"query": "total price 2020"})),
                FINAL,
            ]
        },
        ["solver"],
    ),
    Scene(
        "Asked to check its own answer",
        "As there.",
        {"solver": [calls(read(0, "5"), read(1, "8")), Say(WRONG), calls(read(2, "5")), Say("[]"), FINAL]},
        ["solver"],
        {"reviews": 2},
    ),
)
