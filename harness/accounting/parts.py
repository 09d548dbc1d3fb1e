"""Parts: the pieces of text a conversation is made of, each with its author and its purpose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.accounting.purposes import Purpose
from harness.accounting.tokens import count_tokens

TASK = "task"
"""Author of the task's own text: statement, briefs, output schema."""
TOOL = "tool"
"""Author of whatever a task tool returned."""
ENGINE = "engine"
"""Author of refusals, acknowledgements, wake notices, protocol instructions, harvests."""
OUTSIDE = frozenset({TASK, TOOL, ENGINE})
"""Authors that are not agents; no agent may take one of these names."""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of text with one author and one purpose as written.

    ``text`` is what stands in the request, byte for byte. ``origin`` is the text this part repeats in another encoding
    (inside a JSON string, say): parts with the same origin are the same text to the re-reading figures. ``rendered`` is
    what a provider makes of it before it counts (a tool schema); it only serves as weight. None: the text itself.
    """

    text: str
    author: str
    purpose: Purpose
    origin: str | None = None
    rendered: str | None = None

    @property
    def key(self) -> str:
        return self.text if self.origin is None else self.origin

    @property
    def shown(self) -> str:
        """What a provider counts."""
        return self.text if self.rendered is None else self.rendered

    @property
    def weight(self) -> int:
        """Counted tokens, o200k_base."""
        return count_tokens(self.shown)

    def forwarded(self, text: str | None = None) -> Part:
        """The same part handed on by somebody else, in another encoding if ``text`` is given: it keeps its author and
        its purpose."""
        return Part(self.key if text is None else text, self.author, self.purpose, self.key)


@dataclass(frozen=True, slots=True)
class Whole(Part):
    """Several parts that are handed on as one text (an order that is somebody's whole task). Whoever is told it reads
    its ``pieces``, each with its own author and purpose; those of the whole are the first piece's that has an agent's
    words, for whoever asks before that."""

    pieces: tuple[Part, ...] = ()

    @staticmethod
    def of(pieces: Sequence[Part]) -> Whole:
        """``pieces``: at least one."""
        first = next((p for p in pieces if p.author not in OUTSIDE), pieces[0])
        return Whole(joined(list(pieces)), first.author, first.purpose, pieces=tuple(pieces))

    def forwarded(self, text: str | None = None) -> Part:
        """As a part is; in its own encoding, piece by piece."""
        return Whole.of([p.forwarded() for p in self.pieces]) if text is None else Part.forwarded(self, text)


def taken_apart(parts: Iterable[Part]) -> list[Part]:
    """The parts as a prompt has them."""
    return [piece for part in parts for piece in (part.pieces if isinstance(part, Whole) else (part,))]


def joined(parts: tuple[Part, ...] | list[Part]) -> str:
    """The text that parts stand for."""
    return parts[0].text if len(parts) == 1 else "".join([p.text for p in parts])
