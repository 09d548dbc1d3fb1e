"""What a check is: a name, the parameters it takes, and how it finds what is wrong with the entries of a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from harness.delegation.checks.parameters import fault_of
from harness.delegation.checks.values import Entry
from harness.delegation.checks.words import Words

MOST_ERRORS = 20
"""Errors of one criterion that are told; how many more there are is told in one."""

Parameters = Mapping[str, Any]
Sources = Mapping[str, "str | None"]
"""Name of a material → its text, None if it cannot be read."""
Finder = Callable[[Parameters, Sequence[Entry], Sources], Iterator[str]]
Step = Literal["consistency", "source"]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the registry.

    ``step``: within the result (``consistency``) or against the material (``source``). ``says``: what is asked for, in
    a few words for a model. ``takes``: its parameters; ``requires``: those that must be there; ``one_of``: of these, at
    least one. ``find``: the errors, one by one. ``words``: a criterion as the worker reads it. ``rule``: one sentence
    on what is wrong with parameters that are each right. ``whole``: it looks at the list of entries, so a result in
    plain prose has none.
    """

    name: str
    step: Step
    says: str
    takes: tuple[str, ...]
    find: Finder
    words: Words
    requires: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    rule: Callable[[Parameters], str | None] = lambda _: None
    whole: bool = False

    def refuse(self, parameters: Parameters) -> str | None:
        """One sentence on what is wrong with the parameters; None if nothing is."""
        taken = f"{self.name} takes {', '.join(self.takes)}."
        for name, value in parameters.items():
            if name not in self.takes:
                return f"{self.name}: unknown parameter '{name}'. {taken}"
            if (fault := fault_of(name, value)) is not None:
                return f"{self.name}: {fault}"
        for name in self.requires:
            if name not in parameters:
                return f"{self.name}: '{name}' is missing. {taken}"
        if self.one_of and not any(name in parameters for name in self.one_of):
            return f"{self.name}: '{' or '.join(self.one_of)}' is missing. {taken}"
        if "by" in parameters and "field" not in parameters:
            return f"{self.name}: 'by' needs a 'field'. {taken}"
        least, most = parameters.get("min"), parameters.get("max")
        if least is not None and most is not None and least > most:
            return f"{self.name}: min {least} is above max {most}."
        wrong = self.rule(parameters)
        return None if wrong is None else f"{self.name}: {wrong}"

    def errors(self, parameters: Parameters, entries: Sequence[Any], sources: Sources) -> list[str]:
        """What is wrong with a result: each error names the entry. ``parameters``: such that ``refuse`` has nothing
        against them. ``entries``: JSON values, numbers as Decimal where their spelling matters. At most
        ``MOST_ERRORS``, and then how many more."""
        numbered = [Entry(n, value) for n, value in enumerate(entries, 1)]
        found = self.find(parameters, numbered, sources)
        told = list(islice(found, MOST_ERRORS))
        more = sum(1 for _ in found)
        return [*told, f"… and {more:,} more"] if more else told
