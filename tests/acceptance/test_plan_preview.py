"""A plan is looked at before it is paid for: ``topology.plan_only``, then ``topology.confirm``, as commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import results

from .commands import QUIET, each, inside, one_error, validate

MATERIAL = ("task=qa_corpus", "task.corpus=generated", "task.docs=3", "task.samples=1", "task.questions=1")
ORDER = {
    "objective": "Answer the question.",
    "input_ref": [],
    "context_card": {"background": "The only part."},
    "acceptance_criteria": [],
}
STEP = {"id": "look", "expert": "alice", "depends_on": [], "risk": "LOW", "order": ORDER}
PLANS = {"when": {"system_contains": "You plan the work"}, "steps": [
    {"tool_calls": [{"name": "submit_plan", "arguments": {"steps": [STEP]}}]},
]}  # fmt: skip
ANSWERS = {"when": {"system_contains": "You are alice, an expert"}, "steps": [{"text": "[]"}]}


def played(folder: Path, conversations: list[Any], *words: str) -> Any:
    (folder / "script.json").write_text(json.dumps({"conversations": conversations}))
    script = ("model=scripted", f"model.path={folder / 'script.json'}")
    return inside(folder, *MATERIAL, *script, "topology=expert", "topology.plans=plans", *words, "progress=none")


def test_a_plan_is_printed_stored_confirmed_and_executed(tmp_path: Path) -> None:
    done = played(tmp_path, [PLANS], "topology.plan_only=true", "summary=false")
    assert done.returncode == 0, done.stderr
    assert "look: alice, LOW risk\n    Answer the question." in done.stdout
    assert "Estimate, from no revision to all revisions" in done.stdout and "USD: unknown price" in done.stdout
    assert "limit: plan_only" in done.stderr
    (stored,) = (tmp_path / "plans").iterdir()
    assert json.loads(stored.read_text())["steps"] == [STEP]
    assert list(results.load(tmp_path / "runs").runs.status) == ["limit"]

    done = played(tmp_path, [ANSWERS], "topology.confirm=true", "store.dir=confirmed", *QUIET)
    assert done.returncode == 0, done.stderr
    assert validate(tmp_path / "confirmed").returncode == 0
    found = results.load(tmp_path / "confirmed")
    assert [(c.agent, c.role) for c in each(found.calls)] == [("alice", "alice")], "no call to plan, none to review"
    assert list(found.runs.status) == ["ok"]


def test_a_plan_that_is_not_there_or_is_broken_ends_the_command(tmp_path: Path) -> None:
    assert "there is no plan" in one_error(played(tmp_path, [ANSWERS], "topology.confirm=true"))
    played(tmp_path, [PLANS], "topology.plan_only=true", *QUIET)
    (stored,) = (tmp_path / "plans").iterdir()
    whole = stored.read_text()
    for text, told in (
        (whole[:50], "cannot be read as JSON"),
        (whole.replace('"material_hash": "', '"material_hash": "0'), "is a plan for another sample"),
        (whole.replace('"alice"', '"zed"'), "zed, who is not in this team"),
    ):
        stored.write_text(text)
        assert told in one_error(played(tmp_path, [ANSWERS], "topology.confirm=true"))
