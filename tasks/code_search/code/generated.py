"""A made-up code base, the same on every machine and every Python: the software of a goods depot.

It is never run. Functions call functions of their own and of other modules, classes descend from classes across
modules, and comments mention what happens elsewhere, so that every kind of question has an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random

from tasks.code_search.code.source import SourceFile

PER_MODULE = 4_900
"""Tokens of a module, about."""
_CLASSES, _METHODS, _FUNCTIONS = 5, 4, 14

_PLACES = (
    "arrivals", "berths", "billing", "cranes", "customs", "damage", "forecast", "gates", "inventory", "labels",
    "ledger", "loading", "maintenance", "orders", "packing", "permits", "pricing", "quality", "queues", "reports",
    "returns", "routes", "safety", "sensors", "shifts", "sorting", "storage", "tariffs", "transfer", "weighing",
)  # fmt: skip
_VERBS = (
    "accept", "adjust", "allocate", "archive", "assign", "balance", "book", "cancel", "charge", "check", "close",
    "collect", "combine", "confirm", "count", "delay", "deliver", "divide", "estimate", "expand", "fetch", "file",
    "group", "inspect", "label", "locate", "mark", "measure", "merge", "move", "notify", "open", "order", "pack",
    "park", "plan", "price", "queue", "rank", "release", "repair", "reserve", "restore", "route", "scan", "schedule",
    "seal", "select", "settle", "sort", "split", "stack", "store", "total", "trace", "unload", "update", "verify",
    "weigh", "withdraw",
)  # fmt: skip
_NOUNS = (
    "address", "barrel", "batch", "bay", "bundle", "cargo", "carrier", "claim", "container", "contract", "courier",
    "crate", "customer", "deposit", "dock", "driver", "drum", "fee", "forklift", "freight", "hold", "invoice", "item",
    "lane", "lease", "lot", "manifest", "notice", "package", "pallet", "parcel", "permit", "rack", "receipt", "refund",
    "ring", "roll", "sample", "seal", "shelf", "shipment", "slot", "stamp", "tag", "tank", "ticket", "trailer", "tray",
    "truck", "voucher", "wagon", "yard",
)  # fmt: skip
_ROLES = ("Book", "Clerk", "Counter", "Guard", "Keeper", "Planner", "Queue", "Register", "Sorter", "Tracker")
_PURPOSES = (
    "Decide what happens to each {noun} that nobody has asked for.",
    "Give the {noun} that is due next, or none if the list is empty.",
    "Keep the number of each {noun} within what the yard can hold.",
    "Look at every {noun} in turn and keep those that still count.",
    "Say how much of the {noun} is left after the last shift.",
    "Write down what was done with each {noun} and who did it.",
)
_REMARKS = (
    "the night shift counts again before {other} runs",
    "a half-empty one is treated as full, as in {other}",
    "see {other} for what happens when the limit is passed",
    "older entries come without a date, which {other} allows",
)


def project(seed: int, number: int, tokens: int, files: int | None) -> list[SourceFile]:
    """The modules of one code base, in order of their names: ``files`` of them, or (None) as many as make up about
    ``tokens``, at least two."""
    rng = Random(f"code_search generated {seed} {number}")
    modules = files or max(2, round(tokens / PER_MODULE))
    names = _Names(rng)
    places = [next(names.modules) for _ in range(modules)]
    classes = [[next(names.classes) for _ in range(_CLASSES)] for _ in places]
    functions = [[next(names.functions) for _ in range(_FUNCTIONS)] for _ in places]
    methods = [[[next(names.functions) for _ in range(_METHODS)] for _ in own] for own in classes]
    package = f"depot{number}"
    made = []
    for at, place in enumerate(places):
        module = _Module(rng, at, places, classes, functions, methods)
        made.append(SourceFile(f"{package}/{place}.py", "\n".join(module.lines(package)) + "\n"))
    return sorted(made, key=lambda file: file.name)


class _Names:
    """Names that come once each; where the words run out, with a number."""

    def __init__(self, rng: Random) -> None:
        self.modules = _endless(rng, _PLACES)
        self.functions = _endless(rng, [f"{verb}_{noun}" for verb in _VERBS for noun in _NOUNS])
        self.classes = _endless(rng, [noun.title() + role for noun in _NOUNS for role in _ROLES])


def _endless(rng: Random, names: list[str] | tuple[str, ...]) -> Iterator[str]:
    order = rng.sample(names, len(names))
    for turn in count(1):
        yield from (name if turn == 1 else f"{name}_{turn}" for name in order)


class _Module:
    """The text of one module. ``at``: which it is; the rest: names of all modules, and what is in each."""

    def __init__(
        self, rng: Random, at: int, places: list[str], classes: list[list[str]], functions: list[list[str]],
        methods: list[list[list[str]]],
    ) -> None:  # fmt: skip
        self._rng = rng
        self._at = at
        self._places = places
        self._classes, self._functions, self._methods = classes, functions, methods
        near = [n for n in range(len(places)) if n != at]
        self._near = sorted(rng.sample(near, min(3, len(near))))

    def lines(self, package: str) -> Iterator[str]:
        own = self._places[self._at]
        yield f'"""The part of the depot that deals with {own}."""'
        yield ""
        yield from (f"from {package} import {self._places[n]}" for n in self._near)
        yield ""
        yield f"LIMIT = {self._rng.randrange(20, 900)}"
        yield f'OPEN, CLOSED = "{own} open", "{own} closed"'
        for number, name in enumerate(self._classes[self._at]):
            yield from self._class(number, name)
        for number, name in enumerate(self._functions[self._at]):
            yield from self._function(name, "", self._functions[self._at][:number])

    def _class(self, number: int, name: str) -> Iterator[str]:
        own = self._classes[self._at]
        known = [
            *own[:number],
            *(f"{self._places[n]}.{c}" for n in self._near if n < self._at for c in self._classes[n]),
        ]
        base = self._rng.choice(known) if known and self._rng.random() < 0.6 else ""
        yield from ("", "", f"class {name}({base}):" if base else f"class {name}:")
        yield f'    """{self._purpose()}"""'
        yield from (
            "",
            "    def __init__(self, limit=LIMIT):",
            "        self.limit = limit",
            "        self.entries = []",
        )
        methods = self._methods[self._at][number]
        for at, method in enumerate(methods):
            yield from self._function(method, "    ", [f"self.{m}" for m in methods[:at]])

    def _function(self, name: str, indent: str, before: list[str]) -> Iterator[str]:
        """``before``: what it may call beside what is in other modules."""
        noun = name.split("_")[1]
        first = f"def {name}(self, entries, most=None):" if indent else f"def {name}(entries, most=None):"
        yield from ("",) if indent else ("", "")
        yield indent + first
        inner = indent + "    "
        yield f'{inner}"""{self._purpose(noun)}"""'
        for line in self._body(noun, before):
            yield inner + line if line else ""

    def _body(self, noun: str, before: list[str]) -> Iterator[str]:
        kept = f"{noun}_list"
        yield f"{kept} = []"
        yield "for number, entry in enumerate(entries):"
        if self._rng.random() < 0.5:
            yield f"    # {self._remark()}"
        yield f"    if entry.weight > {self._rng.randrange(3, 90)} and number < LIMIT:"
        yield f"        {kept}.append({self._called(before)}([entry], most))"
        if self._rng.random() < 0.4:
            yield from ("    elif entry.state == CLOSED:", f"        entry.note({self._called(before)}({kept}))")
        if self._rng.random() < 0.25:
            yield f"{kept}.sort(key=lambda one: {self._called(before)}([one], {self._rng.randrange(2, 40)}))"
        if self._rng.random() < 0.15:
            yield from ("", f"def by_{noun}(entry):", f"    return {self._called(before)}([entry])", "")
            yield f"{kept} = [by_{noun}(one) for one in {kept}]"
        yield f"return {kept} if most is None else {kept}[:most]"

    def _called(self, before: list[str]) -> str:
        """Something that can be called here: half of the time from another module."""
        if self._near and (not before or self._rng.random() < 0.5):
            other = self._rng.choice(self._near)
            return f"{self._places[other]}.{self._rng.choice(self._functions[other])}"
        return self._rng.choice(before) if before else "list"

    def _purpose(self, noun: str = "") -> str:
        return self._rng.choice(_PURPOSES).format(noun=noun or self._rng.choice(_NOUNS))

    def _remark(self) -> str:
        other = self._rng.randrange(len(self._places))
        return self._rng.choice(_REMARKS).format(other=self._rng.choice(self._functions[other]))
