"""``python -m results VERB``: what can be done with stored results.

Exit codes: 0 done and clean; 1 evaluated, and something is wrong; 2 could not be evaluated, or wrong usage.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from harness.errors import HarnessError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit code; errors go to standard error as one line."""
    try:
        chosen = _parser().parse_args(arguments)
        code: int = chosen.verb(chosen)
    except HarnessError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return code


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line instead of argparse's usage block."""
        raise HarnessError(f"{message}. See `{self.prog} --help`.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m results", description="Check and show what runs have stored.")
    verbs = parser.add_subparsers(metavar="VERB", required=True, dest="name")

    check = verbs.add_parser(
        "validate",
        help="check that every stored token and picodollar adds up",
        description="Check every invariant of every stored run and name the first offending rows. "
        "Exit code: 0 clean, 1 violations, 2 could not evaluate.",
    )
    check.set_defaults(verb=_validate)

    show = verbs.add_parser(
        "summary",
        help="print the tables that a run ends with",
        description="Print outcome, tokens by purpose, cost, and the bridge from single to each team.",
    )
    show.add_argument("--experiment", default="last", metavar="ID", help="an experiment's id, or 'last' (default)")
    show.set_defaults(verb=_summary)

    claims = verbs.add_parser(
        "claims",
        help="print the claims of the source documents beside what was measured",
        description="Print claim, claimed and measured figure of an experiment run with "
        "`python -m harness +experiment=claims`, and where they differ by more than a fifth, why.",
    )
    claims.add_argument(
        "--experiment", default="last", metavar="ID", help="an experiment's id, or 'last' (default): the last of claims"
    )
    claims.set_defaults(verb=_claims)

    suites = verbs.add_parser(
        "suites",
        help="print a sweep as a table of suites by topologies",
        description="Print mean score, tokens and wall-clock for each suite and topology of an experiment.",
    )
    suites.add_argument("--experiment", default="last", metavar="ID", help="an experiment's id, or 'last' (default)")
    suites.set_defaults(verb=_suites)

    for verb in (check, show, claims, suites):
        verb.add_argument("dir", nargs="?", default="runs", metavar="DIR", help="the store (default: runs)")
    return parser


def _validate(chosen: argparse.Namespace) -> int:
    from results.validate import check

    report = check(chosen.dir)
    for note in report.notes:
        print(f"note: {note}")
    for fault in report.faults:
        print(f"BROKEN {fault.name}: {fault.says}")
        print(f"  {fault.count:,} rows, the first {len(fault.first)}:")
        for violation in fault.first:
            print(f"  {violation}")
    verdict = "clean" if report.clean else f"{len(report.faults)} invariants broken"
    print(
        f"{chosen.dir}: {report.runs:,} runs, {report.rows:,} rows in {report.parts:,} parts, "
        f"{report.checked} invariants checked: {verdict}"
    )
    return 0 if report.clean else 1


def _summary(chosen: argparse.Namespace) -> int:
    from results.frames import load
    from results.render import print_summary

    print_summary(load(chosen.dir), chosen.experiment)
    return 0


def _suites(chosen: argparse.Namespace) -> int:
    from results.frames import load
    from results.matrix.render import print_suites

    print_suites(load(chosen.dir), chosen.experiment)
    return 0


def _claims(chosen: argparse.Namespace) -> int:
    from results.claims.picture import newest
    from results.claims.render import print_claims
    from results.frames import load

    found = load(chosen.dir)
    print_claims(found, newest(found) if chosen.experiment == "last" else chosen.experiment)
    return 0


if __name__ == "__main__":
    sys.exit(main())
