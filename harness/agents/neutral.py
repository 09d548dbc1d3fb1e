"""Text that says nothing to the point, as long as the text whose place it takes: for ablations."""

from __future__ import annotations

from functools import lru_cache
from itertools import cycle

from harness.accounting.tokens import count_tokens

_SENTENCES = (
    "The path along the river is quiet in the early morning, and the grass is wet.",
    "A few boats lie at the bank, and their ropes move a little with the water.",
    "Later the sun comes over the hills and dries the stones of the small bridge.",
    "People stop there for a while, look at the clouds, and walk on.",
    "In the afternoon the wind turns, and leaves drift past the old mill.",
    "Nobody is in a hurry, and a bell can be heard from far away.",
)


_WORDS = " ".join(_SENTENCES).split(" ")
_ONE = " a"
"""What a text is filled up with: a token wherever it stands after a word."""


@lru_cache(maxsize=256)
def neutral(text: str, before: str = "", after: str = "") -> str:
    """A text about nothing that takes as many o200k_base tokens as ``text`` where it stands, between ``before`` and
    ``after``: separators with which a first or last word may make one token. A text without a letter or a digit says
    nothing as it is. Takes time in proportion to the text."""
    if not any(c.isalnum() for c in text):
        return text

    def counted(said: str) -> int:
        return count_tokens(f"{before}{said}{after}")

    wanted, left = counted(text), count_tokens(text)
    words: list[str] = []
    for word in cycle(_WORDS):
        left -= count_tokens(f" {word}" if words else word)
        if left < 0:
            break
        words.append(word)
    while words and counted(" ".join(words)) > wanted:  # a long text is cut to be counted, which may make a token more
        words.pop()
    said = " ".join(words).rstrip(".,") or "a"  # a point would make one token with a line's end after it
    while (missing := wanted - counted(said)) > 0:
        said += _ONE * missing
    return said
