"""The table in docs/claims.md is what its command prints. Run this file as a script to print it anew into the page."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "claims.md"
_COMMAND = re.compile(r"^python (-m harness \+experiment=claims)$", re.M)
_SHOWN = re.compile(r"(which ends like this:\n\n```\n)(.*?)(```)", re.S)


def printed() -> str:
    """What the command on the page prints, with the experiment's id and the trailing blanks taken out."""
    command = _COMMAND.search(PAGE.read_text())
    assert command
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, *command[1].split(), f"store.dir={folder}/runs", "progress=none"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
    table, _, _ = done.stdout.partition("\nRows: ")
    text = re.sub(r"\d{8}T\d{9}-[0-9a-f]{6}", "ID", table)
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


def test_the_page_shows_what_its_command_prints() -> None:
    """After a change of what it measures: python tests/docs/test_claims_page.py"""
    shown = _SHOWN.search(PAGE.read_text())
    assert shown
    assert printed() == shown[2]


if __name__ == "__main__":
    PAGE.write_text(_SHOWN.sub(lambda m: f"{m[1]}{printed()}{m[3]}", PAGE.read_text()))
