"""docs/workflow.md says what the code does, and what it shows runs."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

import results
from harness.entry.command import run
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.workflow import script
from harness.workflow.allowed import MODULES
from topologies.workflow import Workflow

PAGE = (Path(__file__).parents[2] / "docs" / "workflow.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^`([\w.]+)`\n```\w+\n(.*?)\n```$", PAGE, re.M | re.S))


def column(first: str) -> list[str]:
    """The words in quotes in the first column of the table whose first heading is ``first``."""
    rows = PAGE[PAGE.index(f"| {first} |") :].split("\n\n")[0].splitlines()[2:]
    return [word for row in rows for word in re.findall(r"`(\w+)", row.strip("|").split(" | ")[0])]


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    for name, text in SHOWN.items():
        (tmp_path / name).write_text(text + "\n", "utf-8")
    return tmp_path


def test_the_script_of_the_page_solves_a_task(shown: Path) -> None:
    found = records(cell(Workflow(script=str(shown / "second_look.py"), args={"answers": 3}), faultless()))
    assert [(r.run.status, r.run.score, len({c.agent for c in r.calls})) for r in found] == [("ok", 1.0, 3)] * 2
    assert faults(found, shown / "store") == []


def test_the_commands_of_the_page_run(shown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shown)
    for number, line in enumerate(re.findall(r"^    python -m harness (.*)$", PAGE, re.M)):
        words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", line)]
        store = shown / f"{number}"
        words += ["task.corpus=generated", "task.limit=1", f"store.dir={store}", "progress=none", "summary=false"]
        assert run(["harness/__main__.py", *words]) == 0
        found = results.load(store)
        assert set(found.runs["status"]) == {"ok"}
        events = found.events
        if "scan.yaml" in line:
            steps = [json.loads(data) for data in events.loc[events["type"] == "workflow_step", "data"]]
            assert [step["status"] for step in steps] == ["ok", "ok"] and found.runs["calls"].sum() == 0


def test_every_name_and_module_stands_there() -> None:
    assert set(column("name")) - {"name", "text"} >= {"agent", "parallel", "pipeline", "phase", "log", "now", "random"}
    assert all(hasattr(script, name) for name in column("name"))
    assert all(f"`{module}`" in PAGE for module in MODULES)


def test_every_bound_is_a_setting_with_its_default() -> None:
    defaults = {f.name: f.default for f in fields(Workflow)}
    assert set(column("setting")) <= set(defaults)
    assert (defaults["max_agents"], defaults["script_steps"], defaults["max_retries"]) == (1000, 1_000_000, 2)
    assert defaults["parallel_timeout_s"] == 4 * 3600


def test_every_event_is_told() -> None:
    source = "".join(p.read_text() for p in (Path(__file__).parents[2] / "harness" / "workflow").glob("*.py"))
    assert set(column("type")) == set(re.findall(r'emit\(\s*"(\w+)"', source))
