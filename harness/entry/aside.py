"""How commands beside ``python -m harness`` read their options and end."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from harness.entry.shadow import refuse_shadows
from harness.errors import ConfigError, HarnessError


class Parser(argparse.ArgumentParser):
    """Wrong options are a ConfigError."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message}; --help shows the options of this command.")


def ending(command: Callable[[Sequence[str]], int], argv: Sequence[str]) -> int:
    """The exit code of a command: its own, an error's with one line on stderr, or 130 when it was interrupted."""
    try:
        refuse_shadows(Path(__file__).parents[2])
        return command(argv)
    except HarnessError as error:
        if os.environ.get("HARNESS_TRACEBACK") == "1":
            traceback.print_exc()
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
