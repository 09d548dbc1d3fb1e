"""What the suite tells the simulated model about each file; no topology can reach it."""

from __future__ import annotations

from harness.models.oracle import Choice, Entry, Item
from tasks.common.files import NAMING, TELLING
from tasks.refactor.project import Project
from tasks.refactor.system import Part


def items(project: Project) -> list[Item]:
    """One item a file. Its line says what has to change; the file as it is has to be read too, for what stays. Which of
    the decisions it follows is its choice. Wrong are the file as it was and the new file with the new key mistyped."""
    return [_item(project, part) for part in project.parts]


def _item(project: Project, part: Part) -> Item:
    file, line = project.path(part), project.line(part)
    options = tuple(
        (decision.contract(project), _entry(file, project.new_file(part, decision))) for decision in project.decisions
    )
    first = project.decisions[0]
    mistyped = project.new_file(part, first._replace(key=f"{first.key}s")).partition("\n")[2]
    wrong = (_entry(file, project.old[file]), _entry(file, mistyped))
    return Item(line, (line, project.old[file]), options[0][1], wrong, choice=Choice(project.package, options))


def _entry(file: str, content: str) -> Entry:
    return {NAMING: file, TELLING: content}
