"""The command line as typed, and as it would be typed to run something less or more."""

from __future__ import annotations

import shlex
import sys
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.errors import ConfigError, unknown

SWITCHES = {
    "--help": "-h",
    "--hydra-help": "",
    "--version": "",
    "--resolve": "",
    "--run": "-r",
    "--multirun": "-m",
    "--shell-completion": "-sc",
}
VALUED = {
    "--cfg": "-c",
    "--package": "-p",
    "--config-path": "-cp",
    "--config-name": "-cn",
    "--config-dir": "-cd",
    "--experimental-rerun": "",
    "--info": "-i",
}
"""Hydra's own flags (1.3) and their short forms, without and with a value."""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """``program``: what starts the harness. ``flags``: Hydra's, without ``--multirun``. ``overrides``: as typed."""

    program: tuple[str, ...]
    flags: tuple[str, ...]
    overrides: tuple[str, ...]
    multirun: bool

    @classmethod
    def parse(cls, argv: Sequence[str]) -> CommandLine:
        """From ``sys.argv``. Raises ConfigError for a flag that Hydra does not have."""
        flags: list[str] = []
        overrides: list[str] = []
        multirun = False
        words = deque(argv[1:])
        while words:
            word = words.popleft()
            name, equals, value = word.partition("=")
            if word in ("-m", "--multirun"):
                multirun = True
            elif not word.startswith("-"):
                overrides.append(word)
            elif not _is(name, SWITCHES) and not _is(name, VALUED):
                hint = "Settings are written key=value, without dashes."
                raise ConfigError(unknown("flag", name, [*SWITCHES, *VALUED], hint))
            else:
                flags.extend([name, value] if equals else [name])
                # A flag without its value is left to Hydra's parser, which says so (``--info`` needs none).
                if _is(name, VALUED) and not equals and words and "=" not in words[0]:
                    flags.append(words.popleft())
        return cls(_program(argv[0]), tuple(flags), tuple(overrides), multirun)

    def text(self, overrides: Iterable[str], *, multirun: bool) -> str:
        """A shell command with the same flags and these overrides, quoted."""
        return shlex.join([*self.program, *self.flags, *(["-m"] if multirun else []), *overrides])


def _is(name: str, flags: Mapping[str, str]) -> bool:
    return name in flags or name in filter(None, flags.values())


def _program(started: str) -> tuple[str, ...]:
    if not started.endswith("__main__.py"):
        return (started.rsplit("/", 1)[-1],)
    return ("python", *(["-P"] if sys.flags.safe_path else []), "-m", "harness")
