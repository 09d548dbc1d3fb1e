"""Where several answers to one task agree: entry by entry where they are JSON, else as whole texts.

Answers are compared in one normal form (NFKC, lower case, single blanks); which is right is not known here.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_STARTS = 1000
"""Opening brackets tried as the start of an answer's JSON."""
MAX_CHARS = 200_000
"""Characters of an answer that are looked through for JSON; a longer one is compared as a whole text."""
_WHOLE = ""


@dataclass(frozen=True, slots=True)
class Ballot:
    """One answer taken apart. ``kind``: ``entries`` (a list of objects), ``items`` (another list), ``fields`` (one
    object) or ``text``. ``says``: what it says, by what it is about: the value of an entry's first field, an item
    itself, a field's name, or nothing."""

    kind: str
    says: Mapping[Hashable, Any]

    @staticmethod
    def of(answer: str, schema: Mapping[str, Any] | None = None) -> Ballot:
        """``schema``: of the task's answers; the first field that it requires of an entry tells entries apart, where it
        does not say the first field of the first entry."""
        value = _json_in(answer)
        if isinstance(value, Mapping):
            lists = [v for v in value.values() if isinstance(v, list)]
            if len(value) == 1 and lists:
                value = lists[0]
            else:
                return Ballot("fields", dict(value))
        if isinstance(value, list) and value and all(isinstance(entry, Mapping) and entry for entry in value):
            key = _first_field(schema) or next(iter(value[0]))
            says: dict[Hashable, Any] = {}
            for entry in value:
                says.setdefault(normal(entry.get(key, entry)), entry)
            return Ballot("entries", says)
        if isinstance(value, list):
            return Ballot("items", {normal(item): item for item in value})
        return Ballot("text", {_WHOLE: answer.strip()})

    def opinions(self) -> dict[Hashable, str]:
        """What it says, in normal form."""
        return {about: normal(said) for about, said in self.says.items()}


def agreed(ballots: Sequence[Ballot]) -> bool:
    """Whether all say the same about the same things."""
    return all(b.kind == ballots[0].kind and b.opinions() == ballots[0].opinions() for b in ballots[1:])


def voted(ballots: Sequence[Ballot]) -> str:
    """The answer that most support, entry by entry; ties go to the ballot that comes first. Raises ValueError without
    ballots.

    Only ballots of the kind that most have are counted. Whoever says nothing about a thing abstains from it; an item
    of a list is in if more than half have it.
    """
    kinds = Counter(b.kind for b in ballots)
    kind = max(kinds, key=lambda k: kinds[k])
    counted = [b for b in ballots if b.kind == kind]
    chosen: dict[Hashable, Any] = {}
    for about in dict.fromkeys(about for b in counted for about in b.says):
        votes = [b.says[about] for b in counted if about in b.says]
        if kind == "items" and 2 * len(votes) <= len(counted):
            continue
        support = Counter(map(normal, votes))
        winner = max(support, key=lambda said: support[said])  # Counter keeps the order in which votes came
        chosen[about] = next(v for v in votes if normal(v) == winner)
    if kind == "text":
        return str(chosen[_WHOLE])
    if kind == "fields":
        return json.dumps(chosen, ensure_ascii=False)
    rows = ",\n".join(json.dumps(said, ensure_ascii=False) for said in chosen.values())
    return f"[\n{rows}\n]" if rows else "[]"


def closest(ballots: Sequence[Ballot]) -> int:
    """Which ballot agrees most with the others: the one whose opinions most other ballots share, counted one by one;
    ties go to the first. With single words for answers this is the majority's."""
    support: Counter[tuple[str, Hashable, str]] = Counter()
    held = [{(b.kind, about, said) for about, said in b.opinions().items()} for b in ballots]
    for own in held:
        support.update(own)
    return max(range(len(ballots)), key=lambda i: sum(support[o] - 1 for o in held[i]))


def normal(value: Any) -> str:
    """One form for values that say the same."""
    if isinstance(value, str):
        return " ".join(unicodedata.normalize("NFKC", value).casefold().split())
    if isinstance(value, Mapping):
        return json.dumps({str(k): normal(v) for k, v in value.items()}, sort_keys=True, ensure_ascii=False)
    if isinstance(value, list):
        return json.dumps([normal(v) for v in value], ensure_ascii=False)
    return json.dumps(value, default=str)


def _first_field(schema: Mapping[str, Any] | None) -> str | None:
    items = schema.get("items") if schema else None
    required = items.get("required") if isinstance(items, Mapping) else None
    return str(required[0]) if isinstance(required, list) and required else None


def _json_in(answer: str) -> Any:
    """The first list or object in a text, whatever stands around it; None if there is none."""
    decoder = json.JSONDecoder()
    if len(answer) > MAX_CHARS:
        return None
    at = 0
    for _ in range(MAX_STARTS):
        starts = [i for i in (answer.find("[", at), answer.find("{", at)) if i >= 0]
        if not starts:
            return None
        at = min(starts)
        try:
            return decoder.raw_decode(answer, at)[0]
        except (ValueError, RecursionError):
            at += 1
    return None
