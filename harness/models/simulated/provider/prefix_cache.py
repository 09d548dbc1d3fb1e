"""A provider's cache of exact prompt prefixes, for one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from harness.accounting.tokens import count_tokens
from harness.models.simulated.prompt.wire import Prompt, WireMessage

Cut: TypeAlias = tuple[int, int]
"""Whole segments of a prompt, and letters of the next one."""


@dataclass(slots=True)
class Kept:
    """One prompt in the cache: usable from ``ready`` until ``until`` (clock ticks)."""

    prompt: Prompt
    ready: int
    until: int


class PrefixCache:
    """Exact prefixes in the provider's order, compared segment by segment and inside the first that differs."""

    def __init__(self, ttl: int) -> None:
        self._ttl = ttl
        self._kept: list[Kept] = []

    def read(self, prompt: Prompt, now: int) -> int:
        """Tokens of the longest prefix that is kept; using it renews its time to live."""
        best: Kept | None = None
        most = 0
        self._kept = [k for k in self._kept if k.until > now]
        counted: dict[Cut, int] = {}
        for kept in self._kept:
            tokens = _tokens(prompt, _cut(prompt, kept.prompt), counted) if kept.ready <= now else 0
            if tokens > most:
                best, most = kept, tokens
        if best is not None:
            best.until = max(best.until, now + self._ttl)
        return most

    def write(self, prompt: Prompt, ready: int) -> None:
        """Keep a prompt. Whatever it extends is covered by it as soon as it is ready."""
        for kept in self._kept:
            if _extends(prompt, kept.prompt):
                kept.until = min(kept.until, ready)
        self._kept.append(Kept(prompt, ready, ready + self._ttl))


def _extends(longer: Prompt, shorter: Prompt) -> bool:
    return longer.segments[: len(shorter.segments)] == shorter.segments


def common_tokens(a: Prompt, b: Prompt) -> int:
    """Tokens of the common prefix of two prompts."""
    return _tokens(a, _cut(a, b), {})


def _tokens(prompt: Prompt, cut: Cut, counted: dict[Cut, int]) -> int:
    """Tokens up to a cut. ``counted``: those of this prompt that are known; many kept prompts part at the same one."""
    if cut not in counted:
        same, letters = cut
        inside = prompt.segments[same] if letters else ""
        text = inside.text if isinstance(inside, WireMessage) else inside
        counted[cut] = sum(prompt.sizes[:same]) + count_tokens(text[:letters])
    return counted[cut]


def _cut(a: Prompt, b: Prompt) -> Cut:
    """Where the common prefix of two prompts ends."""
    same = 0
    for one, other in zip(a.segments, b.segments, strict=False):
        if one != other:
            return same, _inside(one, other)
        same += 1
    return same, 0


def _inside(a: str | WireMessage, b: str | WireMessage) -> int:
    """Letters that two different segments begin with alike. Cut back to a blank, since a token does not span one."""
    if isinstance(a, WireMessage) and isinstance(b, WireMessage):
        if a.role != b.role:
            return 0
        a, b = a.text, b.text
    if not isinstance(a, str) or not isinstance(b, str):
        return 0
    if a == b:
        return len(a)
    alike = _common_length(a, b)
    return max(a.rfind(" ", 0, alike), a.rfind("\n", 0, alike), 0)


def _common_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the common prefix, by halving."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
