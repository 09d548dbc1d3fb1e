"""What to run where rows are missing. Topologies that the rows do not name stand as words to be replaced."""

from __future__ import annotations

from results.bridge import BASELINE

OTHER, TEAM, ROLE = "OTHER", "TEAM", "ROLE"
ABLATE, SILENCE = "topology.ablate=null,ROLE", "topology.messages=true,false"
_MEANT = {
    OTHER: "one more topology of the family `single`",
    TEAM: "one of several agents",
    ROLE: "whose brief, several with commas",
}


def sweep(task: str, *more: str, teams: tuple[str, ...] = ()) -> str:
    """``single``, another of its family and teams in one sweep. ``teams``: those that the rows know; none: a word in
    their place. ``more``: overrides."""
    topologies = ",".join([BASELINE, OTHER, *(teams or (TEAM,))])
    return _run(" ".join([f"-m topology={topologies} task={task}", *more]), "")


def ablation(task: str, setting: str) -> str:
    """The same, with a setting of the team alone swept."""
    return _run(
        f'task={task} \'cells=["topology={BASELINE},{OTHER}","topology={TEAM} {setting}"]\'', " with this setting"
    )


def _run(arguments: str, which: str) -> str:
    meant = {**_MEANT, TEAM: f"{_MEANT[TEAM]}{which}"}
    told = ", ".join(f"{word}: {what}" for word, what in meant.items() if word in arguments)
    return f"run `python -m harness {arguments}` ({told})"
