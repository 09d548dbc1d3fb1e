"""A workflow script as it is read: checked and compiled before anything runs."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any

from harness.errors import ConfigError, unknown
from harness.workflow.allowed import faults
from harness.workflow.meter import metered

MAIN, META = "main", "META"
PYTHON, YAML = ".py", (".yaml", ".yml")
SHOWN = 5
"""Faults of a script that are told at once."""
_FORM = "META = {'name': …, 'description': …, 'phases': [NAME, …]}"


@dataclass(frozen=True, slots=True)
class Program:
    """``name``, ``description``, ``phases``: as its META says; ``source``: where it stands, for messages; ``sha256``:
    of its text."""

    name: str
    description: str
    phases: tuple[str, ...]
    source: str
    sha256: str
    code: CodeType = field(repr=False)


@dataclass(frozen=True, slots=True)
class Source:
    """A script's text. ``name``: the file's, for messages with a line number."""

    name: str
    text: str
    yaml: bool


def read(chosen: str, folder: Path) -> Source:
    """The script that ``topology.script`` names: one that is shipped in ``folder``, or a file. Raises ConfigError."""
    path = Path(chosen)
    plain = path.suffix not in (PYTHON, *YAML) and path.name == chosen
    if plain:
        shipped = {p.stem: p for p in folder.glob(f"*{PYTHON}") if not p.stem.startswith("_")}
        if chosen not in shipped:
            hint = "A script of your own is given as a path that ends in .py or .yaml."
            raise ConfigError(unknown("workflow script in topology.script", chosen, shipped, hint))
        path = shipped[chosen]
    elif path.suffix not in (PYTHON, *YAML):
        raise ConfigError(f"topology.script={chosen}: must end in .py (a script) or .yaml (a list of tool steps).")
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        why = "is not UTF-8 text" if isinstance(fault, UnicodeDecodeError) else (fault.strerror or str(fault)).lower()
        raise ConfigError(f"topology.script={chosen}: cannot be read: {why}. Give the path of a script.") from None
    return Source(path.name, text, path.suffix in YAML)


def program(source: Source) -> Program:
    """The script, ready to run. Raises ConfigError, with file and line, for one that does not parse, contains what a
    script may not, or lacks META or ``async def main(task)``."""
    try:
        tree = ast.parse(source.text, source.name)
    except _UNREADABLE as fault:
        raise ConfigError(_unreadable(source.name, "parse", fault)) from None
    found = faults(tree)
    if found:
        more = [f"{len(found) - SHOWN} more"] if len(found) > SHOWN else []
        told = "; ".join([*(f"{source.name}:{line}: {text}" for line, text in found[:SHOWN]), *more])
        raise ConfigError(f"a workflow script may not do this: {told}.")
    _check_main(tree, source.name)
    meta = _meta(tree, source.name)
    try:
        code = compile(metered(tree), source.name, "exec", dont_inherit=True)
    except _UNREADABLE as fault:  # what only the compiler sees
        raise ConfigError(_unreadable(source.name, "compile", fault)) from None
    digest = sha256(source.text.encode()).hexdigest()
    return Program(meta["name"], meta["description"], meta["phases"], source.name, digest, code)


_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What Python raises for a text that is no program, or one too deep to read."""


def _unreadable(name: str, what: str, fault: BaseException) -> str:
    line, said = getattr(fault, "lineno", None) or 1, getattr(fault, "msg", None) or str(fault)
    return f"{name}:{line}: the script does not {what}: {said or type(fault).__name__}."


def _check_main(tree: ast.Module, name: str) -> None:
    mains = [n for n in tree.body if isinstance(n, ast.AsyncFunctionDef) and n.name == MAIN]
    if not mains:
        raise ConfigError(f"{name}: has no `async def main(task)`, which returns the answer: write one.")
    given = mains[-1].args
    one = len(given.posonlyargs) + len(given.args) == 1
    if not one or given.kwonlyargs or given.vararg or given.kwarg:
        raise ConfigError(f"{name}:{mains[-1].lineno}: main takes one argument, the task's statement: main(task).")


def _meta(tree: ast.Module, name: str) -> Mapping[str, Any]:
    given = [
        n for n in tree.body
        if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == META for t in n.targets)
    ]  # fmt: skip
    if not given:
        raise ConfigError(f"{name}: has no META: write {_FORM}.")
    where = f"{name}:{given[-1].lineno}"
    try:
        meta = ast.literal_eval(given[-1].value)
    except (ValueError, TypeError, SyntaxError, RecursionError):
        raise ConfigError(f"{where}: META must be written out, without anything to compute: {_FORM}.") from None
    if not isinstance(meta, dict):
        raise ConfigError(f"{where}: META must be a dict: {_FORM}.")
    for key in meta:
        if key not in ("name", "description", "phases"):
            raise ConfigError(f"{where}: {unknown('key of META', key, ('name', 'description', 'phases'))}")
    told = {key: meta.get(key, "") for key in ("name", "description")}
    phases = meta.get("phases", [])
    if not all(isinstance(v, str) for v in told.values()) or not told["name"]:
        raise ConfigError(f"{where}: META needs a name, and name and description are texts: {_FORM}.")
    if not isinstance(phases, list | tuple) or not all(isinstance(p, str) and p for p in phases):
        raise ConfigError(f"{where}: META['phases'] must be a list of names: {_FORM}.")
    return {**told, "phases": tuple(phases)}
