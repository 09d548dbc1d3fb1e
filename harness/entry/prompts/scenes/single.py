"""Scenes of ``single``."""

from __future__ import annotations

from harness.entry.prompts.scene import Call, Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, WRONG, read

SCENES = (
    Scene(
        "Reading and answering",
        "The agent works until it answers without a tool call.",
        {
            "solver": [
                calls(
                    Call("list_documents"), read(0), read(1), read(2), text="Three short documents: I read them all."
                ),
                calls(Call("search_documents", {"query": "total price 2020"}), read(2, "5")),
                FINAL,
            ]
        },
        ["solver"],
    ),
    Scene(
        "Tool calls that go wrong",
        "Each is answered by a text, and the agent goes on.",
        {
            "solver": [
                calls(
                    Call("read_document", {"document": "minutes.txt"}),
                    Call("read_document", {"document": "00-0000-inspection.txt", "sections": "9"}),
                    Call("read_document", {"document": ["00-0000-inspection.txt"]}),
                    Call("read_document", '{"document": "00-0000'),
                    Call("open_file", {"path": "00-0000-inspection.txt"}),
                ),
                Say("[]"),
            ]
        },
        ["solver"],
    ),
    Scene(
        "Asked to check its own answer",
        "With a self-review the agent is asked once more, in the same conversation, and may use its tools again.",
        {"solver": [calls(read(0), read(1), read(2)), Say(WRONG), calls(read(0, "5")), FINAL]},
        ["solver"],
        {"reviews": 1},
    ),
    Scene(
        "A context that fills up",
        "With compaction on, results that no longer fit are left out; when the window is nearly full, the agent is "
        "asked for notes and goes on from these alone.",
        {"solver": [calls(read(0), read(1), read(2)), Say("[]\nDocuments read: 00-0000-inspection.txt"), FINAL]},
        ["solver"],
        {"compact": True, "compact_at": 0.6},
        window_tokens=2_400,
    ),
)
