"""Signals as a terminal would leave them (whoever started the tests may ignore some, and children inherit that), and
the product's way of collecting garbage."""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from harness.__main__ import GC_THRESHOLDS

for _signal, _usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_signal) == signal.SIG_IGN:
        signal.signal(_signal, _usual)

# A first example may have to load a tokeniser; pytest-timeout bounds every test.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

gc.set_threshold(*GC_THRESHOLDS)


def pytest_collection_finish() -> None:
    """The modules and the thousands of tests found will stay: no collection need look through them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _unsynchronised() -> Iterator[None]:
    """Nobody pulls the plug of a test, and what a killed process has written is there whether it was synchronised or
    not. Programs of their own synchronise as ever."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield
