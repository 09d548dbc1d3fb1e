"""The bus as files in a folder that is looked at every half second: the kind that seed document 004 compares with."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import time as real_time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from harness.bus.deliveries import Deliveries
from harness.bus.keys import encode
from harness.bus.notices import LISTENER, Notices
from harness.bus.opened import OpenSessions, check_ttl, not_open
from harness.bus.protocol import INBOX_CAP, TTL_S, BusMessage, Inbox
from harness.clock.protocol import Clock, Timeline
from harness.errors import BusError, ConfigError

POLL_S = 0.5
"""Seconds between two looks (seed document 004)."""


@dataclass
class PollingBus:
    """Mailboxes as folders of files (``harness.bus.protocol.BusBackend``).

    interval_s: seconds of the run's time between two looks. ttl_s: real seconds until a mailbox that nobody writes to
    is dropped. Files are small and local, so they are written and read without leaving the loop. A run that waits for
    nothing never deadlocks the virtual clock here, since there is always a next look: give it a wall-clock limit.
    """

    interval_s: float = POLL_S
    ttl_s: int = TTL_S

    name = "polling"

    def __post_init__(self) -> None:
        if not self.interval_s >= 0.001:
            raise ConfigError(f"bus.interval_s is {self.interval_s}; it must be at least 0.001 seconds.")
        check_ttl(self.ttl_s)
        self._folder: Path | None = None
        self._sessions: OpenSessions[PollingSession] = OpenSessions()

    async def open(self, clock: Clock) -> None:
        with _disk("make its folder"):
            self._folder = Path(tempfile.mkdtemp(prefix="harness-bus-"))  # mode 0700

    async def join(self, session_id: str, time: Timeline) -> PollingSession:
        if self._folder is None:
            raise not_open()
        folder = self._folder / _file_name(session_id)
        made = self._sessions.add(session_id, lambda closed: PollingSession(self, folder, session_id, time, closed))
        await time.turn(session_id)
        return made

    async def close(self) -> None:
        await self._sessions.close()
        folder, self._folder = self._folder, None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


class PollingSession:
    """``harness.bus.protocol.BusSession``. A message is a file ``<mailbox>/<number>.json``, numbered in the order of
    sending. ``notified`` tells of the messages that lie in a mailbox when it looks."""

    def __init__(
        self, bus: PollingBus, folder: Path, session_id: str, time: Timeline, on_closed: Callable[[], None]
    ) -> None:
        self._bus = bus
        self._folder = folder
        self._id = session_id
        self._time = time
        self._on_closed = on_closed
        self._mailboxes: dict[str, Path] = {}
        self._sent = 0
        self._noticed = 0
        self._notices = Notices()
        self._deliveries = Deliveries()
        with _disk("make a session's folder"):
            folder.mkdir()

    async def send(self, message: BusMessage) -> Sequence[BusMessage]:
        await self._time.turn(message.sender)
        self._notices.check()
        with _disk("write a message"):
            mailbox = self._mailbox(message.recipient)
            self._sent += 1
            draft = self._folder / "draft"
            draft.write_bytes(encode(message.to_json()))
            draft.rename(mailbox / f"{self._sent:012d}.json")  # there whole or not at all
            return tuple(map(_take, sorted(mailbox.iterdir())[:-INBOX_CAP]))

    async def read(self, agent: str) -> Inbox:
        await self._time.turn(agent)
        self._notices.check()
        with _disk("read a mailbox"):
            return self._deliveries.inbox(agent, map(_take, sorted(self._mailbox(agent).iterdir())))

    async def notified(self) -> str:
        while not self._notices:
            await self._time.sleep(self._bus.interval_s, LISTENER)
            self._notices.check()
            with _disk("look into the mailboxes"):
                self._look()
        return await self._notices.next(self._time)

    async def close(self) -> None:
        self._notices.fail(f"session '{self._id}' of the bus is closed.")
        shutil.rmtree(self._folder, ignore_errors=True)
        self._on_closed()

    def _look(self) -> None:
        """Queue a notification for each message that came since the last look and has not been read yet."""
        lying = [(int(file.stem), agent) for agent, box in self._mailboxes.items() for file in box.iterdir()]
        for number, agent in sorted(lying):
            if number > self._noticed:
                self._noticed = number
                self._notices.push(agent)

    def _mailbox(self, agent: str) -> Path:
        """The agent's folder, made if need be, without what has expired."""
        mailbox = self._mailboxes.setdefault(agent, self._folder / _file_name(agent))
        mailbox.mkdir(exist_ok=True)
        if real_time.time() - mailbox.stat().st_mtime >= self._bus.ttl_s:  # the time of the last file added or taken
            for file in mailbox.iterdir():
                file.unlink()
        return mailbox


def _file_name(name: str) -> str:
    """A folder name for any session or agent name, however long or odd."""
    return hashlib.sha256(encode(name)).hexdigest()[:32]


def _take(file: Path) -> BusMessage:
    message = BusMessage.from_json(file.read_bytes())
    file.unlink()
    return message


@contextmanager
def _disk(what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BusError(
            f"bus=polling cannot {what}: {error}. Free space there, set TMPDIR to a folder that can be written, or "
            "choose bus=memory."
        ) from error
