"""A module in two versions, one that keeps its contract and one that does not, and the file that may tell them
apart."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

OFF_BY_ONE, WRONG_DEFAULT, SWAPPED, EDGE_CASE = "off_by_one", "wrong_default", "swapped_arguments", "missing_edge_case"
LEFT_OPEN, WRONG_UNIT, BROKEN_PROMISE, SHARED = "left_open", "wrong_unit", "broken_promise", "shared_state"
KINDS = (OFF_BY_ONE, WRONG_DEFAULT, SWAPPED, EDGE_CASE, LEFT_OPEN, WRONG_UNIT, BROKEN_PROMISE, SHARED)


@dataclass(frozen=True)
class Context:
    """A file that is no draft and is right. ``telling``: the piece of it from which a draft can be seen to fit it or
    not."""

    file: str
    text: str
    telling: str


@dataclass(frozen=True)
class Pair:
    """``contract``: in one line, what the module promises; it is the same for both versions. ``clean``: the version
    that keeps it; ``right``: a piece of that, which stands there once, and ``wrong``: what stands in its place in the
    other version. ``also``: lines of the defective version, without indents, that name the defect as well as those that
    differ do. ``context``: the file without which the two versions look alike; None: the contract is enough."""

    file: str
    kind: str
    contract: str
    clean: str
    right: str
    wrong: str
    also: tuple[str, ...] = ()
    context: Context | None = None

    @cached_property
    def defective(self) -> str:
        return self.clean.replace(self.right, self.wrong, 1)

    def text(self, defective: bool) -> str:
        """One of the versions, without a line break at its end."""
        return (self.defective if defective else self.clean).rstrip("\n")

    @cached_property
    def places(self) -> frozenset[int]:
        """Numbers, from 1, of the lines of the defective version that name the defect: those that are not in the clean
        one, indents aside, and ``also``."""
        old, new = ([line.strip() for line in text.split("\n")] for text in (self.clean, self.defective))
        codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        changed = {n for tag, _, _, first, end in codes if tag != "equal" for n in range(first, end)}
        return frozenset(n for n, line in enumerate(new, 1) if line and (n - 1 in changed or line in self.also))

    def telling(self, defective: bool) -> str:
        """The piece of a version that shows whether it is the defective one, with the line before and after it."""
        text, piece = self.text(defective), (self.wrong if defective else self.right).rstrip("\n")
        lines = text.split("\n")
        first = text[: text.index(piece)].count("\n")
        last = first + piece.count("\n")
        before = next((n for n in range(first - 1, -1, -1) if lines[n].strip()), first)
        after = next((n for n in range(last + 1, len(lines)) if lines[n].strip()), last)
        return "\n".join(lines[before : after + 1])
