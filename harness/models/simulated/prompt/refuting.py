"""Numbered findings of others, laid before whoever is to refute them or to combine them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_HEADING = re.compile(r"^\[finding (\d+)\](?: given by (\d+) of \d+)?(, refuted: .*)?$", re.M)


@dataclass(frozen=True, slots=True)
class Finding:
    """``given``: how many have given it, 1 if that is not told; ``refuted``: whether its heading says so."""

    number: int
    given: int
    refuted: bool
    text: str


@lru_cache(maxsize=256)
def findings_in(text: str) -> Sequence[Finding]:
    """The findings in a text, in order: each from its heading to the next one or the end."""
    heads = list(_HEADING.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return tuple(
        Finding(int(head[1]), int(head[2] or 1), head[3] is not None, text[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=False)
    )
