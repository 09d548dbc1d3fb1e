"""What the page about reports says of options, banners and tests."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from results.report import facts
from results.verbs.report import VERB

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")


def test_options_are_those_of_the_verb() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    VERB.add_to(parser)
    taken = {option for action in parser._actions for option in action.option_strings}
    assert set(re.findall(r"`(--[a-z-]+)", PAGE.split("## What")[0])) == taken


def test_banners_are_those_there_are() -> None:
    source = Path(facts.__file__).read_text(encoding="utf-8")
    table = PAGE.split("| banner | when |")[1].split("\n\n")[0]
    told = {name.strip() for row in re.findall(r"^\| ([^|]+) \|", table, re.M) for name in row.split(",")} - {"---"}
    assert told == {*re.findall(r'Banner\(\s*"([^"]+)"', source), "SIMULATED"}


def test_the_tests_it_names_exist() -> None:
    sources = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "tests" / "results").glob("test_*.py"))
    named = re.findall(r"`(test_\w+)`", PAGE)
    assert named
    assert [name for name in named if f"def {name}(" not in sources] == []


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([\w.-]+\.md)\)", PAGE):
        assert (ROOT / "docs" / target).exists(), target
