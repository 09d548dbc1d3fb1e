"""``gate``: a candidate against a baseline, for CI."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from results.verbs.verb import Verb

if TYPE_CHECKING:
    from results.gate.report import Report

EVERY = "all"


def run(chosen: argparse.Namespace) -> int:
    from results.gate.render import print_gate
    from results.gate.report import broken

    try:
        report = _report(chosen)
    except HarnessError as error:  # the files are for whoever does not read the log
        _write(chosen, broken(chosen.baseline, chosen.candidate, "", str(error)))
        raise
    if report is None:
        return 0
    _write(chosen, report)
    print_gate(report)
    return report.exit_code


def _report(chosen: argparse.Namespace) -> Report | None:
    from results.frames import load
    from results.gate.baseline import read
    from results.gate.gate import evaluate
    from results.gate.rows import gathered
    from results.gate.rules import DEFAULT
    from results.gate.rules import read as read_rules
    from results.gate.update import update

    path = Path(chosen.baseline)
    rules = read_rules(Path(chosen.rules) if chosen.rules else DEFAULT)
    found = load(chosen.candidate, None if chosen.experiment == EVERY else chosen.experiment)
    rows = gathered(found)
    if chosen.update:
        made = update(path, found, rows, rules)
        print(f"{path}: the baseline is now {', '.join(made.experiments)}, {len(rows):,} runs")
        return None
    names = (chosen.baseline, chosen.candidate)
    return evaluate(read(path), rows, rules, names=names, update=_command(chosen))


def _write(chosen: argparse.Namespace, report: Report) -> None:
    if chosen.junit:
        from results.gate.junit import write_junit

        write_junit(Path(chosen.junit), report)
    if chosen.summary:
        from results.gate.render import append_summary

        append_summary(Path(chosen.summary), report)


def _command(chosen: argparse.Namespace) -> str:
    words = ["python", "-m", "results", "gate", "--baseline", chosen.baseline, "--candidate", chosen.candidate]
    if chosen.rules:
        words += ["--rules", chosen.rules]
    if chosen.experiment != "last":
        words += ["--experiment", chosen.experiment]
    return shlex.join([*words, "--update"])


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--baseline", required=True, metavar="FILE", help="one parquet file, made with --update")
    parser.add_argument("--candidate", required=True, metavar="DIR", help="the store that is judged")
    parser.add_argument("--rules", metavar="FILE", help="rules in YAML (default: conf/gate/default.yaml)")
    parser.add_argument(
        "--experiment", default="last", metavar="ID", help=f"the candidate's: an id, 'last' (default) or '{EVERY}'"
    )
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML")
    parser.add_argument("--summary", metavar="FILE", help="append a Markdown summary, as to $GITHUB_STEP_SUMMARY")
    parser.add_argument("--update", action="store_true", help="make the candidate the baseline instead of judging it")


VERB = Verb(
    "gate",
    "pass or fail a candidate against a baseline, for CI",
    "Hold the runs of a store against a baseline file by rules (docs/ci.md). Simulated rows must be the same, "
    "real rows no worse than allowed. Exit code: 0 pass, 1 regression, 2 could not evaluate.",
    run,
    _options,
    experiment=False,
    store=False,
)
