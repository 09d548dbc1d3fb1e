"""Whole experiments in this process, and where their CPU time goes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.meters import Meter, MeteredSink, MeteredSuite
from benchmarks.playback import Playback, Recording
from harness.accounting.tokens import count_tokens
from harness.bus.memory import MemoryBus
from harness.bus.protocol import BusBackend
from harness.cell import Cell
from harness.config import ClockConf
from harness.experiment import Experiment, PlannedCell
from harness.limits import Limits, Scope
from harness.models.protocol import Model
from harness.models.simulated import SimulatedModel
from harness.progress import NoProgress
from harness.run import run_sample
from harness.suite import Suite
from harness.topology import Topology
from results import Store

EXPERIMENT = "bench"


@dataclass(frozen=True, slots=True)
class Spent:
    """CPU seconds of one experiment, from its first line to the closing of its store, and the rows it wrote.
    ``suite_s`` and ``store_s`` are parts of ``total_s``."""

    total_s: float
    suite_s: float
    store_s: float
    calls: int
    shares: int
    events: int

    @property
    def engine_s(self) -> float:
        """Without the suite's own work, with the store's."""
        return self.total_s - self.suite_s


class Bench:
    """One topology on one suite with the simulated model, prepared so that any part of the path can be left out."""

    def __init__(self, topology: Topology, suite: Suite, epochs: int) -> None:
        self._topology = topology
        self._meter = Meter()
        self._suite = MeteredSuite(suite, self._meter)
        self._epochs = epochs
        self._suite.load()
        self.simulated = SimulatedModel()
        oracle = suite.oracle()
        if oracle is not None:
            self.simulated.consult(oracle)
        recording = Recording(self.simulated)
        self._run(recording, MemoryBus(), "warm", seed=1, epochs=1)
        self._run(recording, MemoryBus(), "measured", seed=0, epochs=epochs)
        self.playback = Playback(recording)

    def spend(self, model: Model, bus: BusBackend | None = None) -> Spent:
        """Run all samples, ``epochs`` times each.

        Before, the counts of all texts are forgotten and an experiment with another seed is run: what all runs share
        (documents, prompts, schemas) is warm, and what only these runs say is new to the tokeniser.
        """
        count_tokens.cache_clear()
        self._run(self.playback, MemoryBus(), "warm", seed=1, epochs=1)
        return self._run(model, bus or MemoryBus(), "measured", seed=0, epochs=self._epochs)

    def _run(self, model: Model, bus: BusBackend, cell_id: str, *, seed: int, epochs: int) -> Spent:
        cell = Cell(
            experiment_id=EXPERIMENT,
            cell_id=cell_id,
            topology_name=type(self._topology).__name__.lower(),
            task_name=self._suite.name,
            bus_name="memory",
            topology=self._topology,
            suite=self._suite,
            model=model,
            bus=bus,
            limits=Limits(),
            seed=seed,
            epochs=epochs,
            params="{}",
            config_hash="",
            git_commit=None,
        )
        with TemporaryDirectory() as folder:
            sink = MeteredSink(Store(str(Path(folder))), EXPERIMENT)
            planned = PlannedCell(cell, ClockConf(kind="virtual"), self._suite.sample_ids())
            before, started = self._meter.seconds, time.process_time()
            Experiment([planned], run_sample, sink, Scope("experiment"), NoProgress()).run()
            sink.close()
            total_s = time.process_time() - started
        return Spent(total_s, self._meter.seconds - before, sink.meter.seconds, sink.calls, sink.shares, sink.events)
