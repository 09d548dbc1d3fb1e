"""Finding the size in a sweep, and which cells stand at which size."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import StoreError, unknown
from results.bridge import BASELINE, setting
from results.columns import Columns
from results.crossover.fits import FEWEST
from results.labels import labels, place
from results.writing import counted

OF_TOPOLOGIES = "topology."
NOT_SIZES = frozenset({"topology", "task", "seed"})
"""Parameters that are not taken for the size unless named: another seed is another draw, not a larger task."""
EXAMPLE = "for example: python -m harness -m topology=single,NAME task=qa_corpus task.docs=4,8,16"


@dataclass(frozen=True, slots=True)
class Swept:
    """A choice, and the rows of its cell at each size. ``fixed``: it has no such parameter: the same at every size."""

    label: str
    topology: str
    family: str
    fixed: bool
    cells: Mapping[float, Columns]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Choices that may be compared, ``single`` first. ``sizes``: ascending. ``agents``: whether the size is a whole
    number that sets up topologies."""

    experiment_id: str
    task: str
    model: str
    simulated: bool
    by: str
    setting: str
    sizes: tuple[float, ...]
    agents: bool
    choices: tuple[Swept, ...]
    notes: tuple[str, ...]


def sweeps(runs: Columns, by: str | None) -> tuple[tuple[Sweep, ...], tuple[str, ...]]:
    """Every size sweep among some runs, and sentences about what is none. ``by``: the parameter that is the size; None:
    the only one that can be. Raises StoreError where there is no sweep at all, naming what could be the size."""
    found: list[Sweep] = []
    faults: list[StoreError] = []
    for (experiment, task, simulated), group in runs.groups("experiment_id", "task", "simulated"):
        where = f"experiment {experiment}, task {task}"
        try:
            key = _size(group, where) if by is None else _named(group, where, by)
        except StoreError as fault:
            faults.append(fault)
            continue
        rest = group.having(rest=group.texts("params").renamed(_Rest(key)))
        for (model, settings), rows in rest.groups("model", "rest"):
            try:
                found.append(_sweep(rows, key, (experiment, task, model, bool(simulated)), settings))
            except StoreError as fault:
                faults.append(fault)
    if faults and not found:
        raise faults[0]
    return tuple(found), tuple(str(fault) for fault in faults)


@dataclass(frozen=True, slots=True)
class _Rest:
    """Settings apart from the topology's, the task and the size."""

    key: str

    def __call__(self, params: str) -> str:
        return setting(without(params, self.key, "task"))


def without(params: str, *keys: str) -> str:
    """What a cell was set to apart from some parameters."""
    rest = {k: v for k, v in json.loads(params).items() if k not in keys}
    return json.dumps(rest, sort_keys=True, ensure_ascii=False)


def _swept(group: Columns) -> dict[str, list[Any]]:
    """Parameter → its distinct values, of those with more than one."""
    values: dict[str, dict[str, Any]] = {}
    for (params,), _ in group.groups("params"):
        for key, value in json.loads(params).items():
            values.setdefault(key, {})[json.dumps(value)] = value
    return {key: list(found.values()) for key, found in sorted(values.items()) if len(found) > 1}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _size(group: Columns, where: str) -> str:
    swept = {key: values for key, values in _swept(group).items() if key not in NOT_SIZES}
    possible = [key for key, v in swept.items() if len(v) >= FEWEST and all(map(_is_number, v))]
    if len(possible) == 1:
        return possible[0]
    if possible:
        raise StoreError(
            f"{where}: {' and '.join(possible)} could each be the size. Choose one with --by {possible[0]}."
        )
    there = "; ".join(f"{key}: {', '.join(map(_text, v))}" for key, v in swept.items()) or "none"
    raise StoreError(
        f"{where}: there is no size sweep, no parameter with {FEWEST} numbers or more (swept: {there}). "
        f"Run one, {EXAMPLE}."
    )


def _named(group: Columns, where: str, by: str) -> str:
    swept = _swept(group)
    if by not in swept:
        raise StoreError(f"{where}: " + unknown("swept parameter", by, swept.keys() - {"topology", "task"}))
    values = swept[by]
    if not all(map(_is_number, values)):
        odd = next(v for v in values if not _is_number(v))
        raise StoreError(
            f"{where}: '{by}' is no size: it holds {_text(odd)}, which is not a number. Choose another --by."
        )
    if len(values) < FEWEST:
        raise StoreError(
            f"{where}: '{by}' has {counted(len(values), 'size')} ({', '.join(map(_text, values))}); a curve needs at "
            f"least {FEWEST}. Run more, {EXAMPLE}."
        )
    return by


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _sweep(rows: Columns, key: str, of: tuple[str, str, str, bool], settings: str) -> Sweep:
    experiment, task, model, simulated = of
    where = f"experiment {experiment}, task {task}" + ("" if settings == "{}" else f", {settings}")
    notes: list[str] = []
    sized: dict[str, dict[float, Columns]] = {}
    unsized: dict[str, Columns] = {}
    names = labels(rows.having(params=rows.texts("params").renamed(lambda params: without(params, key))))
    for (cell_id, params), cell in sorted(rows.groups("cell_id", "params"), key=lambda found: place(found[0][0])):
        label, size = " ".join(names[cell_id]), json.loads(params).get(key)
        if size is None:
            if label in unsized:
                raise StoreError(_twice(where, label, unsized[label], cell))
            unsized[label] = cell
        elif size in sized.setdefault(label, {}):
            raise StoreError(_twice(f"{where}, {key}={_text(size)}", label, sized[label][size], cell))
        else:
            sized[label][size] = cell
    sizes = tuple(sorted({size for cells in sized.values() for size in cells}))
    if len(sizes) < FEWEST:
        few = counted(len(sizes), "size")
        raise StoreError(f"{where}: '{key}' has only {few} here; a curve needs at least {FEWEST}.")
    choices = [_choice(label, cells, fixed=False) for label, cells in sized.items()]
    having = {choice.topology for choice in choices}
    for label, cell in unsized.items():
        topology = cell.texts("topology").tolist()[0]
        if key.startswith(OF_TOPOLOGIES) and topology not in having:
            choices.append(_choice(label, dict.fromkeys(sizes, cell), fixed=True))
        else:
            notes.append(f"{label} is left out where {key} was not set: its rows do not say at what size they stand")
    if len(choices) < 2:
        raise StoreError(
            f"{where}: only one choice, {choices[0].label}, was measured over {key}; where the best choice changes "
            f"cannot be said of one. Run the sweep with more topologies, {EXAMPLE}."
        )
    choices.sort(key=lambda c: (c.topology != BASELINE, c.family != "single"))
    if all(choice.topology != BASELINE for choice in choices):
        notes.append(
            "there is no single agent in this sweep: which team is best is told, not whether a team is worth it"
        )
    notes += _missing(choices, sizes, key)
    whole = all(float(size).is_integer() for size in sizes)
    return Sweep(
        experiment_id=experiment,
        task=task,
        model=model,
        simulated=simulated,
        by=key,
        setting=settings,
        sizes=sizes,
        agents=whole and key.startswith(OF_TOPOLOGIES),
        choices=tuple(choices),
        notes=tuple(notes),
    )


def _choice(label: str, cells: Mapping[float, Columns], *, fixed: bool) -> Swept:
    first = next(iter(cells.values()))
    topology, family = (first.texts(name).tolist()[0] for name in ("topology", "family"))
    return Swept(label, topology, family, fixed, dict(sorted(cells.items())))


def _twice(where: str, label: str, one: Columns, other: Columns) -> str:
    ids = " and ".join(cell.texts("cell_id").tolist()[0] for cell in (one, other))
    return (
        f"{where}: cells {ids} are both {label}, so there is no one measurement. Run the sweep once in an experiment."
    )


def _missing(choices: Sequence[Swept], sizes: Sequence[float], key: str) -> list[str]:
    notes = []
    for choice in choices:
        absent = [size for size in sizes if size not in choice.cells]
        if absent:
            few = "" if len(choice.cells) >= FEWEST else f"; with fewer than {FEWEST} sizes it has no curve"
            notes.append(f"{choice.label} was not run at {key} = {', '.join(map(_text, absent))}{few}")
    return notes
