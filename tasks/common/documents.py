"""Documents: named texts cut into numbered sections, shown with labels that a reference can name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from harness.accounting.tokens import count_tokens

SECTION_CHARS = 500
"""A section that holds this many characters is closed at the next paragraph."""

_GAP = re.compile(r"\n[ \t]*\n")
_RULE = re.compile(r"([*=\-~^#])\1{2,}")


def flat(text: str) -> str:
    """The text with every run of white space made one blank and none at the ends: how spans are compared."""
    return " ".join(text.split())


def blocks(text: str) -> list[str]:
    """Paragraphs: the maximal runs of lines that are not blank, in order, inner line breaks and indents kept."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return [block.strip("\n") for block in _GAP.split(lines) if block.strip()]


def heading(block: str) -> str | None:
    """The title if the block is a heading (Markdown ``#``, or one line above a rule of punctuation), else None."""
    lines = block.strip().split("\n")
    if len(lines) == 2 and _RULE.fullmatch(lines[1].strip()):
        return flat(lines[0])
    if len(lines) == 1 and (found := re.fullmatch(r"#{1,6}\s+(.+?)\s*#*", lines[0])):
        return flat(found[1])
    return None


def pack(paragraphs: Iterable[str], size: int = SECTION_CHARS) -> tuple[str, ...]:
    """Sections of whole paragraphs: one starts at every heading, and when the one before holds ``size`` characters."""
    sections: list[list[str]] = []
    held = size
    for paragraph in paragraphs:
        follows_heading = len(sections) > 0 and all(heading(p) is not None for p in sections[-1])
        if not sections or (not follows_heading and (held >= size or heading(paragraph) is not None)):
            sections.append([])
            held = 0
        sections[-1].append(paragraph)
        held += len(paragraph)
    return tuple("\n\n".join(section) for section in sections)


def reference(name: str, section: int) -> str:
    """How an entry names a place: ``for.txt §3``. Sections count from 1."""
    return f"{name} §{section}"


@dataclass(frozen=True)
class Document:
    """One text. ``name`` is unique over a corpus and free of white space; ``sections`` are numbered from 1."""

    name: str
    title: str
    sections: tuple[str, ...]

    def render(self, first: int = 1, last: int | None = None) -> str:
        """What ``read_document`` returns: a line that says which sections follow, then each under its label."""
        until = len(self.sections) if last is None else last
        shown = (f"[{reference(self.name, n)}]\n{self.sections[n - 1]}" for n in range(first, until + 1))
        return f"{self.name}: sections {first} to {until} of {len(self.sections)}\n\n" + "\n\n".join(shown)

    @cached_property
    def text(self) -> str:
        """All of it, as ``read_document`` returns it."""
        return self.render()

    @property
    def material(self) -> list[str]:
        """All that is in it, for ``digest``."""
        return [self.name, self.title, *self.sections]

    @cached_property
    def tokens(self) -> int:
        """Size of ``text`` in o200k_base tokens."""
        return count_tokens(self.text)

    @property
    def line(self) -> str:
        """The document in a list: name, title and size."""
        return f"- {self.name} ({self.title}; {self.tokens:,} tokens)"

    @cached_property
    def _flat_sections(self) -> tuple[str, ...]:
        return tuple(flat(section) for section in self.sections)

    def find(self, quote: str) -> tuple[int, ...]:
        """Numbers of the sections that hold the quote, white space aside."""
        wanted = flat(quote)
        return tuple(n for n, section in enumerate(self._flat_sections, 1) if wanted in section)

    def verbatim(self, quote: str) -> str | None:
        """The quote exactly as it stands in the first section that holds it; None if none does."""
        pattern = re.compile(r"\s+".join(re.escape(word) for word in quote.split()))
        for section in self.sections:
            if found := pattern.search(section):
                return found[0]
        return None
