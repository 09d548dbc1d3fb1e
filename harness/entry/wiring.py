"""From composed configurations to cells with their parts made: all checks that need no I/O but the suites' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol, runtime_checkable

from harness.bus.protocol import BusBackend
from harness.cell import Cell
from harness.config import GROUPS, ClockConf, ExperimentConf
from harness.entry.commandline import CommandLine
from harness.entry.compose import Composed
from harness.entry.manifest import ExperimentInfo, git_commit, versions
from harness.entry.overrides import varied
from harness.entry.resolved import canonical, fingerprint, hide
from harness.entry.schema import build, make, settings, unknown_key
from harness.errors import ConfigError, HarnessError
from harness.experiment import PlannedCell
from harness.graders.grader import Grader
from harness.limits import Limits
from harness.models.oracle import Oracle
from harness.models.protocol import Model
from harness.models.roles import require
from harness.records import RunRecord
from harness.suite import Suite
from harness.topology import Topology, ablated, refuse_misfit

OF_COMMAND = ("concurrency", "shuffle", "progress", "summary", "report", "plan")
"""Top-level keys that all cells of one command share, beside the store and the limits of the whole experiment."""


@runtime_checkable
class NeedsOracle(Protocol):
    """A model that must be told by the suite what is right: the simulated one."""

    def consult(self, oracle: Oracle | None, /) -> None:
        """Called once or more with one suite's oracle, None if it has none, before the model is opened."""


class Store(Protocol):
    """What ``conf/store`` names: ``results.Store``, or another with these members."""

    dir: str

    def open(self, experiment: ExperimentInfo, /) -> None: ...

    def write(self, record: RunRecord, /) -> None: ...

    def close(self, status: str, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole command, checked. ``overrides``: cell id → that cell's own overrides."""

    settings: ExperimentConf
    limits: Limits
    store: Store
    cells: tuple[PlannedCell, ...]
    overrides: Mapping[str, tuple[str, ...]]
    info: ExperimentInfo


def wire(composed: Sequence[Composed], command: CommandLine, experiment_id: str) -> Plan:
    """Check every cell and make its parts, then load the suites. Raises HarnessError for what cannot be run."""
    workshop = _Workshop(command, experiment_id, git_commit())
    made = [workshop.make(c, among=len(composed)) for c in composed]
    _refuse_differences(made)
    samples = _loaded([m.cell.suite for m in made])
    for m in made:
        if isinstance(m.cell.model, NeedsOracle):
            m.cell.model.consult(m.cell.suite.oracle())
    cells = tuple(PlannedCell(m.cell, m.clock, samples[id(m.cell.suite)]) for m in made)
    for planned in cells:
        _refuse_misfit(planned)
    manifest = {
        "command": command.text([hide(o) for o in command.overrides], multirun=command.multirun),
        "overrides": [hide(o) for o in command.overrides],
        "started_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "planned_runs": sum(c.planned for c in cells),
        "git_commit": workshop.commit,
        "versions": versions(),
        "cells": [
            {
                "cell_id": m.cell.cell_id,
                "overrides": [hide(o) for o in m.overrides],
                "clock": m.clock.kind,
                "planned_runs": planned.planned,
                "config_hash": m.cell.config_hash,
                "config": m.record,
            }
            for m, planned in zip(made, cells, strict=True)
        ],
    }
    return Plan(
        settings=made[0].settings,
        limits=made[0].cell.limits,
        store=made[0].store,
        cells=cells,
        overrides={m.cell.cell_id: m.overrides for m in made},
        info=ExperimentInfo(experiment_id, manifest),
    )


def decided(conf: ClockConf, model: Model) -> ClockConf:
    """The clock with its kind chosen. Raises ConfigError for virtual time with a provider that takes real time."""
    if conf.kind == "auto":
        return replace(conf, kind="virtual" if model.simulated else "real")
    if conf.kind == "virtual" and not model.simulated:
        raise ConfigError(
            f"clock=virtual cannot drive model '{model.name}', which answers in real time: choose clock=auto or "
            "clock=real, or model=simulated."
        )
    return conf


@dataclass(frozen=True, slots=True)
class _Made:
    """One cell with what else its configuration says. ``record``: the configuration, fit to be written down."""

    cell: Cell
    clock: ClockConf
    settings: ExperimentConf
    store: Store
    record: Mapping[str, Any]
    overrides: tuple[str, ...]

    def of_command(self) -> dict[str, Any]:
        """What must be the same in all cells."""
        shared: dict[str, Any] = {key: getattr(self.settings, key) for key in OF_COMMAND}
        shared |= {f"limits.{key}": getattr(self.cell.limits, key) for key in ("experiment_usd", "experiment_tokens")}
        return shared | {"store": canonical(self.record["store"])}


@dataclass(slots=True)
class _Workshop:
    """Makes the parts of cells; cells with equal settings for a part share it, so that it is opened and loaded once."""

    command: CommandLine
    experiment_id: str
    commit: str | None
    _shared: dict[str, Any] = field(default_factory=dict)

    def make(self, composed: Composed, *, among: int) -> _Made:
        try:
            return self._make(composed)
        except HarnessError as error:
            if among == 1:
                raise
            which = " ".join(composed.overrides)
            raise type(error)(f"{error} (in the cell `{which}`)", **error.facts) from error

    def _make(self, composed: Composed) -> _Made:
        nodes = composed.values
        known = [*settings(ExperimentConf), *GROUPS]
        for key in nodes:
            if key not in known:
                raise ConfigError(unknown_key(key, known))
        for group in GROUPS:
            if not isinstance(nodes.get(group), Mapping):
                raise ConfigError(f"no {group} is chosen: write {group}=OPTION; `python -m harness --help` lists them.")
        conf = build(ExperimentConf, {k: v for k, v in nodes.items() if k not in GROUPS}, "")
        # A model or a bus is opened on one event loop: cells on another clock get their own.
        loop = canonical(nodes["clock"])
        suite: Suite = self._part("task", nodes["task"])
        model: Model = make(nodes["model"], "model")  # its provider's state (cache, rate limits) is this cell's alone
        grader: Grader = make(nodes["grader"], "grader")
        grader.check(model, suite)
        bus: BusBackend = self._part("bus", nodes["bus"], loop)
        topology: Topology = make(nodes["topology"], "topology")
        cell = Cell(
            experiment_id=self.experiment_id,
            cell_id=f"c{composed.number}",
            topology_name=str(composed.choices.get("topology")),
            task_name=str(composed.choices.get("task")),
            bus_name=str(composed.choices.get("bus")),
            topology=topology,
            suite=suite,
            model=model,
            bus=bus,
            limits=build(Limits, nodes["limits"], "limits"),
            seed=conf.seed,
            epochs=conf.epochs,
            params=canonical(varied(composed.overrides, self.command.overrides)),
            config_hash=fingerprint(composed.record),
            git_commit=self.commit,
            ablate=conf.ablate or ablated(topology),
            grader=grader,
            grader_name=str(composed.choices.get("grader")),
        )
        clock = decided(build(ClockConf, nodes["clock"], "clock"), model)
        return _Made(cell, clock, conf, self._part("store", nodes["store"]), composed.record, composed.overrides)

    def _part(self, group: str, node: Mapping[str, Any], apart: str = "") -> Any:
        key = f"{group} {canonical(node)} {apart}"
        if key not in self._shared:
            self._shared[key] = make(node, group)
        return self._shared[key]


def _refuse_differences(made: Sequence[_Made]) -> None:
    first = made[0].of_command()
    for other in made[1:]:
        for key, value in other.of_command().items():
            if value != first[key]:
                raise ConfigError(
                    f"{key} differs between the cells of this sweep, but belongs to the whole command: give it one "
                    f"value, or start a command for each (seen: {first[key]} and {value})."
                )


def _refuse_misfit(planned: PlannedCell) -> None:
    """Refuse a task whose agents need a model that is not there, and let a topology refuse the cell's model or task. A
    sample that cannot be made becomes a row when it is run."""
    topology, suite, model = planned.cell.topology, planned.cell.suite, planned.cell.model
    try:
        sample = suite.sample(planned.sample_ids[0])
    except Exception:
        return
    if sample.model is not None:
        require(model, (sample.model,), f"the samples of task={planned.cell.task_name}")
    refuse_misfit(topology, model, sample)


def _loaded(suites: Sequence[Suite]) -> dict[int, Sequence[str]]:
    """Load each suite once: id of the object → its sample ids, at least one."""
    samples: dict[int, Sequence[str]] = {}
    for suite in suites:
        if id(suite) not in samples:
            samples[id(suite)] = _sample_ids(suite)
    return samples


def _sample_ids(suite: Suite) -> Sequence[str]:
    """Load one suite. Whatever it raises is about its material or its settings, not about the harness."""
    try:
        suite.load()
        ids = tuple(suite.sample_ids())
    except HarnessError:
        raise
    except Exception as fault:
        raise ConfigError(f"task '{suite.name}' cannot be loaded: {type(fault).__name__}: {fault}") from fault
    if not ids:
        raise ConfigError(f"task '{suite.name}' has no sample left: check task.limit and task.sample_ids.")
    odd = next((i for i in ids if not isinstance(i, str) or not i), None)
    if odd is not None:
        raise ConfigError(f"task '{suite.name}' has the sample id {odd!r}: ids are texts that are not empty.")
    if len(set(ids)) < len(ids):
        twice = next(i for i in ids if ids.count(i) > 1)
        raise ConfigError(f"task '{suite.name}' has the sample id '{twice}' more than once; each must be its own.")
    return ids
