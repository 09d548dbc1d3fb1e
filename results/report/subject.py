"""All that is known of one group of runs (one experiment and task, all simulated or all real), for its sections."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from results.bridge import Bridge
from results.columns import Columns
from results.crossover.tables import Crossover
from results.frames import Results
from results.report.facts import Row
from results.summary import Group
from results.verdict.roi import Worth

MOST = 8
"""Pictures of one kind in one section; what is left out is named, and stands in the tables."""


@dataclass(frozen=True, eq=False)
class Subject:
    """``worths``: a verdict a scenario of the group; ``unjudged``: why there is none. ``crossovers``: its size sweeps.
    ``runs``: the group's, as
    ``results.tally`` keeps them; ``rows``: as ``facts.rows``. ``agents``: run → agents that made a call. ``stem``: how
    the names of its pictures begin."""

    results: Results
    group: Group
    worths: tuple[Worth, ...]
    unjudged: str
    crossovers: tuple[Crossover, ...]
    runs: Columns
    rows: tuple[Row, ...]
    agents: Mapping[str, int]
    stem: str
    _used: set[str] = field(default_factory=set)

    @property
    def title(self) -> str:
        return self.group.task

    @property
    def bridges(self) -> tuple[Bridge, ...]:
        return self.group.bridges

    def label(self, cell_id: str) -> str:
        return self.group.row(cell_id).label

    def name(self, kind: str, of: str = "") -> str:
        """A file name, without a suffix, that no other picture of this report has."""
        wished = "-".join(filter(None, (self.stem, kind, plain(of))))
        name, number = wished, 2
        while name in self._used:
            name, number = f"{wished}-{number}", number + 1
        self._used.add(name)
        return name


def settings(chosen: str) -> str:
    """The setting of a scenario (JSON) in words, without the task, which its section is about."""
    values = json.loads(chosen)
    words = {k: v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for k, v in values.items()}
    return ", ".join(f"{k}={v}" for k, v in words.items() if k != "task")


def plain(text: str) -> str:
    """A text as part of a file name or an anchor: small letters, digits and dashes, at most 40."""
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in text.lower())
    return "-".join(filter(None, kept.split("-")))[:40].strip("-")


def left_out(kind: str, labels: list[str]) -> tuple[str, ...]:
    """A sentence about pictures that would have been too many."""
    if not labels:
        return ()
    return (f"Shown are the first {MOST}; {kind} without a picture here: {', '.join(labels)}.",)
