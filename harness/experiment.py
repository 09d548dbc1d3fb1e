"""An experiment: cells × samples × epochs, a bounded number at once, every finished run stored before the next."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Protocol

from harness.accounting.usage import Usage
from harness.cell import Cell
from harness.clock.protocol import Clock
from harness.clock.runner import run as run_clock
from harness.config import ClockConf
from harness.errors import ConfigError, LimitExceeded
from harness.limits import Scope
from harness.progress import Progress
from harness.records import RunRecord
from harness.topology import joins_bus

RunSample = Callable[[Cell, str, int, Clock, Scope], Awaitable[RunRecord]]
"""``harness.run.run_sample``: (cell, sample id, epoch, clock, experiment scope) → the run; raises only CancelledError
and what is a defect of ours."""


class Sink(Protocol):
    """Where finished runs go."""

    def begin(self) -> None:
        """Called once, when everything is ready and before the first sample starts."""

    def write(self, record: RunRecord) -> None: ...


class Part(Protocol):
    """A model or a bus: something to open before the first sample and to close after the last."""

    async def open(self, clock: Clock) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class PlannedCell:
    """A cell with what the runner must know beside it. ``clock.kind`` is decided: never ``auto``."""

    cell: Cell
    clock: ClockConf
    sample_ids: Sequence[str]

    @property
    def planned(self) -> int:
        return len(self.sample_ids) * self.cell.epochs

    def parts(self) -> tuple[Part, ...]:
        """What must be open while it runs: where no messages are sent, the bus stays closed."""
        return (self.cell.model, self.cell.bus) if joins_bus(self.cell.topology) else (self.cell.model,)


@dataclass(frozen=True, slots=True)
class Outcome:
    """``missing``: cell id → sample ids with at least one run not written, or cut off by the experiment's limit, cells
    without any left out; ``unfinished``: such runs. ``limit``: what the experiment's limit said when it tripped.
    ``signum``: the signal that stopped it."""

    planned: int
    written: int
    unfinished: int
    not_ok: int
    missing: Mapping[str, tuple[str, ...]]
    limit: str | None
    signum: int | None


class Stop:
    """A request, from a signal handler, to end early: runs under way are cancelled, finished ones are kept."""

    def __init__(self) -> None:
        self.signum: int | None = None
        self._cancel: Callable[[], object] | None = None

    def request(self, signum: int) -> None:
        self.signum = signum
        if self._cancel is not None:
            self._cancel()

    def attach(self) -> None:
        """From now on a request cancels the current task."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is not None:
            self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)

    def detach(self) -> None:
        self._cancel = None


@dataclass(slots=True)
class Experiment:
    """Runs everything that is planned. Use once.

    ``scope`` holds the limits of the whole experiment; ``shuffle`` starts the samples in another order.
    """

    cells: Sequence[PlannedCell]
    run_sample: RunSample
    sink: Sink
    scope: Scope
    progress: Progress
    stop: Stop = field(default_factory=Stop)
    concurrency: int = 8
    shuffle: bool = False
    _done: list[bytearray] = field(init=False)
    _not_ok: int = field(default=0, init=False)
    _written: int = field(default=0, init=False)
    _limit: str | None = field(default=None, init=False)
    _begun: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._done = [bytearray(c.planned) for c in self.cells]

    def run(self) -> Outcome:
        """Open every part of every cell, then run the cells of one clock together, one clock after the other.

        Raises HarnessError when a part cannot be opened, before any sample starts, or when the sink cannot write.
        """
        groups: dict[ClockConf, list[int]] = {}
        for index, planned in enumerate(self.cells):
            groups.setdefault(planned.clock, []).append(index)
        try:
            for clock, indices in list(groups.items())[1:]:
                self._on(clock, indices, start=False)
            for clock, indices in groups.items():
                if self.stop.signum is None and self._limit is None:
                    self._on(clock, indices, start=True)
        finally:
            self.progress.stop()
        return self._outcome()

    def _on(self, conf: ClockConf, indices: Sequence[int], *, start: bool) -> None:
        async def main(clock: Clock) -> None:
            self.stop.attach()
            try:
                for i in indices:
                    refuse_unpriced(self.cells[i].cell)
                async with AsyncExitStack() as opened:
                    for part in _distinct(part for i in indices for part in self.cells[i].parts()):
                        opened.push_async_callback(part.close)
                        await part.open(clock)
                    if start:
                        await self._drain(self._order(indices), clock)
            except asyncio.CancelledError:
                if self.stop.signum is None:
                    raise
            finally:
                self.stop.detach()

        run_clock(conf.kind, main, scale=conf.scale, watchdog_s=conf.watchdog_s)

    async def _drain(self, order: Iterator[tuple[int, int, int]], clock: Clock) -> None:
        """Run all of an order with a few workers that take the next run when they have finished one."""
        planned = sum(c.planned for c in self.cells)
        if not self._begun:
            self._begun = True
            self.sink.begin()
            self.progress.start(planned)
        workers = [asyncio.create_task(self._work(order, clock)) for _ in range(min(self.concurrency, planned))]
        try:
            await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            for worker in workers:
                worker.cancel()
            ended = await asyncio.gather(*workers, return_exceptions=True)
            self.stop.detach()  # closing what is open is not to be cut short
        for result in ended:
            if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
                raise result

    async def _work(self, order: Iterator[tuple[int, int, int]], clock: Clock) -> None:
        for index, position, epoch in order:
            try:
                self.scope.check()
            except LimitExceeded as limit:
                self._limit = str(limit)
                return
            planned = self.cells[index]
            record = await self.run_sample(planned.cell, planned.sample_ids[position], epoch, clock, self.scope)
            self.sink.write(record)
            self._written += 1
            # cut off by the experiment's bound and not by anything of its own: to be run again
            cut = (record.run.limit or "").startswith("experiment_")
            self._done[index][position * planned.cell.epochs + epoch] = not cut
            self._not_ok += record.run.status != "ok"
            self.progress.finished(record.run)

    def _order(self, indices: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        """(cell, sample position, epoch): sample by sample over all cells, each sample starting with another cell, so
        that neither caching nor drift favours one."""
        longest = max(len(self.cells[i].sample_ids) for i in indices)
        for epoch in range(max(self.cells[i].cell.epochs for i in indices)):
            positions = list(range(longest))
            if self.shuffle:
                random.Random(f"{self.cells[indices[0]].cell.seed}/{epoch}").shuffle(positions)
            for turn, position in enumerate(positions):
                first = turn % len(indices)
                for index in (*indices[first:], *indices[:first]):
                    planned = self.cells[index]
                    if position < len(planned.sample_ids) and epoch < planned.cell.epochs:
                        yield index, position, epoch

    def _outcome(self) -> Outcome:
        missing = {}
        for planned, done in zip(self.cells, self._done, strict=True):
            epochs = planned.cell.epochs
            ids = [s for i, s in enumerate(planned.sample_ids) if not all(done[i * epochs : (i + 1) * epochs])]
            if ids:
                missing[planned.cell.cell_id] = tuple(ids)
        return Outcome(
            planned=sum(c.planned for c in self.cells),
            written=self._written,
            unfinished=sum(len(done) - sum(done) for done in self._done),
            not_ok=self._not_ok,
            missing=missing,
            limit=self._limit,
            signum=self.stop.signum,
        )


def refuse_unpriced(cell: Cell) -> None:
    """Raise ConfigError for a limit in USD over a model without a known price: it could never trip."""
    bounds = [n for n in ("experiment_usd", "run_usd") if getattr(cell.limits, n) is not None]
    models = (cell.model, *cell.model.roles.values())
    unpriced = [m.name for m in models if m.pricing.bill(Usage(1, 1)) is None] if bounds else []
    if unpriced:
        instead = bounds[0].replace("usd", "tokens")
        raise ConfigError(
            f"limits.{bounds[0]} is set, but the price of model '{unpriced[0]}' is unknown, so it could never "
            f"trip. Give the model a price card, or limit tokens instead: limits.{instead}=N."
        )


def _distinct(parts: Iterator[Part]) -> list[Part]:
    """Each object once, in order: cells with equal settings share theirs."""
    return list({id(part): part for part in parts}.values())
