"""Running refactor's own programs inside the test's process: they are ours, and thousands are run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType, ModuleType
from typing import Any

from tasks.refactor.project import Project

ORDER = ("store", "back", "front")


@lru_cache(maxsize=4096)
def compiled(source: str) -> CodeType:
    return compile(source, "own", "exec")


@contextmanager
def raises(kind: type[Exception], _: str = "") -> Iterator[None]:
    try:
        yield
    except kind:
        return
    raise AssertionError(f"no {kind.__name__}")


def passed(project: Project, files: Mapping[str, str], tests: str | None = None) -> dict[str, bool]:
    """Test → whether it passes on these files."""
    program = _loaded(project.package, files)
    space: dict[str, Any] = {"raises": raises}
    exec(compiled(project.source_of_tests if tests is None else tests), space)
    return {name: _passes(test, program) for name, test in space.items() if name.startswith("test_")}


def share(project: Project, files: Mapping[str, str]) -> float:
    found = passed(project, files)
    return sum(found.values()) / len(found)


def _passes(test: Any, program: Mapping[str, ModuleType]) -> bool:
    try:
        test(program)
    except Exception:
        return False
    return True


def _loaded(package: str, files: Mapping[str, str]) -> dict[str, ModuleType]:
    """The modules, lower layers first; nothing stays behind in ``sys.modules``."""
    names = {file.removesuffix(".py").replace("/", "."): text for file, text in files.items()}
    last = [name.rpartition(".")[2] for name in names]
    order = sorted(zip(names, last, strict=True), key=lambda n: ORDER.index(n[1]) if n[1] in ORDER else len(ORDER))
    above = ModuleType(package)
    above.__path__ = []
    made = {package: above}
    sys.modules[package] = above
    try:
        for name, short in order:
            made[name] = sys.modules[name] = ModuleType(name)
            setattr(above, short, made[name])
            exec(compiled(names[name]), made[name].__dict__)
    finally:
        for name in made:
            sys.modules.pop(name, None)
    return made
