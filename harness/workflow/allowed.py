"""What a workflow script may contain, checked on its syntax tree before anything runs.

A guard against accidents (a script that reads the clock is not the same twice, one that opens a file cannot be run by
others), not a security boundary: run only scripts that you have read.
"""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

SCRIPT = "harness.workflow.script"
"""The module from which a script may import the primitives, so that editors and type checkers know them."""
MODULES = (
    "collections", "dataclasses", "functools", "json", "math", "operator", "re", "statistics", "string", "textwrap",
    "typing",
)  # fmt: skip
"""Modules without a clock, chance or the outside world."""
_UNTYPED = frozenset({"__future__", "collections.abc"})
"""Only for annotations."""

_TIME = "use now(), seconds of the run's clock"
_CHANCE = "use random(), drawn from the run's seed"
_OUTSIDE = "a script does no I/O: hand it what it needs in topology.args, and let agents read with their tools"
_TASKS = "use parallel() and pipeline()"
_INSTEAD: Mapping[str, str] = {
    **dict.fromkeys(("time", "datetime", "calendar"), _TIME),
    **dict.fromkeys(("random", "secrets", "uuid", "numpy"), _CHANCE),
    **dict.fromkeys(("os", "sys", "io", "pathlib", "shutil", "tempfile", "subprocess", "socket", "urllib", "requests",
                     "httpx", "aiohttp", "glob", "pickle", "logging"), _OUTSIDE),
    **dict.fromkeys(("asyncio", "threading", "multiprocessing", "concurrent", "queue"), _TASKS),
}  # fmt: skip

_FORBIDDEN: Mapping[str, str] = {
    **dict.fromkeys(("open", "input", "breakpoint", "help"), _OUTSIDE),
    **dict.fromkeys(("exec", "eval", "compile", "globals", "locals", "vars", "getattr", "setattr", "delattr"),
                    "say in plain code what you mean"),
    **dict.fromkeys(("exit", "quit"), "return the answer from main"),
    **dict.fromkeys(("id", "hash"), "they differ from run to run"),
    **dict.fromkeys(("BaseException", "BaseExceptionGroup", "SystemExit", "KeyboardInterrupt", "GeneratorExit"),
                    "use Exception"),
    "print": "use log(text)",
}  # fmt: skip
_REACHING: Mapping[str, str] = {
    **dict.fromkeys(("attrgetter", "methodcaller", "Formatter"), "say in plain code what you mean"),
    "samples": _CHANCE,  # of statistics.NormalDist
}
"""Names of modules that may be imported, and of what is in them."""
_SETS = ("set", "frozenset")
_LISTING = frozenset({"list", "tuple", "enumerate", "iter", "map", "filter", "zip", "reversed", "next", "str", "repr"})

_FUNCTIONS = (
    "abs", "all", "any", "ascii", "bin", "bool", "bytes", "callable", "chr", "classmethod", "complex", "dict", "divmod",
    "enumerate", "filter", "float", "format", "frozenset", "hasattr", "hex", "int", "isinstance", "issubclass", "iter",
    "len", "list", "map", "max", "min", "next", "object", "oct", "ord", "pow", "property", "range", "repr", "reversed",
    "round", "set", "slice", "sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "zip",
)  # fmt: skip


def faults(tree: ast.AST) -> list[tuple[int, str]]:
    """(line, what is wrong and what to do instead), in the order of the lines."""
    found = {(line, text) for node in ast.walk(tree) for line, text in _lines(node)}
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and _root(node) in imported:
            found.add(
                (node.lineno, f"`{ast.unparse(node)} = …` would change it for all runs: keep what is yours apart")
            )
    return sorted(found)


def _root(node: ast.expr) -> str:
    """The name at the beginning of `name.attribute.attribute`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _lines(node: ast.AST) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Try | ast.TryStar):
        for inner in _own(node.finalbody):
            if isinstance(inner, ast.Return | ast.Break | ast.Continue):
                word = type(inner).__name__.lower()
                told = f"`{word}` in `finally` would swallow the end of the run: put it after the try statement"
                yield inner.lineno, told
    at = node.iter if isinstance(node, ast.comprehension) else node
    for text in _wrong(node):
        yield getattr(at, "lineno", 1), text


def _wrong(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if "." in alias.name:
                yield f"`import {alias.name}`: write `from {alias.name} import NAME`"
            yield from _module(alias.name)
    elif isinstance(node, ast.ImportFrom):
        yield from _module("." * node.level + (node.module or ""))
        if any(alias.name == "*" for alias in node.names):
            yield "`import *` hides what is imported: name it"
        for alias in node.names:
            if alias.name in _REACHING:
                yield f"`{alias.name}`: {_REACHING[alias.name]}"
    elif isinstance(node, ast.Name):
        yield from _name(node.id)
    elif isinstance(node, ast.Attribute) and node.attr.startswith("__"):
        yield f"`.{node.attr}` reaches behind Python's surface: say in plain code what you mean"
    elif isinstance(node, ast.Attribute) and node.attr in _REACHING:
        yield f"`.{node.attr}`: {_REACHING[node.attr]}"
    elif isinstance(node, ast.ExceptHandler) and node.type is None:
        yield "`except:` would catch the end of the run: use `except Exception:`"
    elif isinstance(node, ast.TryStar):
        yield "`except*` would catch the end of the run: use `except Exception:`"
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) and _is_set(node.iter):
        yield _ORDER
    elif isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        joining = isinstance(node.func, ast.Attribute) and node.func.attr == "join"
        first = name in ("max", "min") and any(k.arg == "key" for k in node.keywords)
        popping = isinstance(node.func, ast.Attribute) and node.func.attr == "pop" and _is_set(node.func.value)
        if popping or ((name in _LISTING or joining or first) and any(_is_set(a) for a in node.args)):
            yield _ORDER
    elif isinstance(node, ast.Starred) and _is_set(node.value):
        yield _ORDER


_ENDLESS = "iter(CALLABLE, SENTINEL) takes a function of the script: nothing counts the rounds of any other"
_ORDER = "a set has no order that is the same twice: use sorted(…) or dict.fromkeys(…)"


def _module(name: str) -> Iterator[str]:
    if name in MODULES or name in _UNTYPED or name == SCRIPT:
        return
    instead = _INSTEAD.get(name.lstrip(".").partition(".")[0], "everything else stays outside a script")
    yield f"`import {name}`: {instead}; modules that may be imported: {', '.join(MODULES)}"


def _name(name: str) -> Iterator[str]:
    if name in _FORBIDDEN:
        yield f"`{name}`: {_FORBIDDEN[name]}"
    elif name.startswith("__"):
        yield f"`{name}` reaches behind Python's surface: say in plain code what you mean"


def _own(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The statements of a block with those in it, but not those of functions that it defines."""
    left: list[ast.AST] = list(body)
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            left += ast.iter_child_nodes(node)


def _is_set(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return _is_set(node.left) or _is_set(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in _SETS
    return isinstance(node, ast.Set | ast.SetComp)


def space(primitives: Mapping[str, Any], most: int) -> dict[str, Any]:
    """The globals of a script. ``primitives``: what it calls by name beside Python's own; ``most``: the longest
    ``range``."""

    def bounded(*arguments: int) -> range:
        made = range(*arguments)
        if len(made) > most:
            raise ValueError(f"range{arguments} is longer than topology.script_steps={most:,}")
        return made

    def counted_iter(of: Any, *sentinel: object) -> Iterator[Any]:
        if sentinel and not isinstance(of, FunctionType):
            raise ValueError(_ENDLESS)
        return iter(of, *sentinel)

    def importing(name: str, _: object = None, __: object = None, ___: object = (), level: int = 0) -> object:
        if name == SCRIPT:
            return SimpleNamespace(**primitives)
        if level or not (name in MODULES or name in _UNTYPED):
            raise ImportError(next(_module(name)))
        return _surface(importlib.import_module(name))

    errors = {
        n: e for n, e in vars(builtins).items()
        if isinstance(e, type) and issubclass(e, Exception) and not issubclass(e, Warning)
    }  # fmt: skip
    own = {n: getattr(builtins, n) for n in _FUNCTIONS}
    own |= {
        "range": bounded,
        "iter": counted_iter,
        "__build_class__": builtins.__build_class__,
        "__import__": importing,
    }
    return {"__builtins__": {**errors, **own}, "__name__": SCRIPT, **primitives}


def _surface(module: ModuleType) -> object:
    """A module without the modules that it imports itself."""
    shown = {n: v for n, v in vars(module).items() if not n.startswith("_") and not isinstance(v, ModuleType)}
    return SimpleNamespace(**shown)
