"""The tables in README.md are what its command prints. Run this file as a script to print them anew into it."""

import platform
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

import results
from harness.entry.commandline import CommandLine
from harness.entry.composition import composition
from harness.entry.wiring import wire

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
_SHOWN = re.compile(r"(ends like this \(CPython )([\d.]+)(\):\n\n```\n)(.*?)(\n```)", re.S)
_GALLERY = re.compile(
    r"(at\na glance \(CPython )([\w.]+)(\):\n\n```\npython )(-m harness [^\n]*)(\n```\n\n```\n)(.*?)(\n```)", re.S
)


def printed(command: Sequence[str], folder: str) -> str:
    """What a command prints, with the experiment's id and the trailing blanks taken out."""
    done = subprocess.run(
        [sys.executable, *command, f"store.dir={folder}/runs"], cwd=ROOT, capture_output=True, text=True, timeout=170
    )
    assert done.returncode == 0, done.stderr
    text = re.sub(r"\d{8}T\d{9}-[0-9a-f]{6}", "ID", done.stdout).replace(f"{folder}/", "")
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def make_run() -> list[str]:
    """The command that ``make run`` ends with."""
    command = re.search(r"^\t\$\(BIN\)/python (-m harness .*) \$\(BUS\)$", (ROOT / "Makefile").read_text(), re.M)
    assert command
    return command[1].split()


def gallery() -> re.Match[str]:
    """The README's table of suites by topologies, and the command above it."""
    found = _GALLERY.search(README.read_text())
    assert found
    return found


def test_the_readme_shows_what_make_run_prints() -> None:
    shown = _SHOWN.search(README.read_text())
    assert shown
    if shown[2] != platform.python_version():
        pytest.skip(f"the reference topics differ by Python's version: the README shows {shown[2]}")
    with tempfile.TemporaryDirectory() as folder:
        assert printed(make_run(), folder) == shown[4]


def test_every_suite_runs_on_four_topologies_and_the_readme_shows_the_table(tmp_path: Path) -> None:
    """Issue of the suites: all of them, four samples each, every row graded; the rows hold what must hold."""
    shown = gallery()
    text = printed(shlex.split(shown[4]), str(tmp_path))
    runs = results.load(tmp_path / "runs").runs
    suites = {path.name for path in (ROOT / "tasks").iterdir() if (path / "suite.py").exists()} - {"jsonl"}
    assert set(runs["task"]) == suites and set(runs["topology"]) == {"single", "sync", "bus", "moa"}
    assert len(runs) == len(suites) * 4 * 4
    assert set(runs["status"]) <= {"ok", "limit", "timeout"}, "graded on what there is"
    assert results.check(tmp_path / "runs").clean
    if shown[2] != platform.python_version():
        pytest.skip(f"the standard library differs by Python's version: the README shows {shown[2]}")
    assert text == shown[6]


def test_the_readme_names_the_two_commands_and_leads_to_every_page() -> None:
    text = README.read_text()
    assert "make run" in text and "make test" in text
    linked = set(re.findall(r"\]\(([^)#]+)\)", text))
    assert all((ROOT / path).exists() for path in linked)
    assert {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")} <= linked


@pytest.mark.parametrize("page", ["README.md", "docs/claims.md", "docs/delegation.md", "docs/judge.md"])
def test_every_command_can_be_run(page: str) -> None:
    """Composed, checked and wired, short of what needs a folder of one's own; the claims and the table of all suites
    are run in their own tests."""
    lines = re.findall(r"^python (-m harness .*)$", (ROOT / page).read_text(), re.M)
    assert lines
    run = ("-m harness +experiment=claims", gallery()[4])
    for line in lines:
        if not any(word in line for word in ("FOLDER", "--help", "--cfg")) and line not in run:
            command = CommandLine.parse(["harness/__main__.py", *shlex.split(line)[2:]])
            assert wire(composition(command, "test"), command, "test").cells, line


if __name__ == "__main__":
    version = platform.python_version()
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        run, table = printed(make_run(), one), printed(shlex.split(gallery()[4]), two)
    text = _SHOWN.sub(lambda m: f"{m[1]}{version}{m[3]}{run}{m[5]}", README.read_text())
    README.write_text(_GALLERY.sub(lambda m: f"{m[1]}{version}{m[3]}{m[4]}{m[5]}{table}{m[7]}", text))
