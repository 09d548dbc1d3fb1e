"""Where several answers to one task agree: entry by entry where they are JSON, else as whole texts.

Answers are compared in one normal form (NFKC, lower case, single blanks); which is right is not known here.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_STARTS = 20
"""Opening brackets tried as the start of an answer's JSON."""
MAX_CHARS = 200_000
"""Characters of an answer that are looked through for JSON; a longer one is compared as a whole text."""
_WHOLE = ""
_FENCED = re.compile(r"```[\w+-]*[ \t]*\n(.*)\n[ \t]*```", re.S)
_KINDS = {"array": "[", "object": "{"}


@dataclass(frozen=True, slots=True)
class Ballot:
    """One answer taken apart. ``kind``: ``entries`` (a list of objects), ``items`` (another list), ``fields`` (one
    object), ``text``, or ``nothing`` (an empty list, which abstains). ``says``: what it says, by what it is about: the
    value of an entry's first field, an item itself, a field's name, or nothing. ``text``: the answer itself."""

    kind: str
    says: Mapping[Hashable, Any]
    text: str

    def opinions(self) -> dict[Hashable, str]:
        """What it says, in normal form."""
        return {about: normal(said) for about, said in self.says.items()}


def ballots(answers: Sequence[str], schema: Mapping[str, Any] | None = None) -> list[Ballot]:
    """The answers taken apart, in order.

    ``schema``: of the task's answers. If it asks for a list or an object, that is looked for in each text, whatever
    stands around it; without one, only a text that is JSON as a whole is taken apart. Entries are told apart by the
    first field that the schema requires of them, or else by the first field of the first entry of all.
    """
    wanted = schema.get("type") if schema else None
    values = [_value(answer, wanted) for answer in answers]
    first: Mapping[str, Any] = next((v[0] for v in values if _is_entries(v)), {})
    key = _first_field(schema) or next(iter(first), "")
    return [_ballot(answer, value, key) for answer, value in zip(answers, values, strict=True)]


def agreed(found: Sequence[Ballot]) -> bool:
    """Whether all say the same about the same things."""
    return all(b.kind == found[0].kind and b.opinions() == found[0].opinions() for b in found[1:])


def voted(found: Sequence[Ballot]) -> str:
    """The answer that most support, entry by entry; ties go to the ballot that comes first. Raises ValueError without
    ballots.

    Only ballots of the kind that most have are counted. Whoever says nothing about a thing abstains from it; an item
    of a list is in if more than half have it. Where a ballot says just what comes out, it is returned as it stands.
    """
    kinds = Counter(b.kind for b in found if b.kind != "nothing") or Counter(b.kind for b in found)
    kind = max(kinds, key=lambda k: kinds[k])
    counted = [b for b in found if b.kind == kind]
    opinions = [b.opinions() for b in counted]
    chosen: dict[Hashable, Any] = {}
    for about in dict.fromkeys(about for own in opinions for about in own):
        votes = [(own[about], b.says[about]) for b, own in zip(counted, opinions, strict=True) if about in own]
        if kind == "items" and 2 * len(votes) <= len(counted):
            continue
        support = Counter(said for said, _ in votes)
        winner = max(support, key=lambda said: support[said])  # Counter keeps the order in which votes came
        chosen[about] = next(value for said, value in votes if said == winner)
    result = {about: normal(value) for about, value in chosen.items()}
    whole = next((b.text for b, own in zip(counted, opinions, strict=True) if own == result), None)
    if whole is not None:
        return whole
    if kind == "fields":
        return json.dumps(chosen, ensure_ascii=False)
    rows = ",\n".join(json.dumps(said, ensure_ascii=False) for said in chosen.values())
    return f"[\n{rows}\n]" if rows else "[]"


def closest(found: Sequence[Ballot]) -> int:
    """Which ballot agrees most with the others: the one whose opinions most other ballots share, counted one by one;
    ties go to the first. With single words for answers this is the majority's."""
    held = [{(b.kind, about, said) for about, said in b.opinions().items()} for b in found]
    support = Counter(opinion for own in held for opinion in own)
    return max(range(len(found)), key=lambda i: sum(support[o] - 1 for o in held[i]))


def normal(value: Any) -> str:
    """One form for values that say the same. Raises RecursionError for a value that is nested too deep."""
    plain = _plain(value)
    return plain if isinstance(plain, str) else json.dumps(plain, sort_keys=True, ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(unicodedata.normalize("NFKC", value).casefold().split())
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, list) else value


def _ballot(answer: str, value: Any, key: str) -> Ballot:
    try:
        if isinstance(value, Mapping):
            return Ballot("fields", dict(value), answer)
        if _is_entries(value):
            says: dict[Hashable, Any] = {}
            for entry in value:
                says.setdefault(normal(entry.get(key, entry)), entry)
            return Ballot("entries", says, answer)
        if isinstance(value, list):
            return Ballot("items" if value else "nothing", {normal(item): item for item in value}, answer)
    except RecursionError:  # nested so deep that nobody meant it
        pass
    return Ballot("text", {_WHOLE: answer.strip()}, answer)


def _is_entries(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) and entry for entry in value)


def _first_field(schema: Mapping[str, Any] | None) -> str | None:
    items = schema.get("items") if schema else None
    required = items.get("required") if isinstance(items, Mapping) else None
    return str(required[0]) if isinstance(required, list) and required else None


def _value(answer: str, wanted: Any) -> Any:
    """The list or object that an answer is, or holds if one is wanted; None if it is none."""
    if len(answer) > MAX_CHARS:
        return None
    fenced = _FENCED.fullmatch(answer.strip())
    try:
        value = json.loads(fenced[1] if fenced else answer)
    except (ValueError, RecursionError):
        value = _first(answer, _KINDS[wanted]) if wanted in _KINDS else None
    if wanted == "array" and isinstance(value, Mapping) and len(value) == 1:  # a list in a wrapping of its own
        value = next((v for v in value.values() if isinstance(v, list)), value)
    return value if isinstance(value, list | Mapping) else None


def _first(answer: str, bracket: str) -> Any:
    """The first JSON value in a text that opens with this bracket."""
    decoder = json.JSONDecoder()
    at = -1
    for _ in range(MAX_STARTS):
        at = answer.find(bracket, at + 1)
        if at < 0:
            return None
        try:
            return decoder.raw_decode(answer, at)[0]
        except (ValueError, RecursionError):
            continue
    return None
