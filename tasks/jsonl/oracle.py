"""What the suite tells the simulated model; no topology can reach it."""

from __future__ import annotations

from collections.abc import Sequence

from harness.models.oracle import Item
from tasks.jsonl.graders import GRADERS
from tasks.jsonl.statement import question
from tasks.jsonl.task import Task

UNKNOWN = "the file gives no right answer"


def item(task: Task, nearby: Sequence[Task]) -> Item:
    """A task's item: proved by the quotes that its line gives as evidence, or by its own text. If the line gives no
    right answer, what the simulated model takes for right is nothing of the sort, and scores 0. ``nearby``: other
    tasks, whose right answers are plausible wrong ones if their grader is the same."""
    grader = GRADERS[task.grader]
    asked = question(task)
    right = grader.right(task)
    others = [found for t in nearby if t.grader == task.grader and (found := grader.right(t)) is not None]
    wrong = tuple(grader.entry(task, answer) for answer in grader.wrong(task, others))
    return Item(asked, task.evidence or (asked,), grader.entry(task, UNKNOWN if right is None else right), wrong)
