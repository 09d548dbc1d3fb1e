"""The tables in README.md are what its command prints. Run this file as a script to print them anew into it."""

import platform
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from harness.entry.commandline import CommandLine
from harness.entry.composition import composition
from harness.entry.wiring import wire

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
_SHOWN = re.compile(r"(ends like this \(CPython )([\d.]+)(\):\n\n```\n)(.*?)(\n```)", re.S)


def printed() -> str:
    """What ``make run`` prints, with the experiment's id and the trailing blanks taken out."""
    command = re.search(r"^\t\$\(BIN\)/python (-m harness .*) \$\(BUS\)$", (ROOT / "Makefile").read_text(), re.M)
    assert command
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, *command[1].split(), f"store.dir={folder}/runs"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert done.returncode == 0, done.stderr
        text = re.sub(r"\d{8}T\d{9}-[0-9a-f]{6}", "ID", done.stdout).replace(f"{folder}/", "")
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def test_the_readme_shows_what_make_run_prints() -> None:
    shown = _SHOWN.search(README.read_text())
    assert shown
    if shown[2] != platform.python_version():
        pytest.skip(f"the reference topics differ by Python's version: the README shows {shown[2]}")
    assert printed() == shown[4]


def test_the_readme_names_the_two_commands_and_leads_to_every_page() -> None:
    text = README.read_text()
    assert "make run" in text and "make test" in text
    linked = set(re.findall(r"\]\(([^)#]+)\)", text))
    assert all((ROOT / path).exists() for path in linked)
    assert {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")} <= linked


@pytest.mark.parametrize("page", ["README.md", "docs/claims.md", "docs/delegation.md", "docs/judge.md"])
def test_every_command_can_be_run(page: str) -> None:
    """Composed, checked and wired, short of what needs a folder of one's own; the claims are run in their own test."""
    lines = re.findall(r"^python (-m harness .*)$", (ROOT / page).read_text(), re.M)
    assert lines
    for line in lines:
        if not any(word in line for word in ("FOLDER", "--help", "--cfg")) and not line.endswith("=claims"):
            command = CommandLine.parse(["harness/__main__.py", *shlex.split(line)[2:]])
            assert wire(composition(command, "test"), command, "test").cells, line


if __name__ == "__main__":
    README.write_text(
        _SHOWN.sub(
            lambda m: f"{m[1]}{platform.python_version()}{m[3]}{printed()}{m[5]}",
            README.read_text(),
        )
    )
