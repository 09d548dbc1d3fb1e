"""A provider's cache of exact prompt prefixes, for one run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.accounting.tokens import count_tokens
from harness.models.simulated.prompt.wire import Prompt, WireMessage


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
        for kept in self._kept:
            tokens = common_tokens(prompt, kept.prompt) if kept.ready <= now else 0
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
    same = 0
    for one, other in zip(a.segments, b.segments, strict=False):
        if one != other:
            return sum(a.sizes[:same]) + _inside(one, other)
        same += 1
    return sum(a.sizes[:same])


def _inside(a: str | WireMessage, b: str | WireMessage) -> int:
    """Tokens that two different segments begin with alike. Cut back to a blank, since a token does not span one."""
    if isinstance(a, WireMessage) and isinstance(b, WireMessage):
        if a.role != b.role:
            return 0
        a, b = a.text, b.text
    if not isinstance(a, str) or not isinstance(b, str):
        return 0
    alike = a[: _common_length(a, b)]
    if a != b:
        alike = alike[: max(alike.rfind(" "), alike.rfind("\n"), 0)]
    return count_tokens(alike)


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
