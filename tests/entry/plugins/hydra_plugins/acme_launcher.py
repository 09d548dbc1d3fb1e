"""A launcher that runs every job of a sweep in a process of its own, as the cluster launchers do."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.core.utils import JobReturn, run_job, setup_globals
from hydra.plugins.launcher import Launcher
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig, open_dict

NODE = {"_target_": "hydra_plugins.acme_launcher.AcmeLauncher"}
ConfigStore.instance().store(group="hydra/launcher", name="acme", node=NODE, provider="acme")


class AcmeLauncher(Launcher):
    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        self.context, self.function, self.config = hydra_context, task_function, config

    def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
        setup_globals()
        spawn = multiprocessing.get_context("spawn")
        with spawn.Pool(1) as pool:
            return [
                pool.apply(_job, (number, list(overrides), self.context, self.config, self.function))
                for number, overrides in enumerate(job_overrides, initial_job_idx)
            ]


def _job(number: int, overrides: list[str], context: HydraContext, config: Any, function: Any) -> JobReturn:
    setup_globals()
    cell = context.config_loader.load_sweep_config(config, overrides)
    with open_dict(cell):
        cell.hydra.job.id = str(number)
        cell.hydra.job.num = number
    return run_job(
        hydra_context=context,
        config=cell,
        task_function=function,
        job_dir_key="hydra.sweep.dir",
        job_subdir_key="hydra.sweep.subdir",
    )
