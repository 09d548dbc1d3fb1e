"""What goes wrong in a run is a row of its own: the command goes on, says so in its table, and exits 0."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bus.servers import redis_binaries

import results
from harness.bus.server import PrivateServer

from .commands import GENERATED, QUIET, call, command, each, environment, inside, stored, validate, wait_for

PARTS = '''
"""A user's own topology and suite, with faults."""

from dataclasses import dataclass
from typing import ClassVar

from tasks.qa_corpus import QaCorpus
from topologies.single import Single


@dataclass(frozen=True)
class Broken(Single):
    """Raises on one sample; on another it spends something first; the rest it solves."""

    family: ClassVar[str] = "single"
    at: str = ""
    after: str = ""

    async def __call__(self, sample, session):
        if sample.id == self.at:
            raise ZeroDivisionError("the topology gave out")
        answer = await super().__call__(sample, session)
        if sample.id == self.after:
            raise KeyError("too late")
        return answer


@dataclass
class BrokenGrader(QaCorpus):
    """Cannot grade one sample, and grades another above 1."""

    at: str = ""
    above: str = ""

    async def grade(self, sample, answer):
        if sample.id == self.at:
            raise RecursionError("the grader gave out")
        grade = await super().grade(sample, answer)
        return type(grade)(1.5) if sample.id == self.above else grade
'''
TOPOLOGY = "_target_: faulty.Broken\nat: ''\nafter: ''\n"
TASK = "_target_: faulty.BrokenGrader\ncorpus: generated\ndocs: 4\nsamples: 3\nat: ''\nabove: ''\n"
IDS = [f"generated-4-s0-{n:02d}" for n in range(3)]


def only_reasons(stderr: str) -> bool:
    """Whether a command said nothing but why runs did not end well."""
    return all(line.startswith("not ok: ") for line in stderr.splitlines())


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package outside of the harness, with options on Hydra's search path."""
    home = tmp_path / "package"
    for group, text in (("topology", TOPOLOGY), ("task", TASK)):
        (home / "options" / group).mkdir(parents=True)
        (home / "options" / group / "faulty.yaml").write_text(text)
    (home / "faulty.py").write_text(PARTS)
    return home


def with_package(folder: Path, package: Path, *words: str) -> results.Results:
    done = call(
        folder, *words, f"hydra.searchpath=[file://{package / 'options'}]", "progress=none",
        env={"PYTHONPATH": str(package)},
    )  # fmt: skip
    assert done.returncode == 0 and only_reasons(done.stderr), done.stderr
    assert "not ok" in done.stdout
    return sound(folder)


def sound(folder: Path) -> results.Results:
    done = validate(folder / "runs")
    assert done.returncode == 0, done.stdout + done.stderr
    return results.load(folder / "runs")


def test_a_topology_that_raises(tmp_path: Path, package: Path) -> None:
    words = ("topology=faulty", *GENERATED, "task.samples=3", f"topology.at={IDS[0]}", f"topology.after={IDS[1]}")
    runs = with_package(tmp_path, package, *words).runs.set_index("sample_id")
    assert dict(runs.status) == {IDS[0]: "error", IDS[1]: "error", IDS[2]: "ok"}
    assert (runs.error_type[IDS[0]], runs.error_type[IDS[1]]) == ("ZeroDivisionError", "KeyError")
    assert "the topology gave out" in runs.error[IDS[0]] and list(runs.score[IDS[:2]]) == [0.0, 0.0]
    assert runs.calls[IDS[0]] == 0 and runs.cost_pusd[IDS[1]] > 0, "what was spent before is counted"


def test_a_grader_that_raises(tmp_path: Path, package: Path) -> None:
    words = ("topology=single", "task=faulty", f"task.at={IDS[0]}", f"task.above={IDS[1]}")
    found = with_package(tmp_path, package, *words)
    runs = found.runs.set_index("sample_id")
    assert dict(runs.status) == {IDS[0]: "error", IDS[1]: "error", IDS[2]: "ok"}
    assert runs.error[IDS[0]] == "grader: the grader gave out" and "1.5" in runs.error[IDS[1]]
    assert list(runs.score[IDS[:2]]) == [0.0, 0.0] and (runs.cost_pusd > 0).all()
    traces = found.events[(found.events.type == "error") & (found.events.agent == "grader")]
    assert len(traces) == 2 and traces.data.str.contains("Traceback").all()


@pytest.mark.parametrize("topology", ["single", "bus"])
def test_a_sample_larger_than_the_window(tmp_path: Path, topology: str) -> None:
    words = (f"topology={topology}", "task=qa_corpus", "task.docs=8", "task.limit=3", "model.window_tokens=2000")
    done = inside(tmp_path, *words, "bus=memory", *QUIET)
    assert done.returncode == 0 and only_reasons(done.stderr), done.stderr
    runs = sound(tmp_path).runs
    assert set(runs.status) == {"limit"} and len(runs) == 3
    for run in each(runs):
        name, _, said = str(run.limit).partition(": ")
        value, _, rest = said.partition(" is ")
        over, _, bound = rest.partition(" over the bound of ")
        numbers = [int(n.replace(",", "")) for n in (value, over, bound)]
        assert name == "window_tokens" and numbers[2] == 2000 and numbers[0] == 2000 + numbers[1] > 2000
        assert run.peak_prompt_tokens <= 2000, "what does not fit was not sent"


def test_a_sample_larger_than_the_window_can_be_compacted(tmp_path: Path) -> None:
    words = ("topology=single", "topology.compact=true", *GENERATED, "task.samples=2", "model.window_tokens=2600")
    done = inside(tmp_path, *words, *QUIET)
    assert done.returncode == 0, done.stderr
    runs = sound(tmp_path).runs
    assert set(runs.status) == {"ok"} and runs.score.mean() > 0.5


@pytest.mark.skipif(not redis_binaries(), reason="there is no redis-server to start")
def test_a_bus_that_dies_in_the_middle(tmp_path: Path) -> None:
    server = PrivateServer.start(min(redis_binaries().values()))
    words = ("topology=bus", *GENERATED, "task.samples=12", "concurrency=4", "clock=real", "clock.scale=60")
    child = subprocess.Popen(
        command(*words, "bus=redis", f"bus.url='{server.url}'", *QUIET), cwd=tmp_path, env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        wait_for(lambda: stored(tmp_path) >= 2, child)
        server.stop()
        _, said = child.communicate(timeout=40)
    finally:
        child.kill()
        child.wait(20)
        server.stop()
    assert child.returncode == 0, said
    assert "Traceback" not in said
    runs = sound(tmp_path).runs
    assert len(runs) == 12 and set(runs.status) == {"ok", "error"}, "all planned rows are there"
    lost = runs[runs.status == "error"]
    assert set(lost.error_type) == {"BusError"} and lost.error.str.contains("edis").all()
    assert (lost.score == 0).all()


@pytest.mark.skipif(not redis_binaries(), reason="there is no redis-server to start")
def test_a_bus_that_dies_in_virtual_time(tmp_path: Path) -> None:
    """The clock must not stand still for an answer that never comes."""
    server = PrivateServer.start(min(redis_binaries().values()))
    words = ("topology=bus", *GENERATED, "task.samples=200", "concurrency=4")
    child = subprocess.Popen(
        command(*words, "bus=redis", f"bus.url='{server.url}'", *QUIET), cwd=tmp_path, env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        wait_for(lambda: stored(tmp_path) >= 2, child)
        server.stop()
        _, said = child.communicate(timeout=50)
    finally:
        child.kill()
        child.wait(20)
        server.stop()
    assert child.returncode == 0, said
    runs = sound(tmp_path).runs
    assert len(runs) == 200 and set(runs.status) == {"ok", "error"}


def test_requests_that_a_provider_refuses_are_no_drift_of_the_tokeniser(tmp_path: Path) -> None:
    """They were never read: no token was reported for them, and none is missing."""
    done = inside(
        tmp_path, "topology=bus", *GENERATED, "task.samples=2", "model.rate_limit.requests_per_minute=5", *QUIET
    )
    assert done.returncode == 0 and only_reasons(done.stderr), done.stderr
    found = sound(tmp_path)
    refused = found.calls[found.calls.status != "ok"]
    assert len(refused) >= found.runs.retries_transport.sum() > 0
    assert (refused.prompt_tokens == 0).all() and (refused.counted_prompt_tokens > 0).all()
    assert set(found.runs.warnings) == {"[]"}
    assert (found.runs.working_s < found.runs.wall_s).all(), "waiting is told apart"


FULL = """
import resource, sys
from harness.entry.command import run
resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes}, {bytes}))
sys.exit(run(["harness/__main__.py", *sys.argv[1:]]))
"""


def test_a_full_disk(tmp_path: Path) -> None:
    """No file of the command may grow beyond 200,000 bytes: the spool of a cell is full after some runs."""
    bound = 200_000
    words = ("topology=bus", *GENERATED, "task.samples=30", "bus=memory", "concurrency=1", *QUIET)
    done = subprocess.run(
        [sys.executable, "-c", FULL.format(bytes=bound), *words], cwd=tmp_path, env=environment(),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert len(errors) == 1 and "cannot write" in errors[0] and "Traceback" not in done.stderr, done.stderr
    assert "File too large" in errors[0] and str(Path("runs")) in errors[0]
    runs = sound(tmp_path).runs
    assert 1 <= len(runs) < 30 and set(runs.status) == {"ok"}, "what was written before is kept"
    manifest = json.loads(next((tmp_path / "runs" / "experiments").glob("*.json")).read_text())
    assert manifest["status"] != "complete"

    after = inside(tmp_path, "topology=bus", *GENERATED, "task.samples=2", "bus=memory", *QUIET)
    assert after.returncode == 0, after.stderr
    assert len(sound(tmp_path).runs) == len(runs) + 2
