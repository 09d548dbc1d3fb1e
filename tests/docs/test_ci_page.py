"""The page about gates in CI: its workflow is YAML whose commands are understood, its rules are rules."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

import results
from results.__main__ import _parser
from results.gate.metrics import METRICS
from results.gate.rules import read

PAGE = Path(results.__file__).parents[1] / "docs" / "ci.md"
_BLOCK = re.compile(r"^```(?P<kind>\w*)\n(?P<code>.*?)\n```$", re.M | re.S)


@pytest.fixture(scope="module")
def blocks() -> list[tuple[str, str]]:
    return [(b["kind"], b["code"]) for b in _BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]


def test_every_gate_command_is_understood(blocks: list[tuple[str, str]]) -> None:
    lines = [line for _, code in blocks for line in re.findall(r"python -m results (gate .*)$", code, re.M)]
    assert len(lines) == 5
    for line in lines:
        assert _parser().parse_args(shlex.split(line)).baseline


def test_the_workflow_reads_the_baseline_of_the_base_commit_and_judges_on_both_occasions(
    blocks: list[tuple[str, str]],
) -> None:
    _, workflow = (yaml.safe_load(code) for kind, code in blocks if kind == "yaml")
    assert set(workflow[True]) == {"pull_request", "schedule"}, "YAML 1.1 reads `on` as true"
    jobs: dict[str, Any] = workflow["jobs"]
    text = {name: " ".join(str(step.get("run", "")) for step in job["steps"]) for name, job in jobs.items()}
    assert 'git show "$BASE:results/baselines/' in text["simulated"]
    assert all("results gate" in words and "$GITHUB_STEP_SUMMARY" in words for words in text.values())


def test_the_rules_of_the_page_are_rules_and_every_metric_is_named(
    blocks: list[tuple[str, str]], tmp_path: Path
) -> None:
    rules, _ = (code for kind, code in blocks if kind == "yaml")
    (tmp_path / "rules.yaml").write_text(rules, encoding="utf-8")
    (rule,) = read(tmp_path / "rules.yaml").rules
    assert rule.absolute == 0.02
    page = PAGE.read_text(encoding="utf-8")
    assert not [name for name in METRICS if "." not in name and f"`{name}`" not in page]
