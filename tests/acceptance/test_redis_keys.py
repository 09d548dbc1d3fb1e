"""Nothing of ours stays in anybody's Redis."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

import results

from .commands import GENERATED, QUIET, TALKATIVE, command, environment, here, wait_for

TTL_S = 3600
REAL = ("topology=bus", *GENERATED, "task.samples=6", "clock=real", "clock.scale=30", "limits.call_timeout_s=100000")
"""About a second of real time in which messages lie in mailboxes."""


@pytest.fixture
def server(redis_url: str) -> Iterator[Redis]:
    with Redis.from_url(redis_url) as client:
        client.flushall()  # the server is the tests' own
        client.set("somebody:else", "stays")
        yield client
        client.flushall()


def ours(server: Redis) -> list[bytes]:
    found = server.keys("*")
    assert isinstance(found, list)
    return [key for key in found if isinstance(key, bytes) and key != b"somebody:else"]


def carried(url: str) -> tuple[str, str]:
    return "bus=redis", f"bus.url='{url}'"


class Watch(threading.Thread):
    """Looks at all keys, over and over, until told to stop. ``seen``: key → its remaining seconds at first sight."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._done = threading.Event()
        self.seen: dict[bytes, int] = {}

    def run(self) -> None:
        with Redis.from_url(self._url) as server:
            while not self._done.wait(0.001):
                for key in ours(server):
                    left = server.ttl(key)
                    if isinstance(left, int) and left != -2:  # -2: gone meanwhile
                        self.seen.setdefault(key, left)

    def stop(self) -> None:
        self._done.set()
        self.join(10)


def test_every_key_has_a_lifetime_and_none_is_left(tmp_path: Path, redis_url: str, server: Redis) -> None:
    watch = Watch(redis_url)
    watch.start()
    try:
        found = here(tmp_path, *REAL, *TALKATIVE, *carried(redis_url))
    finally:
        watch.stop()
    assert len(found.runs) == 6 and len(found.messages) > 30
    assert watch.seen and all(TTL_S - 60 <= left <= TTL_S for left in watch.seen.values())
    assert all(key.startswith(b"th:") and b":mailbox:" in key for key in watch.seen)
    assert ours(server) == [] and server.get("somebody:else") == b"stays"


def test_nothing_is_left_after_failures(tmp_path: Path, redis_url: str, server: Redis) -> None:
    """Runs that end by a limit, by a timeout, and with members that are still at work."""
    for limit in ("limits.run_calls=4", "limits.run_wall_s=17", "limits.run_tokens=6000", "topology.lead_steps=2"):
        found = here(tmp_path, "topology=bus", *GENERATED, "task.samples=2", limit, *carried(redis_url))
        assert set(found.runs.status) <= {"limit", "timeout"}, limit
        assert ours(server) == []


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGINT], ids=lambda s: s.name)
def test_what_a_stopped_process_leaves_expires(
    tmp_path: Path, redis_url: str, server: Redis, signum: signal.Signals
) -> None:
    child = subprocess.Popen(
        command(*REAL, "clock.scale=10", *carried(redis_url), *QUIET), cwd=tmp_path, env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        wait_for(lambda: bool(ours(server)), child, pause=0.002)
        child.send_signal(signum)
        assert child.wait(20) in (-signal.SIGKILL, 128 + signal.SIGINT)
    finally:
        child.kill()
        child.wait(20)
    left = ours(server)
    assert all(0 < int(str(server.ttl(key))) <= TTL_S for key in left)
    if signum == signal.SIGINT:
        assert left == [], "an orderly end takes its keys away"


def test_two_commands_on_one_server_do_not_meet(tmp_path: Path, redis_url: str, server: Redis) -> None:
    """The same seed gives the same session names; each opened bus has keys of its own."""
    words = (*REAL, *carried(redis_url), *QUIET)
    children = [
        subprocess.Popen(command(*words, f"store.dir={n}"), cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL)
        for n in range(2)
    ]
    try:
        assert [child.wait(50) for child in children] == [0, 0]
    finally:
        for child in children:
            child.kill()
            child.wait(20)
    for n in range(2):
        found = results.load(tmp_path / f"{n}")
        assert set(found.runs.status) == {"ok"} and "duplicate" not in set(found.messages.delivery)
    assert ours(server) == []
