"""What a verb is: a name, what it says of itself, its options, and what it does."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass


def _nothing(parser: argparse.ArgumentParser) -> None:
    """No option of its own."""


@dataclass(frozen=True, slots=True)
class Verb:
    """``run``: returns the exit code and imports what it needs when it is called, so that no verb pays for another.

    ``experiment``: whether it takes ``--experiment``. ``store``: whether it takes the folder of a store as its first
    argument, ``runs`` unless said otherwise.
    """

    name: str
    help: str
    description: str
    run: Callable[[argparse.Namespace], int]
    options: Callable[[argparse.ArgumentParser], None] = _nothing
    experiment: bool = True
    store: bool = True

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        """Declare what it takes."""
        if self.experiment:
            parser.add_argument(
                "--experiment", default="last", metavar="ID", help="an experiment's id, or 'last' (default)"
            )
        self.options(parser)
        if self.store:
            parser.add_argument("dir", nargs="?", default="runs", metavar="DIR", help="the store (default: runs)")
        parser.set_defaults(verb=self.run)
