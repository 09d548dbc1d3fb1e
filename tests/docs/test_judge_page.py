"""docs/judge.md says what the code does, and shows what a judge reads."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from harness.accounting.parts import joined
from harness.graders.judge import Judge
from harness.graders.prompt import RUBRIC, comparing, question, scoring
from harness.models.simulated.behaviour import Review
from harness.run import ANSWER_CUT
from harness.suite import Sample

PAGE = (Path(__file__).parents[2] / "docs" / "judge.md").read_text(encoding="utf-8")


def test_every_setting_stands_there_with_its_default() -> None:
    rows = re.findall(r"^\| `grader\.(\w+)` \| (\w+) \|", PAGE, re.M)
    defaults = {f.name: "null" if f.default is None else str(f.default).lower() for f in fields(Judge)}
    assert dict(rows) == defaults | {"rubric": "below"}


def test_what_a_judge_reads_is_what_the_code_writes() -> None:
    """After a change of a prompt, copy it."""
    sample = Sample("s", "What is six times seven?", "Answer with one number.", None, 0, "0", 1.0, 1.0)
    shown = re.findall(r"^```text\n(.*?)\n```$", PAGE, re.M | re.S)
    assert shown == [
        scoring(RUBRIC, 10),
        joined(question(sample, "42", ["It is 42."])),
        comparing("(the rubric, as above)"),
    ]


def test_the_figures() -> None:
    assert f"`review.catch` ({Review().catch})" in PAGE and f"`review.false_alarm` ({Review().false_alarm})" in PAGE
    assert f"the {ANSWER_CUT:,} characters" in PAGE
