"""``python -m results VERB``: what can be done with stored results.

Exit codes: 0 done and clean; 1 evaluated, and something is wrong; 2 could not be evaluated, or wrong usage.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import traceback
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

DEFECT = 2
INTERRUPTED, BROKEN_PIPE = 130, 141
"""As a shell says that a signal ended a program: 128 + SIGINT, 128 + SIGPIPE."""
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
    """Run one verb and return the exit code; errors go to standard error as one line.

    A defect of ours is exit code 2 as well: who gates on the answer 1 must not get it from a crash.
    ``HARNESS_TRACEBACK=1`` in the environment prints where an error came from.
    """
    given = sys.argv[1:] if arguments is None else arguments
    try:
        chosen = _parser().parse_args(given)
        chosen.command = shlex.join(["python", "-m", "results", *given])
        code: int = chosen.verb(chosen)
        return code
    except HarnessError as error:
        return _tell(f"error: {error}", error.exit_code)
    except KeyboardInterrupt:
        return _tell("stopped", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has enough; Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        return _tell(f"error: a defect in results: {what}. HARNESS_TRACEBACK=1 shows where.", DEFECT)


def _tell(message: str, code: int) -> int:
    if os.environ.get("HARNESS_TRACEBACK") == "1":
        traceback.print_exc()
    print(message, file=sys.stderr)
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
