"""What to run where rows are missing. Topologies that the rows do not name stand as words to be replaced."""

from __future__ import annotations

from results.bridge import BASELINE
from results.comparison.cells import Scenario

OTHER, TEAM, ROLE = "OTHER", "TEAM", "ROLE"
BRIEFS, TALK = "ablate", "messages"
ABLATE, SILENCE = f"topology.{BRIEFS}=null,ROLE", f"topology.{TALK}=true,false"
_MEANT = {
    OTHER: "one more topology of the family `single`",
    TEAM: "one of several agents",
    ROLE: "whose brief, several with commas",
}
_HAS = {
    ABLATE: f"that gives them briefs: `python -m harness topology=NAME --cfg job` shows `{BRIEFS}`",
    SILENCE: f"that may write to each other: `python -m harness topology=NAME --cfg job` shows `{TALK}`",
}
IMPORT = "import rows of more agents on the same samples, single ones and teams (docs/import.md)"
"""Of rows from elsewhere: their task cannot be run here."""


def sweep(scenario: Scenario, teams: tuple[str, ...] = ()) -> str:
    """``single``, another of its family and teams in one sweep on the same task. ``teams``: those that the rows know;
    none: a word in their place."""
    return IMPORT if scenario.imported else suite(scenario.task, teams=teams)


def suite(task: str, *more: str, teams: tuple[str, ...] = ()) -> str:
    """The same on a suite of ours. ``more``: overrides."""
    topologies = ",".join([BASELINE, OTHER, *(teams or (TEAM,))])
    return _run(" ".join([f"-m topology={topologies} task={task}", *more]), "")


def ablation(scenario: Scenario, setting: str) -> str:
    """As ``sweep``, with a setting of the team alone swept (``ABLATE`` or ``SILENCE``)."""
    return IMPORT if scenario.imported else ablated(scenario.task, setting)


def ablated(task: str, setting: str) -> str:
    """The same on a suite of ours."""
    cells = f'["topology={BASELINE},{OTHER}","topology={TEAM} {setting}"]'
    return _run(f"task={task} 'cells={cells}'", f" {_HAS[setting]}")


def _run(arguments: str, which: str) -> str:
    meant = {**_MEANT, TEAM: f"{_MEANT[TEAM]}{which}"}
    told = ", ".join(f"{word}: {what}" for word, what in meant.items() if word in arguments)
    return f"run `python -m harness {arguments}` ({told})"
