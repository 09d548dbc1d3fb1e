"""The project's own gate: its sweep is as its baseline says, and a prompt that costs more coordination is not."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import results
import topologies.bus
from results.columns import Columns
from results.gate.baseline import read
from results.gate.report import Verdict
from results.gate.rows import cells, gathered

ROOT = Path(results.__file__).parents[1]
SCRIPT = ROOT / ".ci" / "gate.py"
pytestmark = pytest.mark.skipif(
    not SCRIPT.is_file(), reason="the project's own gate is no part of an installed package"
)
MORE = 5 * " Remember that all of you work on one task together, so write to each other whenever it may help somebody."


@pytest.fixture(scope="module")
def gate() -> ModuleType:
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("own_gate", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def coordination(rows: Columns) -> int:
    """Tokens of the bus."""
    return sum(c.rows.total("coordination_tokens") for c in cells(rows) if c.key.topology == "bus")


def test_its_baseline_is_small_and_holds_every_cell(gate: ModuleType) -> None:
    file = ROOT / gate.BASELINE
    assert file.stat().st_size < 300_000
    found = list(cells(read(file).rows))
    assert {(c.key.topology, c.key.task) for c in found} == {(t, k) for t in gate.TOPOLOGIES for k in gate.TASKS}
    assert all(c.simulated and len(c.at) == 2 for c in found)


def test_a_prompt_that_adds_a_twentieth_of_coordination_fails_it(
    gate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the bus is touched, so every other cell of the same sweep must be as the baseline says."""
    monkeypatch.setattr(topologies.bus, "MEMBER_PROMPT", topologies.bus.MEMBER_PROMPT + MORE)
    assert gate.sweep(str(tmp_path)) == 0
    before = coordination(read(ROOT / gate.BASELINE).rows)
    assert 0.045 < coordination(gathered(results.load(tmp_path))) / before - 1 < 0.06
    report = results.gated(ROOT / gate.BASELINE, tmp_path)
    assert report.exit_code == 1 and not report.count(Verdict.UNKNOWN, Verdict.OPEN)
    failed = {j.cell.topology for j in report.judgements if j.verdict is Verdict.FAIL and j.cell is not None}
    assert failed == {"bus"}
    scaffold = [d for d in report.differences if d.column == "tokens.scaffold"]
    assert scaffold and "coordination_tokens" in {d.column for d in report.differences}
    assert any("coordination against single" in d.rules for d in report.differences)
