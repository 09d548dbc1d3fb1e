"""1,000 messages to workers that keep leaving: each is delivered, whoever was leaving when it came."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable

import pytest

from harness.bus.protocol import BusBackend, BusMessage, BusSession
from harness.clock.protocol import Clock, Timeline
from harness.clock.runner import run

SENDS = 1000
WORKERS = 5
IDLE_S = 0.01


class Crowd:
    """Sends at random moments about as far apart as the workers' patience, and some random wake-ups for nothing."""

    def __init__(self, session: BusSession, time: Timeline, seed: int) -> None:
        self.session = session
        self.time = time
        self.rng = random.Random(seed)
        self.got: Counter[str] = Counter()
        self.exits = 0
        self.wake: dict[str, asyncio.Event] = {}
        self.loaded: dict[str, asyncio.Task[None]] = {}

    async def play(self) -> None:
        listener = asyncio.create_task(self.listen())
        for i in range(SENDS):
            to = f"worker-{self.rng.randrange(WORKERS)}"
            await self.session.send(BusMessage(f"msg_{i}", "", "lead", to, "task", "x", "", "t"))
            if self.rng.random() < 0.2 and self.wake:
                self.wake[self.rng.choice(sorted(self.wake))].set()
            await self.time.sleep(self.rng.choice([0, 0, 0.001, 0.003, IDLE_S]), "lead")
        while self.loaded or sum(self.got.values()) < SENDS:
            await self.time.sleep(IDLE_S, "lead")
        listener.cancel()
        await asyncio.wait([listener])

    async def listen(self) -> None:
        while True:
            name = await self.session.notified()
            if name not in self.loaded:
                self.wake[name] = asyncio.Event()
                self.loaded[name] = asyncio.create_task(self.worker(name, self.wake[name]))
            self.wake[name].set()

    async def worker(self, me: str, wake: asyncio.Event) -> None:
        while True:
            wake.clear()
            got = (await self.session.read(me)).messages
            self.got.update(m.msg_id for m in got)
            if got:
                await self.time.sleep(self.rng.choice([0, 0.003]), me)
                continue
            try:
                async with self.time.timeout(IDLE_S, me):
                    await wake.wait()
            except TimeoutError:
                wake.clear()
                got = (await self.session.read(me)).messages
                self.got.update(m.msg_id for m in got)
                if not got and not wake.is_set():
                    del self.loaded[me]
                    self.exits += 1
                    return


@pytest.mark.parametrize("kind", ["virtual", "real"])
def test_a_thousand_sends_lose_none(backend: Callable[[], BusBackend], kind: str) -> None:
    async def main(clock: Clock) -> Crowd:
        bus = backend()
        await bus.open(clock)
        time = clock.start()
        session = await bus.join("crowd", time)
        crowd = Crowd(session, time, seed=11)
        try:
            async with asyncio.timeout(100_000 if kind == "virtual" else 60):
                await crowd.play()
        finally:
            await session.close()
            await bus.close()
        return crowd

    crowd = run(kind, main)
    assert crowd.got == {f"msg_{i}": 1 for i in range(SENDS)}
    assert crowd.exits > 20  # the case was met
