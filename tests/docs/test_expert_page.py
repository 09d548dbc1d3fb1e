"""docs/expert.md says what the code does, and shows what its command prints."""

from __future__ import annotations

import re
from pathlib import Path

from support.within import within

from harness.entry.command import run
from harness.expert.happened import Happened
from harness.expert.state import NEXT
from harness.expert.verdict import Ruling, Verdict
from harness.models.simulated.behaviour import Behaviour
from topologies.expert import ExpertTeam

PAGE = (Path(__file__).parents[2] / "docs" / "expert.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """The cells of the rows of the table that begins with this line."""
    rows = PAGE[PAGE.index(heading) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


def test_the_transitions_are_those_of_the_machine() -> None:
    told = [(start, end) for starts, end, _ in table("| from | to | when |") for start in starts.split(", ")]
    assert len(told) == len(set(told))
    assert set(told) == {(str(start), str(end)) for start, ends in NEXT.items() for end in ends}


def test_every_verdict_ruling_and_event_is_explained() -> None:
    assert [verdict for verdict, _ in table("| verdict | what follows |")] == list(map(str, Verdict))
    assert all(re.search(rf"\b{name}\b", PAGE) for name in (*Ruling, *Happened))


def test_every_setting_that_is_named_exists() -> None:
    names = re.findall(r"`(?:topology\.)?([a-z]+(?:_[a-z]+)*)(?:: on)?`", PAGE)
    rows = {"validated", "revisions", "retries_validation", "status", "submit_plan", "limit", "strong", "simple"}
    told = set(names) - rows - {"chain", "misassign", "catch", "false_alarm"}
    assert "explorer_timeout_s" in told and told <= set(ExpertTeam.__dataclass_fields__)
    for path in re.findall(r"`model\.behaviour\.([\w.]+)`", PAGE):
        found: object = Behaviour()
        for part in path.split("."):
            found = getattr(found, part)


def test_its_command_prints_what_it_shows(tmp_path: Path) -> None:
    """After a change of the estimate or the plan, copy it."""
    line = re.findall(r"^python -m harness (.*plan_only.*)$", PAGE, re.M)[0]
    done = within(tmp_path, run, ["harness/__main__.py", *line.split(), "progress=none", "summary=false"])
    (shown,) = re.findall(r"^```text\n(.*?)\n```$", PAGE, re.M | re.S)
    assert done.returncode == 0 and done.stdout.split("\n\n")[0].strip("\n") == shown
