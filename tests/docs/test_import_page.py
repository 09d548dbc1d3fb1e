"""docs/import.md: its commands print what it shows, and its tables name every field and key."""

from __future__ import annotations

import dataclasses
import re
import shlex
from pathlib import Path

import pytest

import results
from results.__main__ import main
from results.exchange.column_map import ColumnMap, parse
from results.exchange.fields import FIELDS

PAGE = (Path(__file__).parents[2] / "docs" / "import.md").read_text(encoding="utf-8")
_COMMAND = re.compile(r"^python -m results (.*)$", re.M)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (content,) = re.findall(r"^```csv\n(.*?)^```$", PAGE, re.M | re.S)
    (tmp_path / "runs.csv").write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_its_commands_print_what_it_shows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bring, check, compare, one, all_tables, merge = _COMMAND.findall(PAGE)
    assert main(shlex.split(bring)) == 0
    printed = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    (shown,) = re.findall(r"^```text\n(.*?)\n```$", PAGE, re.M | re.S)
    assert printed.strip() == shown
    assert [main(shlex.split(line)) for line in (check, compare, one, all_tables)] == [0] * 4
    assert main(shlex.split(bring.replace("--out theirs", "--out ours --experiment ours"))) == 0
    assert main(shlex.split(merge)) == 0
    assert len(results.load(folder / "all").runs) == 12


def test_every_field_is_explained() -> None:
    table = PAGE.split("| field | what it holds |")[1].split("\n\n")[0]
    assert dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.M)) == dict(FIELDS)


def test_every_key_is_explained() -> None:
    table = PAGE.split("| key | what it does |")[1].split("\n\n")[0]
    named = {name for line in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", line.split(" | ")[0])}
    assert named == {f.name for f in dataclasses.fields(ColumnMap)}


def test_the_map_that_it_shows_can_be_read(tmp_path: Path) -> None:
    (content,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
    (tmp_path / "map.yaml").write_text(content, encoding="utf-8")
    assert parse(str(tmp_path / "map.yaml")).single == "GPT-4"
