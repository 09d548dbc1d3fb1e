"""Stores, baselines and verdicts for tests of the gate."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path

from run_builder import Experiment

from harness.records import RunRecord
from results.__main__ import main
from results.columns import Columns
from results.frames import load
from results.gate.baseline import Baseline, Provenance
from results.gate.gate import evaluate
from results.gate.hold import updated
from results.gate.report import Report
from results.gate.rows import gathered
from results.gate.rules import DEFAULT, read
from results.store import Store

NOWHERE = Provenance((), (), (), (), "")
_NUMBERS = itertools.count()


def store(folder: Path, records: Iterable[RunRecord], *, closed: bool = True) -> Path:
    """A new store of one experiment; unless it is closed, its runs are still in the spool, which is quicker."""
    root = folder / f"store{next(_NUMBERS)}"
    written = Store(str(root))
    written.open(Experiment("exp", {"command": "python -m harness"}))
    for record in records:
        written.write(record)
    if closed:
        written.close()
    return root


def rows(folder: Path, records: Iterable[RunRecord]) -> Columns:
    """What a gate knows of these runs."""
    return gathered(load(store(folder, records, closed=False)))


def judged(folder: Path, old: Iterable[RunRecord], new: Iterable[RunRecord], rules: Path = DEFAULT) -> Report:
    """The report on new runs against old ones."""
    return evaluate(Baseline(rows(folder, old), NOWHERE), rows(folder, new), read(rules))


def baseline(folder: Path, records: Iterable[RunRecord], rules: Path | None = None) -> Path:
    """A baseline file made of these runs, as the verb makes it."""
    path = folder / f"baseline{next(_NUMBERS)}.parquet"
    updated(path, store(folder, records), rules=rules)
    return path


def rule_file(folder: Path, text: str) -> Path:
    """A file of rules."""
    path = folder / f"rules{next(_NUMBERS)}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def verb(*words: str | Path) -> int:
    """Exit code of ``python -m results gate``."""
    return main(["gate", *map(str, words)])
