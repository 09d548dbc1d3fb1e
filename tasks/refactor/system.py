"""A base system: a small program in three layers, and the change that all of them have to make together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tasks.refactor.kinds import Kind

Words = tuple[str, str]
"""The word before and the word after a thing is finished."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file. ``code``: both versions of it (``tasks.refactor.template``); ``line``: what it has to do, without its
    name; ``tests``: test functions that need this part beside the three layers, or, for a layer, nothing more."""

    file: str
    code: str
    line: str
    tests: str = ""


@dataclass(frozen=True, slots=True)
class System:
    """``name``: what its packages are called, with a number behind; ``title``: what it is; ``field``: what the new
    field holds; ``keys`` and ``words``: names that a programmer may choose for its key and for the states (no
    ``words``: nothing gets a state); ``names``: what the templates call things, ``THING`` and ``ID`` among them;
    ``people`` and ``prefix``: values for tests and old rows; ``store``, ``back``, ``front``: the layers."""

    name: str
    title: str
    field: str
    kind: Kind
    keys: tuple[str, ...]
    words: tuple[Words, ...]
    names: Mapping[str, str]
    people: tuple[str, ...]
    prefix: str
    store: Part
    back: Part
    front: Part

    @property
    def layers(self) -> tuple[Part, Part, Part]:
        return self.store, self.back, self.front
