"""Scenes of ``workflow``, with both shipped scripts."""

from __future__ import annotations

import json

from harness.entry.prompts.scene import Say, Scene, calls
from harness.entry.prompts.scenes.material import FINAL, WRONG, entries, read
from harness.models.protocol import TransportError

ALL = calls(read(0), read(1), read(2))
HOLDS = Say(json.dumps({"refuted": []}))
REFUTED = Say(json.dumps({"refuted": [{"finding": 2, "why": "another name stands in the document"}]}))

DRAFTS = ("task=review", "task.drafts=4", "task.samples=1")
LINES = {"D00-03": "    return sorted(names, key=points.get, reverse=best_first)", "D00-04": "        os.remove(path)"}


def verdicts(*defective: str) -> Say:
    """A verdict on each of the four drafts."""
    labels = [f"D00-0{n}" for n in range(1, 5)]
    return Say(
        json.dumps(
            [
                {
                    "draft": d,
                    "verdict": "defect" if d in defective else "clean",
                    "where": LINES.get(d) if d in defective else None,
                }
                for d in labels
            ]
        )
    )


SCENES = (
    Scene(
        "Routes that agree, and checks that hold",
        "Each route reads the task as its order; a check reads the task, and the findings without their authors. When "
        "all agree, nobody is asked to combine anything.",
        {
            "route_1": [ALL, FINAL],
            "route_2": [FINAL],
            "route_3": [FINAL],
            "check_1": [ALL, HOLDS],
            "check_2": [HOLDS],
        },
        ["route_1", "check_1"],
    ),
    Scene(
        "A finding that is refuted, by an answer that is not in its form at first",
        "What does not fit the schema goes back with what is wrong. Whoever combines reads which finding was refuted, "
        "and why.",
        {
            "route_1": [FINAL],
            "route_2": [Say(WRONG)],
            "route_3": [FINAL],
            "check_1": [Say("Finding 2 is wrong."), REFUTED],
            "check_2": [REFUTED],
            "combine": [calls(read(0)), FINAL],
        },
        ["check_1", "combine"],
    ),
    Scene(
        "A route that is blocked",
        "It is left out, and nobody is told.",
        {
            "route_1": [Say("BLOCKED: the documents cannot be read.")],
            "route_2": [Say(entries(0, 1))],
            "route_3": [FINAL],
            "check_1": [HOLDS],
            "check_2": [HOLDS],
            "combine": [FINAL],
        },
        ["combine"],
    ),
    Scene(
        "The script `review`: dimensions, and others who try to refute what is found",
        "The verdicts must fit a schema. A finding that is refuted does not count; nor does a dimension whose reviewer "
        "fails, and nobody is told. The verdicts are merged by rules.",
        {
            "review_values": [Say("D00-03 and D00-04 look wrong."), verdicts("D00-03", "D00-04")],
            "review_edges": [verdicts()],
            "review_agreements": [
                Say(fault=TransportError("the provider is overloaded", kind="server_error", retryable=False))
            ],
            "verify_values": [Say(json.dumps({"refuted": [{"finding": 1, "why": "ties are sorted before"}]}))],
        },
        ["review_values", "verify_values"],
        {"script": "review"},
        task=DRAFTS,
    ),
)
