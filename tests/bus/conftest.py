from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from harness.bus.memory import MemoryBus
from harness.bus.polling import PollingBus
from harness.bus.protocol import BusBackend
from harness.bus.redis import RedisBus

from .servers import Servers, redis_binaries

REDIS = sorted(redis_binaries())


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    running = Servers()
    yield running
    running.stop()


@pytest.fixture(scope="session", params=REDIS)
def redis_url(request: pytest.FixtureRequest, servers: Servers) -> str:
    return servers.url(request.param)


@pytest.fixture(scope="session", params=["memory", "polling", *REDIS])
def backend(request: pytest.FixtureRequest, servers: Servers) -> Callable[[], BusBackend]:
    """Makes a bus that is not open yet; on Redis, with keys of its own."""
    if request.param == "memory":
        return MemoryBus
    if request.param == "polling":
        return PollingBus
    url = servers.url(request.param)
    return lambda: RedisBus(url, prefix="th-test")
