"""A user's own suite, topologies and model, as small as they get."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from harness.accounting.prices import CardPricing, PriceCard, Pricing, UnpricedModel
from harness.accounting.purposes import Purpose, Stance
from harness.accounting.usage import Usage
from harness.agents.tools import Tool
from harness.clock.protocol import Clock
from harness.errors import ConfigError, CorpusError
from harness.models.oracle import Oracle
from harness.models.protocol import Model, Request, Response
from harness.session import Session
from harness.suite import Grade, Sample
from harness.topology import Answer


@dataclass
class Sums:
    """``size`` additions. ``broken``: the material cannot be read. ``kind``, ``weights``: values of other types."""

    name: ClassVar[str] = "sums"
    size: int = 3
    limit: int | None = None
    only: list[str] | None = field(default=None, metadata={"key": "sample_ids"})
    broken: bool = False
    kind: Literal["plain", "hard"] = "plain"
    weights: tuple[float, ...] = ()
    pass_threshold: float = 1.0

    def load(self) -> None:
        if self.broken:
            raise CorpusError("task.broken=true: sums.txt cannot be read.")

    def sample_ids(self) -> list[str]:
        every = [f"sum-{i}" for i in range(self.size)]
        return [s for s in every if self.only is None or s in self.only][: self.limit]

    def oracle(self) -> Oracle | None:
        return None

    def sample(self, sample_id: str) -> Sample:
        n = _number(sample_id)
        return Sample(sample_id, f"What is {n} + {n}?", "Answer with a number.", None, 8, "0" * 64, 1.0, 1.0)

    def tools(self, sample: Sample) -> Sequence[Tool]:
        return ()

    async def grade(self, sample: Sample, answer: str) -> Grade:
        return Grade(float(answer.strip() == str(2 * _number(sample.id))))


@dataclass(frozen=True)
class Ask:
    """One agent, one call. ``raise_on``: a sample on which the topology raises. ``stop_on``: a sample on which the
    process gets ``stop_signal`` (a number), as if somebody had pressed Ctrl-C just then, but once in a folder only.
    ``block_on``: a sample on which the whole process sleeps for ten minutes."""

    family: ClassVar[Literal["single", "team"]] = "single"
    raise_on: str = ""
    stop_on: str = ""
    stop_signal: int = int(signal.SIGINT)
    block_on: str = ""
    wait_s: float = 0.0
    inner: Any = None

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        stopped = Path("stopped")
        if sample.id == self.stop_on and not stopped.exists():
            stopped.touch()
            os.kill(os.getpid(), self.stop_signal)
            await session.time.sleep(3600, "solver")
        if sample.id == self.block_on:
            Path("blocking").touch()
            time.sleep(600)
        if sample.id == self.raise_on:
            raise RuntimeError("this topology gave out")
        await session.time.sleep(self.wait_s, "solver")
        agent = session.agent("solver", role="single", stance=Stance.LEAD)
        agent.tell(session.statement())
        step = await agent.run(Purpose.ANSWER, 1)
        return Answer(step.text)


@dataclass(frozen=True)
class Pair(Ask):
    """The same, but a team: it needs a bus."""

    family: ClassVar[Literal["single", "team"]] = "team"


@dataclass
class Adder:
    """Answers every sum rightly. ``down_on``: the kind of clock on which it cannot be reached. ``simulated``: whether
    its time is virtual."""

    name: str = "adder"
    down_on: str = ""
    latency_s: float = 1.0
    simulated: bool = True
    priced: bool = True
    api_key: str = ""
    base_url: str = ""
    window_tokens: int = 1000
    pricing: Pricing = field(init=False)
    roles: Mapping[str, Model] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.pricing = CardPricing(PriceCard(1.0, 2.0)) if self.priced else UnpricedModel()

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        return [len(text.split()) for text in texts]

    async def open(self, clock: Clock) -> None:
        if clock.kind == self.down_on:
            raise ConfigError("model adder cannot be reached: start it.")

    async def complete(self, request: Request) -> Response:
        words = str(request.messages[-1]["content"]).split()
        return Response(
            str(2 * int(words[2])), (), Usage(100, 10), latency_s=self.latency_s if self.simulated else None
        )

    async def close(self) -> None:
        pass


@dataclass(frozen=True)
class NoFields:
    pass


def not_a_class() -> None:
    """Something that `_target_` may not name."""


def _number(sample_id: str) -> int:
    return int(sample_id.removeprefix("sum-"))
