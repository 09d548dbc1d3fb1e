"""A completion as it leaves the model: what it meant to write, with what goes wrong in the writing."""

from __future__ import annotations

import json
from typing import NamedTuple

from harness.models.simulated.behaviour import Malformed
from harness.models.simulated.draws import Draws
from harness.models.simulated.prompt.wire import completion_tokens
from harness.models.simulated.skills.act import Act


class Completion(NamedTuple):
    """``calls``: name and raw arguments; ``tokens``: all of it, reasoning aside."""

    text: str
    calls: tuple[tuple[str, str], ...]
    finish_reason: str
    tokens: int


def complete(act: Act, malformed: Malformed, draws: Draws, max_tokens: int) -> Completion:
    """Spell an act out. It is broken by chance, and cut where it passes ``max_tokens``."""
    calls = tuple((name, json.dumps(dict(arguments), ensure_ascii=False)) for name, arguments in act.calls)
    tags = (_tag(order, draws.request("malformed tag", n) >= malformed.tags) for n, order in enumerate(act.tags))
    text, reason = "\n".join(filter(None, (act.text, *tags))), "tool_calls" if calls else "stop"
    if draws.request("malformed") < malformed.rate and (calls or text.startswith(("[", "{")) or "```" in text):
        reason = "length" if draws.request("malformed length") < malformed.length else reason
        text, calls = _broken(text, calls, draws.request("malformed where"))
    tokens = completion_tokens(text, calls)
    if tokens > max_tokens:
        text, calls = _cut(text, calls, max_tokens)
        reason, tokens = "length", min(max_tokens, completion_tokens(text, calls))
    return Completion(text, calls, reason, tokens)


def _tag(order: str, closed: bool) -> str:
    return f"<delegate>\n{order}\n{'</delegate>' if closed else ''}"


def _broken(text: str, calls: tuple[tuple[str, str], ...], luck: float) -> tuple[str, tuple[tuple[str, str], ...]]:
    """One call's arguments, or the deliverable, without its second half."""
    if not calls:
        return text[: len(text) // 2], ()
    hit = int(luck * len(calls))
    return text, tuple((n, raw[: (len(raw) + 1) // 2] if i == hit else raw) for i, (n, raw) in enumerate(calls))


def _cut(text: str, calls: tuple[tuple[str, str], ...], max_tokens: int) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The longest beginning that fits: the text, then call after call, the last one perhaps with its arguments cut."""
    if completion_tokens(text, ()) > max_tokens:
        return _fitting(text, max_tokens), ()
    kept: list[tuple[str, str]] = []
    for name, raw in calls:
        room = max_tokens - completion_tokens(text, [*kept, (name, "")])
        if room < 0:
            break
        shown = _fitting(raw, room)
        kept.append((name, shown))
        if shown != raw:
            break
    return text, tuple(kept)


def _fitting(text: str, max_tokens: int) -> str:
    """The longest beginning of at most so many tokens, found by halving."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if completion_tokens(text[:middle], ()) <= max_tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]
