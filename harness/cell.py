"""A cell: one checked configuration of a sweep, with its parts made."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.bus.protocol import BusBackend
from harness.graders.grader import Grader
from harness.graders.rule import SuiteRule
from harness.limits import Limits
from harness.models.protocol import Model
from harness.suite import Suite
from harness.topology import Topology


@dataclass(frozen=True, slots=True)
class Cell:
    """Everything that is the same for all runs of one configuration.

    ``topology_name``, ``task_name`` and ``grader_name`` are the choices made in the config (``topology=bus``),
    ``params`` the JSON object of what distinguishes this cell in its sweep, ``config_hash`` the sha256 of the composed
    configuration without what cannot change a result (store, concurrency, progress). ``rehearsal``: its runs only
    estimate others, and write nothing.
    """

    experiment_id: str
    cell_id: str
    topology_name: str
    task_name: str
    bus_name: str
    topology: Topology
    suite: Suite
    model: Model
    bus: BusBackend
    limits: Limits
    seed: int
    epochs: int
    params: str
    config_hash: str
    git_commit: str | None
    ablate: str | None = None
    grader: Grader = field(default_factory=SuiteRule)
    grader_name: str = "suite"
    rehearsal: bool = False
