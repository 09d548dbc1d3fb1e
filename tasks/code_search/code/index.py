"""What stands where in a set of source files, by static analysis: definitions, calls, bases of classes, words.

What counts as what is written for solvers in ``statement.BRIEF``; this is the same in code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tasks.code_search.code.reading import parsed
from tasks.code_search.code.source import SourceFile

_WORD = re.compile(r"\w+")
_FORMATTED = ("JoinedStr", "TemplateStr")
"""Nodes of f-strings and t-strings; before Python 3.12 the line numbers inside them are wrong."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One ``def``, ``async def`` or ``class`` statement. ``name``: its own; ``qualified``: with module and what is
    around it; ``lines``: of the statements around it, outermost first, and its own (the one with the keyword)."""

    file: SourceFile
    name: str
    qualified: str
    lines: tuple[int, ...]

    @property
    def line(self) -> int:
        return self.lines[-1]


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at a line: of what is called there or of a base of a class. ``by``: the function that calls, None outside
    all functions; the class that has the base."""

    name: str
    line: int
    by: Definition | None


@dataclass(frozen=True)
class Index:
    """All of some files. ``doubtful``: names that are called inside f-strings. ``words``: word → the lines that hold
    it, by file."""

    files: Sequence[SourceFile]
    functions: list[Definition] = field(default_factory=list)
    classes: list[Definition] = field(default_factory=list)
    calls: list[Mention] = field(default_factory=list)
    bases: list[Mention] = field(default_factory=list)
    doubtful: set[str] = field(default_factory=set)
    words: dict[str, dict[str, list[int]]] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Sequence[SourceFile]) -> Index:
        """Raises what ``parsed`` does for a file that is no Python."""
        index = cls(files)
        for file in files:
            index._parse(file)
            for number, line in enumerate(file.lines, 1):
                for word in dict.fromkeys(_WORD.findall(line)):
                    index.words.setdefault(word, {}).setdefault(file.name, []).append(number)
        return index

    def defined(self) -> dict[str, list[Definition]]:
        """Name → its definitions, functions first."""
        found: dict[str, list[Definition]] = {}
        for definition in (*self.functions, *self.classes):
            found.setdefault(definition.name, []).append(definition)
        return found

    def callers(self) -> dict[str, dict[str, list[tuple[Definition, int]]]]:
        """Name → the functions that call it, by qualified name → each call there as (function, line)."""
        found: dict[str, dict[str, list[tuple[Definition, int]]]] = {}
        for call in self.calls:
            if call.by is not None:
                found.setdefault(call.name, {}).setdefault(call.by.qualified, []).append((call.by, call.line))
        return found

    def subclasses(self) -> dict[str, list[tuple[Definition, int]]]:
        """Name → the classes that have a base of this name, each as (class, line of the base); direct ones only."""
        found: dict[str, list[tuple[Definition, int]]] = {}
        for base in self.bases:
            if base.by is not None:
                found.setdefault(base.name, []).append((base.by, base.line))
        return found

    def _parse(self, file: SourceFile) -> None:
        """Depth first, in the order of the text, without recursion: an expression may be deep."""
        waiting = [_Place(parsed(file.text), None, (), False)]
        while waiting:
            waiting.extend(reversed(list(self._look(file, waiting.pop()))))

    def _look(self, file: SourceFile, place: _Place) -> Iterator[_Place]:
        """Note what a node is, and give what is directly in it."""
        node = place.node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own = _definition(file, node, place.around)
            body = place._replace(around=(*place.around, own))
            if isinstance(node, ast.ClassDef):
                self.classes.append(own)
                self.bases.extend(Mention(name, line, own) for name, line in filter(None, map(_base, node.bases)))
            else:
                self.functions.append(own)
                body = body._replace(function=own)
            inner = set(map(id, node.body))
            for child in ast.iter_child_nodes(node):
                yield (body if id(child) in inner else place)._replace(node=child)
            return
        formatted = place.formatted or type(node).__name__ in _FORMATTED
        if isinstance(node, ast.Call) and (called := _name(node.func)) is not None:
            self.calls.append(Mention(*called, place.function))
            if formatted:
                self.doubtful.add(called[0])
        for child in ast.iter_child_nodes(node):
            yield place._replace(node=child, formatted=formatted)


class _Place(NamedTuple):
    """A node to look at, the function that it belongs to, all definitions around it, and whether an f-string is."""

    node: ast.AST
    function: Definition | None
    around: tuple[Definition, ...]
    formatted: bool


def _definition(
    file: SourceFile, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, around: tuple[Definition, ...]
) -> Definition:
    outer = around[-1].qualified if around else file.module
    return Definition(file, node.name, f"{outer}.{node.name}", (*(d.line for d in around), node.lineno))


def _name(node: ast.expr) -> tuple[str, int] | None:
    """The name that ``NAME`` or ``X.NAME`` ends with, and its line."""
    if isinstance(node, ast.Name):
        return node.id, node.lineno
    if isinstance(node, ast.Attribute):
        return node.attr, node.end_lineno or node.lineno
    return None


def _base(node: ast.expr) -> tuple[str, int] | None:
    """The name of a base: of ``NAME``, ``X.NAME`` or either with square brackets after it."""
    return _name(node.value if isinstance(node, ast.Subscript) else node)
