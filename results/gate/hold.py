"""The verb as a function: files in, a report out."""

from __future__ import annotations

import shlex
from pathlib import Path

from results.columns import Columns
from results.frames import Results, load
from results.gate import baseline as files
from results.gate.baseline import Provenance
from results.gate.gate import evaluate
from results.gate.report import Report
from results.gate.rows import gathered
from results.gate.rules import DEFAULT, Rules
from results.gate.rules import read as read_rules
from results.gate.update import update

LAST = "last"
EVERY = "all"


def gated(
    baseline: str | Path, candidate: str | Path, *, rules: str | Path | None = None, experiment: str = LAST
) -> Report:
    """Hold an experiment of a store (``last``, ``all`` or an id) against a baseline file by rules, those of
    ``conf/gate/default.yaml`` unless a file is named.

    Raises HarnessError for what cannot be read: rules, baseline or store. What can be read and not be compared is in
    the report.
    """
    held = _rules(rules)
    made = files.read(Path(baseline))
    _, rows = _candidate(candidate, experiment)
    command = _command(baseline, candidate, rules, experiment)
    return evaluate(made, rows, held, names=(str(baseline), str(candidate)), update=command)


def updated(
    baseline: str | Path, candidate: str | Path, *, rules: str | Path | None = None, experiment: str = LAST
) -> Provenance:
    """Make the candidate the baseline. Raises HarnessError, and changes nothing, for one that cannot be evaluated."""
    held = _rules(rules)
    found, rows = _candidate(candidate, experiment)
    return update(Path(baseline), found, rows, held)


def _rules(named: str | Path | None) -> Rules:
    return read_rules(Path(named) if named else DEFAULT)


def _candidate(folder: str | Path, experiment: str) -> tuple[Results, Columns]:
    found = load(folder, None if experiment == EVERY else experiment)
    return found, gathered(found)


def _command(baseline: str | Path, candidate: str | Path, rules: str | Path | None, experiment: str) -> str:
    words = ["python", "-m", "results", "gate", "--baseline", str(baseline), "--candidate", str(candidate)]
    if rules:
        words += ["--rules", str(rules)]
    if experiment != LAST:
        words += ["--experiment", experiment]
    return shlex.join([*words, "--update"])
