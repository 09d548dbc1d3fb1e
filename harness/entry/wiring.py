"""From composed configurations to cells with their parts made: all checks that need no I/O but the suites' own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Protocol

from omegaconf.errors import OmegaConfBaseException

from harness.bus.protocol import BusBackend
from harness.cell import Cell
from harness.config import GROUPS, ClockConf, ExperimentConf
from harness.entry.commandline import CommandLine
from harness.entry.compose import Composed
from harness.entry.manifest import ExperimentInfo, git_commit, versions
from harness.entry.overrides import varied
from harness.entry.resolved import canonical, fingerprint, hide, plain, recorded
from harness.entry.schema import build, make, unknown_key
from harness.entry.wording import worded
from harness.errors import ConfigError, HarnessError
from harness.experiment import PlannedCell
from harness.limits import Limits
from harness.models.protocol import Model
from harness.records import RunRecord
from harness.suite import Suite
from harness.topology import Topology

OF_COMMAND = ("concurrency", "shuffle", "progress", "summary")
"""Top-level keys that all cells of one command share, beside the store and the limits of the whole experiment."""


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
    """Check every cell, make its parts and load its suite. Raises HarnessError for the first that cannot be run."""
    workshop = _Workshop(command, experiment_id, git_commit())
    made = [workshop.cell(c, among=len(composed)) for c in composed]
    _refuse_differences(made)
    cells = tuple(m.planned for m in made)
    manifest = {
        "command": command.text([hide(o) for o in command.overrides], multirun=command.multirun),
        "overrides": [hide(o) for o in command.overrides],
        "started_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "planned_runs": sum(c.planned for c in cells),
        "git_commit": workshop.commit,
        "versions": versions(),
        "cells": [m.manifest() for m in made],
    }
    return Plan(
        made[0].settings,
        cells[0].cell.limits,
        made[0].store,
        cells,
        {m.planned.cell.cell_id: m.overrides for m in made},
        ExperimentInfo(experiment_id, manifest),
    )


@dataclass(frozen=True, slots=True)
class _Made:
    planned: PlannedCell
    settings: ExperimentConf
    store: Store
    record: Mapping[str, Any]
    overrides: tuple[str, ...]

    def manifest(self) -> dict[str, Any]:
        cell = self.planned.cell
        return {
            "cell_id": cell.cell_id,
            "overrides": [hide(o) for o in self.overrides],
            "clock": self.planned.clock.kind,
            "planned_runs": self.planned.planned,
            "config_hash": cell.config_hash,
            "config": self.record,
        }

    def of_command(self) -> dict[str, object]:
        """What must be the same in all cells."""
        limits = self.planned.cell.limits
        return {
            **{key: getattr(self.settings, key) for key in OF_COMMAND},
            "store": canonical(self.record["store"]),
            "limits.experiment_usd": limits.experiment_usd,
            "limits.experiment_tokens": limits.experiment_tokens,
        }


@dataclass(slots=True)
class _Workshop:
    """Makes the parts of cells; cells with equal settings for a part share it, so that it is opened and loaded once."""

    command: CommandLine
    experiment_id: str
    commit: str | None
    _shared: dict[str, Any] = field(default_factory=dict)

    def cell(self, composed: Composed, *, among: int) -> _Made:
        try:
            return self._cell(composed)
        except OmegaConfBaseException as error:
            raise worded(error, self.command) from error
        except HarnessError as error:
            if among == 1:
                raise
            which = " ".join(composed.overrides)
            raise type(error)(f"{error} (in the cell `{which}`)", **error.facts) from error

    def _cell(self, composed: Composed) -> _Made:
        nodes = plain(composed.config)
        known = [*(f.name for f in fields(ExperimentConf)), *GROUPS]
        for key in nodes:
            if key not in known:
                raise ConfigError(unknown_key(key, known))
        for group in GROUPS:
            if not isinstance(nodes.get(group), Mapping):
                raise ConfigError(f"no {group} is chosen: write {group}=OPTION; `python -m harness --help` lists them.")
        settings = build(ExperimentConf, {k: v for k, v in nodes.items() if k not in GROUPS}, "")
        limits = build(Limits, nodes["limits"], "limits")
        topology: Topology = make(nodes["topology"], "topology")
        suite: Suite = self._part("task", nodes["task"])
        model: Model = self._part("model", nodes["model"], str(id(suite)))
        clock = decided(build(ClockConf, nodes["clock"], "clock"), model)
        bus: BusBackend = self._part("bus", nodes["bus"], canonical(clock_key(clock)))
        record = recorded(composed.config)
        cell = Cell(
            experiment_id=self.experiment_id,
            cell_id=f"c{composed.number}",
            topology_name=composed.choices.get("topology") or type(topology).__name__.lower(),
            task_name=composed.choices.get("task") or suite.name,
            bus_name=composed.choices.get("bus") or bus.name,
            topology=topology,
            suite=suite,
            model=model,
            bus=bus,
            limits=limits,
            seed=settings.seed,
            epochs=settings.epochs,
            params=canonical(varied(composed.overrides, self.command.overrides)),
            config_hash=fingerprint(record),
            git_commit=self.commit,
            ablate=settings.ablate,
        )
        return _Made(
            PlannedCell(cell, clock, self._sample_ids(suite)), settings, self._part("store", nodes["store"]),
            record, composed.overrides,
        )  # fmt: skip

    def _part(self, group: str, node: Mapping[str, Any], apart: str = "") -> Any:
        key = f"{group} {canonical(node)} {apart}"
        if key not in self._shared:
            self._shared[key] = make(node, group)
        return self._shared[key]

    def _sample_ids(self, suite: Suite) -> Sequence[str]:
        key = f"ids {id(suite)}"
        if key not in self._shared:
            suite.load()
            self._shared[key] = suite.sample_ids()
        ids: Sequence[str] = self._shared[key]
        if not ids:
            raise ConfigError(f"task '{suite.name}' has no sample left: check task.limit and task.sample_ids.")
        return ids
