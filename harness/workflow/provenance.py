"""Whose words stand in a prompt that a script has put together: the task's, another agent's, or the script's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.accounting.restating import is_json

LEAST_WORDS = 3
LEAST_CHARS = 12
"""A shorter text is not looked for: it would be found where the script says it by itself. It then counts as the
script's own words, which is coordination as well."""
_WORD = re.compile(r"\w+")
_LEAF = re.compile(r'"(?:[^"\\]|\\.)*"')


class Provenance:
    """What has been said so far, and by whom. A prompt is cut by exact occurrences of it: of whole texts, of their
    lines, and of the texts in their JSON, the longest first. Of what several have said, the first occurrence is the
    first one's, the second the second one's, and so on, in the order in which the script called them."""

    def __init__(self) -> None:
        self._said: dict[str, list[tuple[int, Part]]] = {}
        self._lengths: dict[str, set[int]] = {}
        """How the texts begin → how long they are."""

    def learn(self, number: int, parts: Sequence[Part]) -> None:
        """Remember a text: the task's statement (0) or the result of the call of this number."""
        for part in parts:
            for piece in _pieces(part.text):
                self._lengths.setdefault(piece[:LEAST_CHARS], set()).add(len(piece))
                said = self._said.setdefault(piece, [])
                if all(number != other for other, _ in said):
                    said.append((number, part))
                    said.sort(key=lambda s: s[0])

    def cut(self, prompt: str) -> list[Part]:
        """The prompt in stretches of one author and purpose; joined they are the prompt."""
        out: list[Part] = []
        met: dict[str, int] = {}
        at = own = 0
        while at < len(prompt):
            text = self._at(prompt, at)
            if text is None:
                at += 1
                continue
            if own < at:
                out.append(_own(prompt[own:at]))
            said = self._said[text]
            nth = met[text] = met.get(text, -1) + 1
            part = said[min(nth, len(said) - 1)][1]
            out.append(Part(text, part.author, part.purpose))
            at = own = at + len(text)
        if own < len(prompt):
            out.append(_own(prompt[own:]))
        return out

    def _at(self, prompt: str, at: int) -> str | None:
        """The longest text that is known and stands here."""
        lengths = self._lengths.get(prompt[at : at + LEAST_CHARS])
        for length in sorted(lengths, reverse=True) if lengths else ():
            text = prompt[at : at + length]
            if len(text) == length and text in self._said and _apart(prompt, at, at + length):
                return text
        return None


def _own(text: str) -> Part:
    return Part(text, ENGINE, Purpose.DISPATCH)


def _apart(prompt: str, start: int, end: int) -> bool:
    """Whether a stretch begins and ends between words."""
    before = start == 0 or not (_is_word(prompt[start - 1]) and _is_word(prompt[start]))
    return before and (end == len(prompt) or not (_is_word(prompt[end - 1]) and _is_word(prompt[end])))


def _is_word(sign: str) -> bool:
    return sign.isascii() and (sign.isalnum() or sign == "_")  # scripts without spaces have no such edges


def _pieces(text: str) -> Iterator[str]:
    whole = text.strip()
    candidates = [whole, *(line.strip() for line in whole.splitlines())]
    if is_json(whole):
        for leaf in _LEAF.findall(whole):
            candidates.append(leaf[1:-1])
            if "\\" in leaf:
                try:
                    candidates.append(str(json.loads(leaf)).strip())
                except ValueError:
                    continue
    seen = dict.fromkeys(candidates)
    return (p for p in seen if len(p) >= LEAST_CHARS and (len(_WORD.findall(p)) >= LEAST_WORDS or not p.isascii()))
