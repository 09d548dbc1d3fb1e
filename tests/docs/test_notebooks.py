"""The notebooks run from top to bottom on a store, and stand in the repository without outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from harness.entry.command import run

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NAMES = ["cost_report", "roi"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("notebooks") / "runs"
    line = ["-m", "topology=single,resample,sync", "task=briefing", "task.limit=3", f"store.dir={root}"]
    assert run(["harness", *line, "summary=false", "progress=none"]) == 0
    return root


def test_these_are_all() -> None:
    assert sorted(p.stem for p in NOTEBOOKS.glob("*.ipynb")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_it_is_stored_without_outputs(name: str) -> None:
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    code = [c for c in cells if c["cell_type"] == "code"]
    assert code
    assert not any(c["outputs"] or c["execution_count"] for c in code)


@pytest.mark.parametrize("name", NAMES)
def test_it_runs(name: str, store: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HARNESS_STORE", str(store))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook: Any = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    NotebookClient(
        notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    code = [c for c in notebook.cells if c.cell_type == "code"]
    assert all(c.outputs for c in code), "every cell shows something"
    text = json.dumps([c.outputs for c in code], ensure_ascii=False)
    assert "SIMULATED" in text or "sim:" in text
    assert "Traceback" not in text
