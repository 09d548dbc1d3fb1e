"""What a solver reads first: the brief and the statement."""

from __future__ import annotations

from tasks.jsonl.graders import GRADERS
from tasks.jsonl.task import Task

BRIEF = """\
You do tasks of many kinds. Each stands under its label, such as Task 12.
How to work: do just what the task asks. Where it comes with documents, read them first, and answer from what they \
say, not from memory.
How to answer: in the form that is asked for, and decide: of several answers that differ none counts."""


def question(task: Task) -> str:
    """The task as it stands in the statement: its label, and its input as it is."""
    return f"{GRADERS[task.grader].head(task)}: {task.text}"


def statement(task: Task) -> str:
    """The first user message: the form of the answer, the documents one a line, and the task itself. It comes last,
    since an input may be a long text with a form of its own."""
    parts = ["Do the task at the end of this message."]
    parts.append(f"Output format:\n{GRADERS[task.grader].form(task)}")
    if task.documents:
        parts.append("Documents:\n" + "\n".join(document.line for document in task.documents))
    return "\n\n".join([*parts, question(task)])
