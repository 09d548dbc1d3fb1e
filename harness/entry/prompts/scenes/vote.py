"""Scenes of ``vote``."""

from __future__ import annotations

from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, WRONG, entries, read

ALL = calls(read(0), read(1), read(2))

SCENES = (
    Scene(
        "Reading and answering",
        "A voter reads what a single agent reads and nothing else; it never learns of the others, nor of the vote.",
        {"voter_1": [ALL, FINAL], "voter_2": [ALL, Say(WRONG)], "voter_3": [ALL, Say(entries(0, 1))]},
        ["voter_1", "voter_2", "voter_3"],
    ),
    Scene(
        "Tool calls that go wrong",
        "They are answered as for a single agent.",
        {
            "voter_1": [
                calls(
                    Call("read_document", {"document": ["00-0000-inspection.txt"]}),
                    Call("read_document", '{"document": "00-0000'),
                    Call("open_file", {"path": "00-0000-inspection.txt"}),
                ),
                FINAL,
            ],
            "voter_2": [FINAL],
            "voter_3": [FINAL],
        },
        ["voter_1"],
    ),
)
