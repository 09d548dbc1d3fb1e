"""Composing: a command line becomes the configurations of all its cells, before anything has run.

Cells are composed one by one with Hydra's compose function, so that all of them can be checked and run together, as one
experiment. (Hydra's own multirun would first apply a sweep's fixed overrides to the default options, and refuse
``-m topology=bus,moa topology.workers=3`` because the default topology has no workers.) Whatever more is asked of Hydra
(help, a launcher, a sweeper) goes through ``hydra.main``. There the task function only takes down what was composed, if
it is called in this process; a launcher that starts other processes calls it where there is nobody to collect for, and
then it runs its one cell.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import warnings
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hydra
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf, open_dict
from omegaconf.errors import OmegaConfBaseException

from harness.entry.commandline import CommandLine
from harness.entry.overrides import CELLS, cells, searching, spread
from harness.entry.resolved import plain, recorded
from harness.entry.schema import TARGET
from harness.entry.wording import COMPOSING, worded
from harness.errors import ConfigError

CONFIG = "config"
"""Name of the primary configuration, ``conf/config.yaml``."""
FOLDER = ("--config-dir", "-cd")
BASIC = (
    "hydra._internal.core_plugins.basic_launcher.BasicLauncher",
    "hydra._internal.core_plugins.basic_sweeper.BasicSweeper",
)
"""Hydra's own launcher and sweeper."""


@dataclass(frozen=True, slots=True)
class Composed:
    """One cell as Hydra composed it. ``number``: its place in the sweep. ``values``: the configuration as plain values;
    ``record``: the same, fit to be written down. ``choices``: config group → chosen option. ``overrides``: this cell's
    own, as Hydra writes them."""

    number: int
    values: Mapping[str, Any]
    record: Mapping[str, Any]
    choices: Mapping[str, str | None]
    overrides: tuple[str, ...]

    @classmethod
    def of(cls, config: DictConfig) -> Composed:
        """Taken down while Hydra's own configuration is set: interpolations may ask it. Raises OmegaConf's errors, and
        ConfigError for an experiment whose own sweeps nobody has made cells of."""
        if config.get(CELLS) is not None:
            raise ConfigError(
                f"{CELLS} is set (by +experiment=NAME, say): its sweeps cannot be combined with another launcher or "
                f"sweeper, nor with flags of Hydra's. Leave these out, or set {CELLS}=null."
            )
        with open_dict(config):
            config.pop(CELLS, None)
        known = HydraConfig.get()
        number = 0 if OmegaConf.is_missing(known.job, "num") else known.job.num
        choices: Any = OmegaConf.to_container(known.runtime.choices, resolve=False)
        overrides: Any = OmegaConf.to_container(known.overrides.task, resolve=False)
        return cls(number, plain(config), recorded(config), choices, tuple(overrides))


@dataclass(slots=True)
class Job:
    """The task function. Survives pickling, so that other launchers can carry it to other processes."""

    command: CommandLine
    experiment_id: str
    collector: int = field(default_factory=os.getpid)
    collected: list[Composed] = field(default_factory=list)
    faults: list[OmegaConfBaseException] = field(default_factory=list)

    def __call__(self, config: DictConfig) -> None:
        if os.getpid() != self.collector:
            from harness.entry.command import run_elsewhere

            run_elsewhere(Composed.of(config), self.command, self.experiment_id)
            return
        try:
            self.collected.append(Composed.of(config))
        except OmegaConfBaseException as fault:
            self.faults.append(fault)  # Hydra would print it in its own words


def compose(command: CommandLine, experiment_id: str) -> list[Composed]:
    """All cells of a command; none when it only asked for help or to see the configuration, or when another launcher
    has run them. Raises ConfigError, and whatever Hydra and OmegaConf raise: see ``harness.entry.wording``."""
    with _hydra_as_a_library(command):
        if not command.flags or (command.flags[0] in FOLDER and len(command.flags) == 2):
            found = _compose_each(command, command.flags[1] if command.flags else None)
            if found is not None:
                return found
        job = Job(command, experiment_id)
        hydra.main(config_path="pkg://conf", config_name=CONFIG, version_base="1.3")(job)()
    if job.faults:
        raise job.faults[0]
    return job.collected


def _compose_each(command: CommandLine, folder: str | None) -> list[Composed] | None:
    """One configuration a cell, or None when one of them asks for a launcher or a sweeper of its own."""
    if folder is not None and not Path(folder).is_dir():
        raise ConfigError(f"--config-dir {folder}: there is no such folder.")
    found: list[Composed] = []
    with hydra.initialize_config_module("conf", version_base="1.3"):
        loader = GlobalHydra.instance().config_loader()
        planned = deque(cells(command.overrides, loader) if command.multirun else [list(command.overrides)])
        while planned:
            number, overrides = len(found), planned.popleft()
            own = list(overrides) if folder is None else searching(overrides, Path(folder))
            try:
                config = hydra.compose(CONFIG, own, return_hydra_config=True)
            except COMPOSING as error:
                if not (found or planned):
                    raise
                told = worded(error, command)
                raise ConfigError(f"{told} (in the cell `{' '.join(overrides)}`)", **told.facts) from error
            if config.get(CELLS) is not None:
                planned.extendleft(reversed(spread(overrides, config[CELLS], loader)))
                continue
            if _asks_for_more(config.hydra):
                return None
            with open_dict(config):
                config.hydra.job.num = number
            HydraConfig.instance().set_config(config)
            try:
                found.append(Composed.of(OmegaConf.masked_copy(config, [str(k) for k in config if k != "hydra"])))
            finally:
                HydraConfig.instance().cfg = None
    return found


def _asks_for_more(known: DictConfig) -> bool:
    targets = (known.launcher[TARGET], known.sweeper[TARGET])
    return targets != BASIC or bool(known.sweeper.params) or known.mode is not None or bool(known.callbacks)


@contextlib.contextmanager
def _hydra_as_a_library(command: CommandLine) -> Iterator[None]:
    """Let Hydra raise instead of printing and exiting, and leave no file behind.

    Its sweeper always writes a ``multirun.yaml``, so a sweep gets a folder of its own that goes away.
    """
    saved: Any = sys.argv, os.environ.get("HYDRA_FULL_ERROR")
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("error", r"provider=.* is not available", UserWarning)
        own = ["harness", *command.flags]
        if command.multirun:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="harness-"))
            own += ["--multirun", f"hydra.sweep.dir={scratch}"]
        sys.argv, os.environ["HYDRA_FULL_ERROR"] = [*own, *command.overrides], "1"
        try:
            yield
        finally:
            sys.argv = saved[0]
            if saved[1] is None:
                del os.environ["HYDRA_FULL_ERROR"]
            else:
                os.environ["HYDRA_FULL_ERROR"] = saved[1]
