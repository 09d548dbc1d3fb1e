"""``gate``: a candidate against a baseline, for CI."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from results.verbs.verb import Verb

if TYPE_CHECKING:
    from results.gate.report import Report


def run(chosen: argparse.Namespace) -> int:
    from results.gate.hold import gated, updated
    from results.gate.render import print_gate
    from results.gate.report import Verdict, broken
    from results.terminal import rendered, said

    files = (chosen.baseline, chosen.candidate)
    if chosen.update:
        made = updated(*files, rules=chosen.rules, experiment=chosen.experiment)
        said(f"{chosen.baseline}: the baseline is now {', '.join(made.experiments)}\n")
        return 0
    try:
        report = gated(*files, rules=chosen.rules, experiment=chosen.experiment)
    except HarnessError as error:  # for whoever reads the files and not the log
        list(_unwritten(chosen, broken(*files, "", str(error))))  # what is wrong first is what is said
        raise
    wrong = []
    try:
        said(rendered(lambda console: print_gate(report, console)))
    except HarnessError as error:
        wrong.append(error)
    wrong += _unwritten(chosen, report)
    if wrong:
        print(f"error: {'; '.join(map(str, wrong))}", file=sys.stderr)
    return report.exit_code if report.verdict is Verdict.FAIL or not wrong else HarnessError.exit_code


def _unwritten(chosen: argparse.Namespace, report: Report) -> Iterator[HarnessError]:
    """Write what was asked for; what could not be written."""
    from results.gate.junit import write_junit
    from results.gate.render import append_summary

    for name, write in ((chosen.junit, write_junit), (chosen.summary, append_summary)):
        if name:
            try:
                write(Path(name), report)
            except HarnessError as error:
                yield error


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--baseline", required=True, metavar="FILE", help="one parquet file, made with --update")
    parser.add_argument("--candidate", required=True, metavar="DIR", help="the store that is judged")
    parser.add_argument("--rules", metavar="FILE", help="rules in YAML (default: conf/gate/default.yaml)")
    parser.add_argument(
        "--experiment", default="last", metavar="ID", help="the candidate's: an id, 'last' (default) or 'all'"
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
