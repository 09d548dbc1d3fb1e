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
    that are no Python; ``same``: those that do what the old file did (``_tree``); ``unknown``: names that belong to no
    file of the program."""

    given: Mapping[str, str]
    broken: tuple[str, ...]
    same: tuple[str, ...]
    unknown: tuple[str, ...]

    def changed(self, file: str) -> bool:
        """Whether this file is there, is Python, and its code is not what it was."""
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
    """The code of a source, in one form; None if it is no Python. What does nothing is left out: comments and layout,
    docstrings and other constants that stand alone, ``pass``, annotations of functions, and names at the top
    (constants, imports) that nothing in the file reads."""
    tree = parsed(source)
    try:
        return None if tree is None else ast.dump(_used(_Acting().visit(tree)))
    except (RecursionError, MemoryError):
        return None


class _Acting(ast.NodeTransformer):
    """Leaves only what does something when it is executed."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_Pass(self, node: ast.Pass) -> None:
        return None

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def _used(tree: ast.Module) -> ast.Module:
    """Without the assignments and imports at the top whose names nothing reads, until none is left."""
    while True:
        read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)}
        left = [node for node in tree.body if (names := _bound(node)) is None or names & read]
        if len(left) == len(tree.body):
            return tree
        tree.body = left


def _bound(node: ast.stmt) -> set[str] | None:
    """The names that an assignment of plain names, or an import, binds; None for any other statement."""
    if isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    if isinstance(node, ast.Import | ast.ImportFrom) and node.names[0].name != "*":
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return None
