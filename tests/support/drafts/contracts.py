"""Checks by the file of the draft that they are about, each written from its contract, and the draft as a module."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from tasks.review.pairs import Pair

Check = Callable[..., None]
CHECKS: dict[str, Check] = {}
"""File of a draft → what fails unless the module keeps its contract, given the module, that of the file beside it (or
None) and an empty folder."""


def contract(file: str) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        CHECKS[file] = check
        return check

    return register


@contextmanager
def at_work(pair: Pair, defective: bool) -> Iterator[tuple[ModuleType, ModuleType | None]]:
    """A draft as a module, and the file beside it as another, each found by the other's imports."""
    texts = {pair.file: pair.text(defective)}
    if pair.context is not None:
        texts[pair.context.file] = pair.context.text
    names = {file: file.removesuffix(".py").replace("/", ".") for file in texts}
    package = pair.file.partition("/")[0]
    made = {name: ModuleType(name) for name in (package, *names.values())}
    before = {name: sys.modules.get(name) for name in made}
    sys.modules.update(made)
    try:
        for file in sorted(texts, key=lambda file: f"from {package}." in texts[file]):  # first what imports nothing
            exec(compile(texts[file], file, "exec"), made[names[file]].__dict__)
        beside = None if pair.context is None else made[names[pair.context.file]]
        yield made[names[pair.file]], beside
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def raised(call: Callable[[], object], kind: type[BaseException]) -> bool:
    try:
        call()
    except kind:
        return True
    return False


class Boom(Exception):
    pass


def boom(*_: object) -> Any:
    raise Boom
