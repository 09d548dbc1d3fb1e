"""``python -m results VERB``: what can be done with stored results.

Exit codes: 0 done and clean; 1 evaluated, and something is wrong; 2 could not be evaluated, or wrong usage.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from typing import NoReturn

from harness.errors import HarnessError
from results.verbs import (
    claims,
    compare,
    crossover,
    export,
    gate,
    import_,
    merge,
    report,
    roi,
    suites,
    summary,
    validate,
)

VERBS = (
    validate.VERB,
    summary.VERB,
    suites.VERB,
    claims.VERB,
    compare.VERB,
    roi.VERB,
    crossover.VERB,
    report.VERB,
    gate.VERB,
    export.VERB,
    merge.VERB,
    import_.VERB,
)
"""In the order in which help lists them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit code; errors go to standard error as one line."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        chosen = _parser().parse_args(given)
        chosen.command = shlex.join(["python", "-m", "results", *given])
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
    parser = _Parser(prog="python -m results", description="Check, show, compare and judge what runs have stored.")
    verbs = parser.add_subparsers(metavar="VERB", required=True, dest="name")
    for verb in VERBS:
        verb.add_to(verbs.add_parser(verb.name, help=verb.help, description=verb.description))
    return parser


if __name__ == "__main__":
    sys.exit(main())
