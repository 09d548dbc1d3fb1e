"""All cells of a command, or one clear message on why there are none."""

from __future__ import annotations

from harness.entry.commandline import CommandLine
from harness.entry.compose import Composed, compose
from harness.entry.wording import COMPOSING, worded
from harness.errors import ConfigError


def composition(command: CommandLine, experiment_id: str) -> list[Composed]:
    """What ``harness.entry.compose.compose`` finds. Raises ConfigError."""
    try:
        return compose(command, experiment_id)
    except COMPOSING as error:
        raise worded(error, command) from error
    except ValueError as error:  # flags that do not go together
        raise ConfigError(f"{error}. `python -m harness --help` shows how to call it.") from error
