"""The YAML list of tool steps: in order, without an agent, with each step's status and time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.models import ActingModel
from support.runs import DeskSuite, check_invariants, run_once

from harness.agents.tools import Arguments, Tool
from harness.errors import ConfigError
from harness.records import RunRecord
from topologies.workflow import Workflow

from .stage import told

READ_A = "{name: first, tool: read_document, args: {name: a.txt}}"


def listed(folder: Path, *steps: str, head: str = "name: scan\n") -> str:
    path = folder / "scan.yaml"
    path.write_text(head + "steps:\n" + "".join(f"  - {s}\n" for s in steps))
    return str(path)


def ran(script: str) -> RunRecord:
    model = ActingModel(lambda _: pytest.fail("a model was called"))
    record = run_once(Workflow(script=script), model, suite=DeskSuite(right="beta"))
    check_invariants(record)
    assert not record.calls and record.run.cost_pusd == 0
    return record


def steps(record: RunRecord) -> list[tuple[Any, ...]]:
    return [(s["name"], s["status"], s["output"]) for s in told(record, "workflow_step")]


def test_tools_are_called_in_order_and_the_last_output_is_the_answer(tmp_path: Path) -> None:
    record = ran(listed(tmp_path, READ_A, "{name: second, tool: read_document, args: {name: b.txt}}"))
    assert (record.run.status, record.run.answer, record.run.score) == ("ok", "beta", 1.0)
    assert steps(record) == [("first", "ok", "alpha"), ("second", "ok", "beta")]


def test_a_failing_step_ends_the_run_unless_it_may_fail(tmp_path: Path) -> None:
    bad = "name: second, tool: read_document, args: {name: c.txt}"
    last = "{name: third, tool: read_document, args: {name: b.txt}}"
    record = ran(listed(tmp_path, READ_A, f"{{{bad}}}", last))
    assert record.run.status == "failed" and (record.run.error or "").startswith("scan.yaml: step 'second' failed: no")
    assert [s[1] for s in steps(record)] == ["ok", "failed"]
    record = ran(listed(tmp_path, READ_A, f"{{{bad}, continue_on_error: true}}", last))
    assert (record.run.status, record.run.answer) == ("ok", "beta")
    assert [s[1] for s in steps(record)] == ["ok", "failed", "ok"]


def test_each_step_s_time_is_told(tmp_path: Path) -> None:
    async def wait(arguments: Arguments) -> str:
        raise AssertionError

    tool = Tool("wait", "Wait.", {"type": "object", "properties": {}}, frozenset(), wait)
    record = run_once(
        Workflow(script=listed(tmp_path, "{name: w, tool: wait}")), ActingModel({}), suite=DeskSuite(more_tools=[tool])
    )
    assert record.run.status == "error", "a defect of a tool is no failure of the step"
    assert [s["seconds"] for s in told(ran(listed(tmp_path, READ_A)), "workflow_step")] == [0.0]


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ("{name: x, tool: read_documnt, args: {name: a.txt}}", "Did you mean 'read_document'?"),
        ("{name: x, tool: read_document}", "'name' is a required property"),
        ("{name: x, tool: read_document, args: {name: a.txt, page: 1}}", "page"),
    ],
)
def test_a_step_that_cannot_run_is_found_before_any_has_run(tmp_path: Path, step: str, what: str) -> None:
    record = ran(listed(tmp_path, READ_A, step))
    assert record.run.status == "failed" and what in (record.run.error or "") and "step 'x'" in (record.run.error or "")
    assert not steps(record)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("name: [\n", "scan.yaml:2: does not parse"),
        ("- a\n", "a workflow is a mapping"),
        ("steps: [{name: a, tool: b}]\n", "has no name"),
        ("name: x\n", "has no steps"),
        ("name: x\nsteps: []\n", "has no steps"),
        ("name: x\nstep: []\n", "Did you mean 'steps'?"),
        ("name: x\nsteps: [read]\n", "step 1: a step is a mapping"),
        ("name: x\nsteps: [{name: a}]\n", "step 1 has no tool"),
        ("name: x\nsteps: [{tool: a}]\n", "step 1 has no name"),
        ("name: x\nsteps: [{name: a, tool: b, retry: 2}]\n", "unknown key 'retry'"),
        ("name: x\nsteps: [{name: a, tool: b, args: [1]}]\n", "must be the tool's arguments by name"),
        ("name: x\nsteps: [{name: a, tool: b, continue_on_error: maybe}]\n", "must be true or false"),
        ("name: x\nsteps: [{name: a, tool: b}, {name: a, tool: c}]\n", "two steps are called 'a'"),
    ],
)
def test_a_list_that_is_none_is_refused_before_anything_runs(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "scan.yaml").write_text(text)
    with pytest.raises(ConfigError) as fault:
        Workflow(script=str(tmp_path / "scan.yaml"))
    assert what in str(fault.value) and "\n" not in str(fault.value)


@pytest.mark.parametrize("setting", [{"journal": "j.jsonl"}, {"args": {"n": 1}}, {"ablate": "coder"}])
def test_settings_of_agents_have_no_meaning_there(tmp_path: Path, setting: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=rf"topology\.{next(iter(setting))} is set"):
        Workflow(script=listed(tmp_path, READ_A), **setting)
