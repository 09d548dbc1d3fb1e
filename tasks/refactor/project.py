"""One sample's program: a base system with names and numbers drawn, the open decisions, both versions of every file."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from tasks.refactor.kinds import Form
from tasks.refactor.system import Part, System, Words
from tasks.refactor.systems import SYSTEMS
from tasks.refactor.systems.layers import EXAMPLES
from tasks.refactor.systems.views import VIEWS
from tasks.refactor.template import NEW, OLD, filled_in, version

LAYERS = 3
MOST_PARTS = LAYERS + len(VIEWS)


class Decision(NamedTuple):
    """All that is open, decided in one of the ways that are drawn for a sample: any other would do as well."""

    key: str
    form: Form
    words: Words | None

    def contract(self, project: Project) -> str:
        """A sentence that gives it away and stands neither in the statement nor in the old files."""
        words = "" if self.words is None else f"; states '{self.words[0]}', then '{self.words[1]}'"
        return f"{project.package} contract: {project.system.field} under '{self.key}', {self.form.says}{words}."


class Test(NamedTuple):
    """``source``: one test function; ``needs``: the files that it crosses, all of which the change must change."""

    name: str
    source: str
    needs: tuple[str, ...]


@dataclass(frozen=True)
class Project:
    """``package``: the folder of its files; ``parts``: its files, the three layers first; ``values``: what the
    templates' names stand for, but for what a decision gives; ``decisions``: each combination of the options drawn."""

    package: str
    system: System
    parts: tuple[Part, ...]
    values: Mapping[str, str]
    decisions: tuple[Decision, ...]

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(self.path(part) for part in self.parts)

    def path(self, part: Part) -> str:
        """A file's name in statement, answers and tools, the only one of its kind in the suite."""
        return f"{self.package}/{part.file}"

    @cached_property
    def old(self) -> dict[str, str]:
        """The code base before the change."""
        return {self.path(part): version(part.code, OLD, self.values) for part in self.parts}

    def new(self, decision: Decision) -> dict[str, str]:
        """The code base after the change, all of it by one decision."""
        return {self.path(part): self.new_file(part, decision) for part in self.parts}

    def new_file(self, part: Part, decision: Decision) -> str:
        """One file after the change, with the contract as a comment at its top and no import that it does not use."""
        values = {**self.values, **self._decided(decision)}
        bare = version(part.code, NEW, {**values, "IMPORTS": ""})
        needed: dict[str, list[str]] = {}
        for statement, name in decision.form.imports:
            if re.search(rf"\b{name}\b", bare):
                needed.setdefault(statement, []).append(name)
        imports = "\n".join(f"{statement} {', '.join(names)}" for statement, names in needed.items())
        text = version(part.code, NEW, {**values, "IMPORTS": imports})
        text = text.replace('"""\n\n\n', '"""\n\n', 1)  # where nothing had to be imported
        return f"# {decision.contract(self)}\n{text}"

    def line(self, part: Part) -> str:
        """All that somebody needs to know who changes one file: what it must do, whom it talks to, what is open."""
        points = f"the key of the {self.system.field} in dicts and rows, the type and format in which it is kept there"
        points += " (None stays None)" if not self.system.words else " (None stays None), and the two words"
        told = filled_in(part.line, self.values)
        return f"{self.path(part)}: {told} Open, and to be the same in every file that meets it: {points}."

    @cached_property
    def tests(self) -> tuple[Test, ...]:
        """The hidden tests. Each begins at the front end and comes back to it through all layers."""
        found = []
        core = self.files[:LAYERS]
        for part in self.parts:
            source = filled_in(part.tests, self.values)
            needs = tuple(dict.fromkeys([*core, self.path(part)]))
            for body in re.split(r"^(?=def )", source, flags=re.M)[1:]:
                name = body.removeprefix("def ").partition("(")[0]
                found.append(Test(name, body.strip() + "\n", needs))
        return tuple(found)

    @property
    def examples(self) -> str:
        """What holds before and after, of each layer alone: the visible tests."""
        return filled_in(EXAMPLES, self.values)

    @property
    def source_of_tests(self) -> str:
        return "\n\n".join(test.source for test in self.tests)

    def _decided(self, decision: Decision) -> dict[str, str]:
        key, form, words = decision
        states = {} if words is None else {"WAIT": words[0], "DONE": words[1]}
        return {
            "KEY": key,
            "INTO": form.into,
            "OUT": form.out,
            "PLUS": form.plus,
            "NUMBER": form.number,
            "NEW_COLUMNS": f', "{key}"' + ("" if words is None else ', "state"'),
            "WAITS": "" if words is None else f', "state": "{words[0]}"',
            **states,
        }


def project(number: int, parts: int, seed: int) -> Project:
    """The project of the sample with this number: systems take turns, everything else is drawn."""
    system = SYSTEMS[number % len(SYSTEMS)]
    rng = Random(f"refactor {number} {parts} {seed}")
    package = f"{system.name}_{number:02d}"
    keys = rng.sample(system.keys, 2)
    forms = rng.sample(system.kind.forms, len(system.kind.forms))
    words: Sequence[Words | None] = rng.sample(system.words, 2) if system.words else [None]
    decisions = tuple(Decision(*chosen) for chosen in itertools.product(keys, forms, words))
    values = {**system.names, "PKG": package, "FIELD": system.field, "PLAIN": system.kind.plain, "IMPORTS": ""}
    states = {
        "STATE_TOO": " (a key of its own; None where there is none)",
        "STATE_FIRST": "",
        "NEW_COLUMNS": "",
    }
    if system.words:
        states["STATE_TOO"] += " and, under the key state, one of two words that back.py sets"
        states["STATE_FIRST"] = f" and the word for not finished (see {package}/back.py)"
    values |= states | _drawn(system, rng)
    return Project(package, system, (*system.layers, *VIEWS[: parts - LAYERS]), values, decisions)


def _drawn(system: System, rng: Random) -> dict[str, str]:
    """Plain values, old rows, people, and how far tests move things."""
    kind = system.kind
    while True:
        n = rng.randint(3, 25)
        first, *rising = rng.sample(plain := kind.draw(rng), 4)
        low, middle, high = sorted(rising, key=plain.index)
        moved = {text: kind.later(text, n) for text in plain}
        if len({*plain, *moved.values()}) == 2 * len(plain):
            break
    shown = sorted((first, moved[low], high), key=kind.rank)
    ids = [f"{system.prefix}{number}" for number in rng.sample(range(100, 1000), 5)]
    people = rng.sample(system.people, 5)
    spare = next(made for number in range(100, 106) if (made := f"{system.prefix}{number}") not in ids)
    return {
        "N": str(n),
        "FIRST": first,
        "FIRST_MOVED": moved[first],
        "FIRST_PLUS_100": kind.later(first, 100),
        "V1": low,
        "V2": middle,
        "V3": high,
        "V1_MOVED": moved[low],
        "V2_MOVED": moved[middle],
        "LEAST": shown[0],
        "MIDDLE": shown[1],
        "GREATEST": shown[-1],
        "I4": spare,
        **dict(zip(("O1", "O2", "I1", "I2", "I3"), [*sorted(ids[:2]), *ids[2:]], strict=True)),
        **{f"P{i}": name for i, name in enumerate(people, 1)},
    }
