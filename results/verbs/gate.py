"""``gate``: a candidate against a baseline, for CI."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from results.verbs.verb import Verb

if TYPE_CHECKING:
    from results.gate.report import Report


def run(chosen: argparse.Namespace) -> int:
    from results.gate.hold import gated, updated
    from results.gate.render import print_gate
    from results.gate.report import broken

    files = (chosen.baseline, chosen.candidate)
    if chosen.update:
        made = updated(*files, rules=chosen.rules, experiment=chosen.experiment)
        print(f"{chosen.baseline}: the baseline is now {', '.join(made.experiments)}")
        return 0
    try:
        report = gated(*files, rules=chosen.rules, experiment=chosen.experiment)
    except HarnessError as error:  # for whoever reads the files and not the log
        with suppress(HarnessError):  # what is wrong first is what is said
            _write(chosen, broken(*files, "", str(error)))
        raise
    _write(chosen, report)
    print_gate(report)
    return report.exit_code


def _write(chosen: argparse.Namespace, report: Report) -> None:
    if chosen.junit:
        from results.gate.junit import write_junit

        write_junit(Path(chosen.junit), report)
    if chosen.summary:
        from results.gate.render import append_summary

        append_summary(Path(chosen.summary), report)


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
