"""A user's own folder with one of our names, in the folder the command is started from."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from acme.commands import ACME, call, command, environment

BOOM = "raise SystemExit('imported')\n"


@pytest.mark.parametrize("name", ["tasks", "results", "topologies", "conf"])
def test_a_package_in_the_way_is_named_and_not_imported(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text(BOOM)
    done = call(tmp_path, *ACME)
    assert done.returncode == 2
    assert done.stderr == (
        f"error: {tmp_path / name} is in the way of the harness's own package '{name}'. Run `python -P -m harness …` "
        "or `topology-harness …`, which leave the current folder off the import path, or start from another folder.\n"
    )


def test_a_module_in_the_way_is_named_too(tmp_path: Path) -> None:
    (tmp_path / "results.py").write_text(BOOM)
    done = call(tmp_path, *ACME)
    assert done.returncode == 2 and f"error: {tmp_path / 'results.py'} is in the way" in done.stderr


def test_the_advice_works(tmp_path: Path) -> None:
    (tmp_path / "tasks.py").write_text(BOOM)
    run = command(*ACME, "summary=false", python=("-P",))
    done = subprocess.run(run, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_plain_folder_is_in_nobodys_way(tmp_path: Path) -> None:
    # Without an __init__.py it gives way to an installed package.
    (tmp_path / "results").mkdir()
    done = call(tmp_path, *ACME, "summary=false", "store.dir=results")
    assert (done.returncode, done.stderr) == (0, "")
