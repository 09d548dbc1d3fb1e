"""The files that an answer gives, laid over the code base."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from tasks.common.files import files_in
from tasks.common.programs.source import parsed
from tasks.refactor.project import Project


@dataclass(frozen=True, slots=True)
class Changes:
    """``given``: files of the program, and new ones in its folder, as the answer gives them; ``broken``: those of them
    that are no Python; ``same``: those that say what the old file said, comments and layout aside; ``unknown``: names
    that belong to no file of the program."""

    given: Mapping[str, str]
    broken: tuple[str, ...]
    same: tuple[str, ...]
    unknown: tuple[str, ...]

    def changed(self, file: str) -> bool:
        """Whether this file is there, is Python, and does something else than before."""
        return file in self.given and file not in self.broken and file not in self.same


def changes_in(project: Project, answer: str) -> Changes:
    """What an answer changes. A file given in versions that differ is not given."""
    found = files_in(answer)
    own = re.compile(rf"{re.escape(project.package)}/[A-Za-z_]\w{{0,60}}\.py", re.A)
    given = {file: text for file, text in found.items() if file in project.old or own.fullmatch(file)}
    trees = {file: _tree(text) for file, text in given.items()}
    before = {file: _tree(project.old[file]) for file in given if file in project.old}
    return Changes(
        given,
        tuple(file for file, tree in trees.items() if tree is None),
        tuple(file for file, tree in before.items() if tree is not None and tree == trees[file]),
        tuple(file for file in found if file not in given),
    )


def _tree(source: str) -> str | None:
    """What a source says, in one form; None if it is no Python."""
    tree = parsed(source)
    try:
        return None if tree is None else ast.dump(tree)
    except (RecursionError, MemoryError):
        return None
