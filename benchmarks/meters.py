"""CPU time of the parts around the engine, taken while they run inside it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from harness.accounting.parts import Part
from harness.agents.tools import Arguments, Handler, Tool
from harness.models.oracle import Oracle
from harness.records import RunRecord
from harness.suite import Grade, Sample, Suite
from results import ExperimentInfo, Store


@dataclass(slots=True)
class Meter:
    """CPU seconds of this process, all its threads together, spent within ``with meter``. The body must not give way to
    other tasks, and is not entered twice at once."""

    seconds: float = 0.0
    _entered: float = 0.0

    def __enter__(self) -> None:
        self._entered = time.process_time()

    def __exit__(self, *fault: object) -> None:
        self.seconds += time.process_time() - self._entered


class MeteredSuite:
    """A suite whose own work (samples, tools, grades) is metered. None of it waits, so nothing else is caught."""

    def __init__(self, suite: Suite, meter: Meter) -> None:
        self._suite = suite
        self._meter = meter
        self.name, self.pass_threshold = suite.name, suite.pass_threshold

    def load(self) -> None:
        self._suite.load()

    def sample_ids(self) -> Sequence[str]:
        return self._suite.sample_ids()

    def sample(self, sample_id: str) -> Sample:
        with self._meter:
            return self._suite.sample(sample_id)

    def tools(self, sample: Sample) -> Sequence[Tool]:
        with self._meter:
            return [replace(t, run=self._metered(t.run)) for t in self._suite.tools(sample)]

    async def grade(self, sample: Sample, answer: str) -> Grade:
        with self._meter:
            return await self._suite.grade(sample, answer)

    def oracle(self) -> Oracle | None:
        return self._suite.oracle()

    def _metered(self, run: Handler) -> Handler:
        async def metered(arguments: Arguments) -> str | Sequence[Part]:
            with self._meter:
                return await run(arguments)

        return metered


@dataclass
class MeteredSink:
    """A store as an experiment's sink, metered from its opening to its closing. Counts the rows that go through."""

    store: Store
    experiment_id: str
    meter: Meter = field(default_factory=Meter)
    calls: int = 0
    shares: int = 0
    events: int = 0

    def begin(self) -> None:
        with self.meter:
            self.store.open(ExperimentInfo(self.experiment_id, {}))

    def write(self, record: RunRecord) -> None:
        with self.meter:
            self.store.write(record)
        self.calls += len(record.calls)
        self.shares += len(record.shares)
        self.events += len(record.events)

    def close(self) -> None:
        """Close the store: what waits is folded into parquet."""
        with self.meter:
            self.store.close()
