"""Composing: one Hydra run that turns a command line into the configurations of all its cells.

Hydra's own launcher calls the task function once a cell, in this process, before anything of ours has run. So the task
function only takes down what was composed, and all cells are then checked and run together, as one experiment. A
launcher that starts other processes calls the same task function there, where there is nobody to collect for: it then
runs its one cell.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import hydra
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from harness.entry.commandline import CommandLine


@dataclass(frozen=True, slots=True)
class Composed:
    """One cell as Hydra composed it. ``number``: its place in the sweep. ``choices``: config group → chosen option.
    ``overrides``: this cell's own, as Hydra writes them."""

    number: int
    config: DictConfig
    choices: Mapping[str, str | None]
    overrides: tuple[str, ...]


@dataclass(slots=True)
class Job:
    """The task function. Survives pickling, so that other launchers can carry it to other processes."""

    command: CommandLine
    experiment_id: str
    collector: int = field(default_factory=os.getpid)
    collected: list[Composed] = field(default_factory=list)

    def __call__(self, config: DictConfig) -> None:
        known = HydraConfig.get()
        number = 0 if "num" not in known.job else int(known.job.num)
        cell = Composed(number, config, dict(known.runtime.choices), tuple(known.overrides.task))
        if os.getpid() == self.collector:
            self.collected.append(cell)
        else:
            from harness.entry.command import run_elsewhere

            run_elsewhere(cell, self.command, self.experiment_id)


def compose(command: CommandLine, argv: list[str], experiment_id: str) -> list[Composed]:
    """All cells of a command; none when it only asked for help or to see the configuration.

    Raises whatever Hydra and OmegaConf raise: see ``harness.entry.wording``.
    """
    job = Job(command, experiment_id)
    with _hydra_as_a_library(argv, command.multirun):
        hydra.main(config_path="pkg://conf", config_name="config", version_base="1.3")(job)()
    return job.collected


@contextlib.contextmanager
def _hydra_as_a_library(argv: list[str], multirun: bool) -> Iterator[None]:
    """Let Hydra raise instead of printing and exiting, and leave no file behind.

    Its sweeper always writes a ``multirun.yaml``, so a sweep gets a folder of its own that goes away.
    """
    saved: Any = sys.argv, os.environ.get("HYDRA_FULL_ERROR")
    with contextlib.ExitStack() as stack:
        own = ["harness", *argv[1:]]
        if multirun:
            own.append(f"hydra.sweep.dir={stack.enter_context(tempfile.TemporaryDirectory(prefix='harness-'))}")
        sys.argv, os.environ["HYDRA_FULL_ERROR"] = own, "1"
        try:
            yield
        finally:
            sys.argv = saved[0]
            if saved[1] is None:
                del os.environ["HYDRA_FULL_ERROR"]
            else:
                os.environ["HYDRA_FULL_ERROR"] = saved[1]
