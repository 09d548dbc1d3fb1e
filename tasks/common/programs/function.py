"""One function to write: what is asked, what decides about an answer, and what the simulated model may answer."""

from __future__ import annotations

from dataclasses import dataclass

from harness.models.oracle import Item
from tasks.common.files import NAMING, TELLING


@dataclass(frozen=True)
class Function:
    """``name``: how it is called; ``file``: the one that holds it, unique in a suite; ``asked``: all that has to be
    known to write it, on one line. ``solution``, ``wrong``: sources of its file. ``tests``: source of the hidden tests
    (``harness.sandbox.runner.run_tests``), the examples among them; ``examples``: of those that the specification
    shows, empty if it shows none; ``given``: source that both begin with. ``prompt``: the beginning of the file that an
    answer may complete instead of writing a whole one; empty if there is none."""

    name: str
    file: str
    asked: str
    solution: str
    wrong: tuple[str, ...]
    tests: str
    examples: str
    given: str = ""
    prompt: str = ""

    @property
    def module(self) -> str:
        """The name under which tests find the file."""
        return self.file.removesuffix(".py")

    @property
    def line(self) -> str:
        """Its line in the statement, complete in itself."""
        return f"{self.file}: {self.asked}"

    @property
    def item(self) -> Item:
        """For the simulated model: everything needed to write it stands in its line."""
        return Item(self.line, (self.line,), self._entry(self.solution), tuple(map(self._entry, self.wrong)))

    def _entry(self, source: str) -> dict[str, str]:
        return {NAMING: self.file, TELLING: source.rstrip("\n")}
