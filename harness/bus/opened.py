"""What every backend keeps about the sessions that joined it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from harness.bus.protocol import TTL_S
from harness.errors import BusError, ConfigError


class _Closable(Protocol):
    async def close(self) -> None: ...


_S = TypeVar("_S", bound=_Closable)


class OpenSessions(Generic[_S]):
    """The sessions of one bus that have joined and not closed, by id."""

    def __init__(self) -> None:
        self._sessions: dict[str, _S] = {}

    def add(self, session_id: str, make: Callable[[Callable[[], None]], _S]) -> _S:
        """Make and keep a session; ``make`` gets what the session must call when it has closed. BusError if one of
        this id is open."""
        if session_id in self._sessions:
            raise BusError(f"session '{session_id}' has already joined the bus; session ids must differ within a bus.")
        session = make(lambda: self._forget(session_id))
        self._sessions[session_id] = session
        return session

    async def close(self) -> None:
        for session in list(self._sessions.values()):
            await session.close()

    def _forget(self, session_id: str) -> None:
        self._sessions.pop(session_id, None)


def not_open() -> BusError:
    """The error of joining a bus that was not opened."""
    return BusError("the bus is not open: call open() before join().")


def check_ttl(ttl_s: int) -> None:
    if ttl_s < 1:
        raise ConfigError(f"bus.ttl_s is {ttl_s}; it must be at least 1 second (the default is {TTL_S}).")
