"""One file of source code, as solvers see it: with a number before each line, the same from every tool."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from harness.accounting.tokens import count_tokens

PER_TOKEN = 3.65
"""Characters of a numbered line for each o200k_base token; measured over 1.1 million tokens of CPython 3.11's standard
library. Only for the cut into samples: what a sample declares is counted."""
NUMBERING = 6
"""Characters that a line's number takes, about."""


@dataclass(frozen=True)
class SourceFile:
    """``name``: its path from the root of the code base, with slashes; ``text``: decoded, lines ended by ``\\n``."""

    name: str
    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Without what ends them; the first is line 1 for everybody else."""
        return tuple(self.text.removesuffix("\n").split("\n"))

    @property
    def module(self) -> str:
        """Its dotted name; a package's own file has the package's."""
        return self.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def shown(self, number: int) -> str:
        """A line as every tool shows it: ``L12: return found``."""
        return f"L{number}: {self.lines[number - 1]}".rstrip()

    @cached_property
    def numbered(self) -> tuple[str, ...]:
        return tuple(self.shown(n) for n in range(1, len(self.lines) + 1))

    def render(self, first: int, last: int) -> str:
        """These lines under a header that says which they are."""
        return "\n".join(
            (f"{self.name}: lines {first} to {last} of {len(self.lines)}", *self.numbered[first - 1 : last])
        )

    @cached_property
    def tokens(self) -> int:
        """Size of the whole file as it is shown, in o200k_base tokens."""
        return count_tokens(self.render(1, len(self.lines)))

    @property
    def guessed_tokens(self) -> int:
        """The same without counting: by its characters."""
        return round((len(self.text) + NUMBERING * len(self.lines)) / PER_TOKEN)

    @property
    def line(self) -> str:
        """The file in a list: name and size."""
        return f"- {self.name} ({len(self.lines):,} lines; {self.tokens:,} tokens)"


def ambiguous(files: Iterable[SourceFile]) -> frozenset[str]:
    """Shown lines that stand in several of these files, so that reading one proves nothing about another."""
    seen: set[str] = set()
    twice: set[str] = set()
    for file in files:
        own = set(file.numbered)
        twice |= own & seen
        seen |= own
    return frozenset(twice)
