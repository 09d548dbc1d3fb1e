"""What all benchmarks share: their sizes, the figures they leave, and the table at the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.figures import Figure, table
from benchmarks.sizes import FULL, SMALL, Sizes

_FIGURES = pytest.StashKey[list[Figure]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--small", action="store_true", help="benchmarks: tiny sizes, to see that everything still runs")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_FIGURES] = []


@pytest.fixture
def sizes(request: pytest.FixtureRequest) -> Sizes:
    return SMALL if request.config.getoption("--small") else FULL


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Callable[[Figure], None]:
    """Put one figure into the table at the end."""
    return request.config.stash[_FIGURES].append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    figures = config.stash[_FIGURES]
    if figures:
        terminalreporter.section("figures to hold (docs/benchmarks.md)")
        for line in table(figures):
            terminalreporter.write_line(line)
