"""The example of docs/your-own-data.md runs as it stands there, and its tables name what there is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import results
from harness.entry.command import run
from tasks.jsonl.fields import FIELDS
from tasks.jsonl.graders import GRADERS

PAGE = (Path(__file__).parents[2] / "docs" / "your-own-data.md").read_text(encoding="utf-8")
_FILE = re.compile(r"^`(?P<name>[\w.]+)`\n```\w*\n(?P<text>.*?)\n```$", re.M | re.S)
_COMMAND = re.compile(r"^python -m harness (.+)$", re.M)
_ROW = re.compile(r"^\| `(\w+)` \|", re.M)


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for found in _FILE.finditer(PAGE):
        (tmp_path / found["name"]).write_text(found["text"] + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(line: str, folder: Path) -> int:
    return run(["harness/__main__.py", *shlex.split(line), f"store.dir={folder / 'rows'}", "progress=none"])


def test_the_example_runs(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan, sweep = _COMMAND.findall(PAGE)
    assert command(plan, example) == 0
    assert "topology=single task=jsonl" in " ".join(capsys.readouterr().out.split())
    assert not (example / "rows").exists(), "an estimate stores nothing"
    assert command(sweep, example) == 0
    rows = results.load(example / "rows").runs
    assert sorted(set(rows["sample_id"])) == ["1", "due", "hours", "median", "terms"]
    assert set(rows["status"]) == {"ok"} and len(rows) == 10
    assert rows["score"].mean() >= 0.7, "the simulated model errs now and then"


def test_the_tables_name_every_field_and_grader() -> None:
    fields, graders = PAGE.split("## The graders")
    assert set(_ROW.findall(fields)) == set(FIELDS)
    assert _ROW.findall(graders) == ["grader", *GRADERS]
