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


@lru_cache(maxsize=256)
def neutral(text: str) -> str:
    """A text about nothing with exactly as many o200k_base tokens as ``text``."""
    wanted = count_tokens(text)
    words = cycle(" ".join(_SENTENCES).split(" "))
    said = ""
    while count_tokens(said) < wanted:
        longer = f"{said} {next(words)}" if said else next(words)
        if count_tokens(longer) > wanted:  # a word of several tokens at the very end
            longer = f"{said} a"
        said = longer
    return said
