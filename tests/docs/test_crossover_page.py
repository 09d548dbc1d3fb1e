"""docs/crossover.md shows what its commands print, and explains every form and term that there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.within import within

from harness.entry.command import run
from results.__main__ import main
from results.crossover.equation import TERM_OF
from results.crossover.fits import FORMS

PAGE = (Path(__file__).parents[2] / "docs" / "crossover.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    line = re.findall(r"^python -m harness (-m .*)$", PAGE, re.M)[0]
    done = within(folder, run, ["harness/__main__.py", *line.split(), "progress=none", "summary=false"])
    assert done.returncode == 0, done.stderr
    (words,) = re.findall(r"^python -m results (crossover .*)$", PAGE, re.M)
    told = within(folder, main, words.split())
    assert told.returncode == 0, told.stderr
    return "\n".join(text.rstrip() for text in told.stdout.splitlines())


def test_its_command_prints_what_it_shows(printed: str) -> None:
    """After a change of the simulated model or of the suite, copy the tables."""
    tables = re.findall(r"^```text\n(.*?)\n```$", PAGE, re.M | re.S)
    assert len(tables) == 2 and all(table in printed for table in tables)


def test_what_is_simulated_says_so_everywhere(printed: str) -> None:
    """Banner and tables; no interval, and nothing that is evidence."""
    assert printed.count("SIMULATED · ") == 7
    assert "No model was asked" in printed and "interval" not in printed


def rows(heading: str) -> list[list[str]]:
    """The cells of the rows of the table that begins with this line."""
    lines = PAGE[PAGE.index(heading) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_every_form_is_explained() -> None:
    told = {name: carried for name, _, carried in rows("| form |")}
    assert set(told) | {"channels"} == set(FORMS) and "channels" in PAGE
    assert {name: carried == "yes" for name, carried in told.items()} == {name: name != "joined" for name in told}


def test_every_activity_has_its_place() -> None:
    told = {name: term for term, names in rows("| term |") for name in re.findall(r"`(\w+)`", names)}
    assert set(told) == set(TERM_OF)
    terms = {"step": "c", "plan": "C_plan", "talk": "C_sync", "merge": "C_merge", "verification": "verification"}
    assert {name: term.split(",")[0] for name, term in told.items()} == {n: terms[t] for n, t in TERM_OF.items()}


def test_every_test_that_is_named_exists() -> None:
    there = "".join(p.read_text() for p in (Path(__file__).parents[1] / "results").glob("test_*.py"))
    named = re.findall(r"`(test_\w+)`", PAGE)
    assert named and all(f"def {name}(" in there for name in named)
