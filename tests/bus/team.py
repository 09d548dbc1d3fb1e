"""A small team over a bus: a lead, workers that are loaded when addressed and leave when idle, one listener.

What it does is drawn from seeds, with latencies of whole half seconds, so that agents keep acting at the same instants.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any

from harness.bus.protocol import BusMessage, BusSession
from harness.clock.protocol import Timeline

Log = list[tuple[Any, ...]]


class Team:
    """``play`` returns what happened, in the order in which it happened."""

    def __init__(
        self, session: BusSession, time: Timeline, *, seed: int, workers: int, tasks: int, idle_s: float = 60.0
    ) -> None:
        self._session = session
        self._time = time
        self._seed = seed
        self._names = [f"worker-{i}" for i in range(workers)]
        self._tasks = tasks
        self._idle_s = idle_s
        self._log: Log = []
        self._wake: dict[str, asyncio.Event] = {}
        self._loaded: dict[str, asyncio.Task[None]] = {}
        self._sent: dict[str, int] = {}
        self._rng: dict[str, random.Random] = {}

    async def play(self) -> Log:
        listener = asyncio.create_task(self._listen())
        try:
            await self._lead()
            while self._loaded:
                await asyncio.wait(self._loaded.values())
        finally:
            listener.cancel()
            for task in self._loaded.values():
                task.cancel()
            await asyncio.gather(listener, *self._loaded.values(), return_exceptions=True)
        return self._log

    async def _lead(self) -> None:
        me = "lead"
        wake = self._wake[me] = asyncio.Event()
        owed = 0
        for name in self._assignments():
            await self._send(me, name, "task")
            owed += 1
        while owed:
            wake.clear()
            inbox = await self._session.read(me)
            self._note(me, "read", *(m.msg_id for m in inbox.messages))
            for message in inbox.messages:
                if message.type == "result":
                    owed -= 1
                    if self._draw(me).random() < 0.2:
                        await self._send(me, message.sender, "revision")
                        owed += 1
            if not inbox.messages and not wake.is_set():
                await wake.wait()
            elif inbox.messages:
                await self._think(me)

    async def _worker(self, me: str) -> None:
        wake = self._wake[me]
        while True:
            wake.clear()
            inbox = await self._session.read(me)
            self._note(me, "read", *(m.msg_id for m in inbox.messages))
            if not inbox.messages:
                try:
                    async with self._time.timeout(self._idle_s, me):
                        await wake.wait()
                except TimeoutError:
                    wake.clear()
                    inbox = await self._session.read(me)
                    # A notification that came meanwhile went to this worker: it may leave only if there was none.
                    if not inbox.messages and not wake.is_set():
                        del self._loaded[me]
                        self._note(me, "idle exit")
                        return
            for message in inbox.messages:
                await self._think(me)
                if message.type in ("task", "revision"):
                    if self._draw(me).random() < 0.3:
                        await self._send(me, self._draw(me).choice(self._names), "progress")
                    await self._send(me, "lead", "result")

    async def _listen(self) -> None:
        while True:
            name = await self._session.notified()
            self._note(name, "notified")
            if name not in self._loaded and name != "lead":
                self._wake[name] = asyncio.Event()
                self._loaded[name] = asyncio.create_task(self._worker(name))
            self._wake[name].set()

    def _assignments(self) -> Iterator[str]:
        for i in range(self._tasks):
            yield self._names[i % len(self._names)]

    async def _think(self, me: str) -> None:
        await self._time.sleep(0.5 * self._draw(me).randint(1, 4), me)

    async def _send(self, me: str, to: str, kind: str) -> None:
        number = self._sent[me] = self._sent.get(me, 0) + 1
        message = BusMessage(f"{me}/{number}", "", me, to, kind, "…", "", self._time.timestamp())
        trimmed = await self._session.send(message)
        self._note(me, "sent", message.msg_id, to, kind, *(m.msg_id for m in trimmed))

    def _draw(self, me: str) -> random.Random:
        return self._rng.setdefault(me, random.Random(f"{self._seed}/{me}"))

    def _note(self, who: str, *what: object) -> None:
        self._log.append((self._time.now(), who, *what))
