"""How long the polling mailbox takes, and what it leaves on disk."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest

from harness.bus.polling import PollingBus
from harness.bus.protocol import BusMessage
from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.errors import BusError, ConfigError

MESSAGE = BusMessage("msg_1", "", "lead", "bob", "task", "x", "", "t")


@pytest.mark.parametrize(("sent_at", "noticed_at"), [(0.1, 0.5), (0.49, 0.5), (0.51, 1.0), (3.2, 3.5)])
def test_a_message_is_noticed_at_the_next_half_second(sent_at: float, noticed_at: float) -> None:
    async def main(clock: Clock) -> float:
        bus = PollingBus()
        await bus.open(clock)
        time = clock.start()
        session = await bus.join("s", time)
        waiting = asyncio.create_task(session.notified())
        await time.sleep(sent_at, "lead")
        await session.send(MESSAGE)
        assert await waiting == "bob"
        await bus.close()
        return time.now()

    assert run("virtual", main) == noticed_at


def test_a_private_folder_that_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def main(clock: Clock) -> None:
        bus = PollingBus()
        await bus.open(clock)
        (folder,) = tmp_path.iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700
        session = await bus.join("../../s", clock.start())
        await session.send(MESSAGE)
        assert [p.name for p in folder.rglob("*.json")] == ["000000000001.json"]
        await session.close()
        assert list(folder.iterdir()) == []
        await bus.close()

    run("virtual", main)
    assert list(tmp_path.iterdir()) == []


def test_no_place_for_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(BusError, match=r"cannot make its folder: .*TMPDIR"):
        run("virtual", lambda clock: PollingBus().open(clock))


@pytest.mark.parametrize("interval_s", [0, -1, float("nan")])
def test_interval(interval_s: float) -> None:
    with pytest.raises(ConfigError, match=r"bus\.interval_s"):
        PollingBus(interval_s=interval_s)
