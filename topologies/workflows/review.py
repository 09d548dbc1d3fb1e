"""A review by dimensions, each finding of which somebody else tries to refute (seed document 004, "Code Review").

For tasks whose answer is a list of verdicts, each {"draft": label, "verdict": "defect" or "clean", "where": line or
null}, as the suite `review` asks for.
args: `dimensions`: what each reviewer looks for, {name: text} or a list of texts.

A dimension is verified as soon as its reviewer is done, whatever the others do. The rest is rules: a draft has a defect
if a finding about it is left, and the line is the one that most dimensions have named.
"""

from __future__ import annotations

import json
from typing import Any

from harness.workflow.script import AgentFailed, agent, args, pipeline

META = {
    "name": "review",
    "description": "Review by dimensions, adversarial verification of each finding, merged by rules.",
    "phases": ["Review", "Verify"],
}

DIMENSIONS = {
    "values": "values and their order: one too many or too few, swapped arguments, wrong defaults",
    "edges": "edges and what is kept: nothing, one, the last, the same twice; what is left open or shared",
    "agreements": "agreements: units, forms, and what other files expect",
}
REVIEW = "{task}\n\nLook above all for defects in {dimension}. Give a verdict for each draft."
VERIFY = """{task}

Somebody has reviewed this; do not review it again. Try to refute each of the findings below: look up yourself what it \
says. It is refuted only if what you have looked up shows that it is wrong.
{findings}"""
VERDICTS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "draft": {"type": "string"},
            "verdict": {"enum": ["defect", "clean"]},
            "where": {"type": ["string", "null"]},
        },
        "required": ["draft", "verdict", "where"],
        "additionalProperties": False,
    },
}
REFUTED = {
    "type": "object",
    "properties": {
        "refuted": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"finding": {"type": "integer"}, "why": {"type": "string"}},
                "required": ["finding", "why"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["refuted"],
    "additionalProperties": False,
}


async def main(task: str) -> list[dict[str, Any]]:
    chosen = args.get("dimensions", DIMENSIONS)
    for name in args:
        if name != "dimensions":
            raise ValueError(f"unknown topology.args.{name}. Valid choices: dimensions.")
    listed = chosen.items() if isinstance(chosen, dict) else enumerate(chosen, 1) if isinstance(chosen, list) else ()
    dimensions = list(listed)
    if not dimensions or not all(isinstance(text, str) for _, text in dimensions):
        raise ValueError(f"topology.args.dimensions={chosen!r}: give {{name: text}} or a list of texts.")

    def review(dimension: tuple[Any, str]) -> Any:
        name, text = dimension
        prompt = REVIEW.format(task=task, dimension=text)
        return agent(prompt, schema=VERDICTS, type="solver", label=f"review_{name}", phase="Review")

    async def verify(verdicts: list[dict[str, Any]], dimension: tuple[Any, str]) -> tuple[list[str], list[Any]]:
        """The drafts that were looked at, and the findings that are left."""
        drafts = [verdict["draft"] for verdict in verdicts if verdict["draft"]]
        findings = [verdict for verdict in verdicts if verdict["draft"] and verdict["verdict"] == "defect"]
        if not findings:
            return drafts, []
        told = "\n".join(f"[finding {n}]\n{json.dumps(f, ensure_ascii=False)}" for n, f in enumerate(findings, 1))
        prompt = VERIFY.format(task=task, findings=told)
        found = await agent(prompt, schema=REFUTED, type="reviewer", label=f"verify_{dimension[0]}", phase="Verify")
        refuted = [r["finding"] for r in found["refuted"] or ()]  # what is left open is null
        return drafts, [finding for n, finding in enumerate(findings, 1) if n not in refuted]

    reviews = [done for done in await pipeline(dimensions, review, verify) if done is not None]
    if not reviews:
        raise AgentFailed("no dimension has come to verdicts; for tasks without drafts: topology.script=research")
    drafts = dict.fromkeys(draft for looked_at, _ in reviews for draft in looked_at)
    return [_merged(draft, [f for _, left in reviews for f in left if f["draft"] == draft]) for draft in drafts]


def _merged(draft: str, findings: list[dict[str, Any]]) -> dict[str, Any]:
    """The verdict on a draft: its findings are one, with the line that most of them name."""
    if not findings:
        return {"draft": draft, "verdict": "clean", "where": None}
    lines = [finding["where"] for finding in findings]
    return {"draft": draft, "verdict": "defect", "where": max(lines, key=lines.count)}
