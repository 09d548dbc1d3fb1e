"""Telling text that restates from new text: shingles of eight words, sentence by sentence, JSON leaf by leaf."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from harness.accounting.purposes import Purpose

SHINGLE = 8
"""Words in a shingle; a shorter text is compared whole."""
THRESHOLD = 0.8
"""Share of a text's shingles that must occur elsewhere for it to count as restated."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_SENTENCE = re.compile(r"[^\n.!?。！？]*(?:[.!?](?=\S)[^\n.!?。！？]*)*(?:[.!?。！？]+|\n|$)\s*")
_LEAF = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"(?P<key>\s*:)?|-?\d[\d.eE+-]*|\btrue\b|\bfalse\b|\bnull\b')
_FIELD = re.compile(r'"\s*:\s*["\d\[{tfn-]')


def words(text: str) -> list[str]:
    """Lower-case words; a Chinese, Japanese or Korean character is a word of its own."""
    return _WORD.findall(text.lower())


@lru_cache(maxsize=1024)
def _lines(text: str) -> tuple[str, str]:
    """A source as (prose, leaves): its words in order on one line, or, of JSON, those of each leaf on its own line.
    A word stands between single spaces, a line between line breaks."""
    if not _FIELD.search(text):
        return f" {' '.join(words(text))} \n", ""
    leaves = (words(_decoded(m.group())) for m in _LEAF.finditer(text) if not m["key"])
    return "", "".join(f"\n {' '.join(w)} \n" for w in leaves if w)


@dataclass(frozen=True, slots=True)
class _Known:
    """All that some sources say together."""

    prose: str
    leaves: str

    @staticmethod
    def of(sources: Sequence[str]) -> _Known:
        lines = [_lines(s) for s in sources]
        return _Known("".join(p for p, _ in lines), "".join(q for _, q in lines))

    def hold(self, w: Sequence[str]) -> bool:
        """Whether at least 80 % of the shingles of a text with these words are here; a text without a shingle must
        stand here whole: somewhere in prose, or as a leaf of its own, so that a bare "2" is not found in a sentence of
        JSON."""
        lines = self.prose + self.leaves
        if not w or not lines:
            return False
        if len(w) < SHINGLE:
            whole = f" {' '.join(w)} "
            return whole in self.prose or f"\n{whole}\n" in self.leaves
        own = {f" {' '.join(w[i : i + SHINGLE])} " for i in range(len(w) - SHINGLE + 1)}
        misses = len(own) - math.ceil(THRESHOLD * len(own))
        for shingle in own:
            misses -= shingle not in lines
            if misses < 0:
                return False
        return True


def restates(text: str, sources: Sequence[str]) -> bool:
    """Whether at least 80 % of the text's shingles occur in the sources together."""
    return _Known.of(sources).hold(words(text))


def restated(text: str, sources: Sequence[str]) -> list[str]:
    """The sentences of a text, or the leaves if it is JSON, of at least a shingle's words that the sources hold."""
    pieces = [p for p, leaf in _json_pieces(text) or [(s, True) for s in _sentences(text)] if leaf]
    known = _Known.of(sources)
    return [p for p in pieces if len(w := words(_decoded(p))) >= SHINGLE and known.hold(w)]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text is held against. ``others``: results that other agents wrote and that stand in its writer's prompt;
    ``own``: what its writer had written before; ``fresh``: the purpose of text found in neither."""

    others: Sequence[str]
    own: Sequence[str]
    fresh: Purpose

    def purposes(self, texts: Sequence[str]) -> list[Purpose]:
        """What each text is, by what it restates."""
        others, own = _Known.of(self.others), _Known.of(self.own)
        return [
            Purpose.MERGE if others.hold(w) else Purpose.REPORT if own.hold(w) else self.fresh
            for w in map(words, texts)
        ]


def segments(text: str, reading: Reading) -> list[tuple[str, Purpose]]:
    """The text cut into stretches of one purpose each; joined they are the text. The punctuation and the field name
    before a leaf of JSON go with that leaf, what follows the last leaf with the last."""
    pieces = _json_pieces(text) or [(s, True) for s in _sentences(text)]
    found = iter(reading.purposes([_decoded(piece) for piece, leaf in pieces if leaf]))
    out: list[tuple[str, Purpose]] = []
    before = ""
    for piece, leaf in pieces:
        before += piece
        if not leaf:
            continue
        purpose = next(found)
        if out and out[-1][1] == purpose:
            out[-1] = (out[-1][0] + before, purpose)
        else:
            out.append((before, purpose))
        before = ""
    if not out:
        return [(before, reading.fresh)]
    out[-1] = (out[-1][0] + before, out[-1][1])
    return out


def _sentences(text: str) -> Iterator[str]:
    return (m.group() for m in _SENTENCE.finditer(text) if m.group())


def looks_like_json(text: str) -> bool:
    """Whether a text starts as a JSON array or object does, a Markdown fence aside: a deliverable, not talk."""
    return _unfenced(text)[:1] in ("[", "{")


def is_json(text: str) -> bool:
    """Whether a text is one JSON array or object, a Markdown fence aside."""
    if not looks_like_json(text):
        return False
    try:
        json.loads(_unfenced(text))
    except (ValueError, RecursionError):
        return False
    return True


def _unfenced(text: str) -> str:
    return text.strip().strip("`").removeprefix("json").strip()


def _json_pieces(text: str) -> list[tuple[str, bool]] | None:
    """(piece, is a leaf with words) over the whole text, or None when it is not JSON (a Markdown fence is allowed)."""
    if not is_json(text):
        return None
    pieces: list[tuple[str, bool]] = []
    at = 0
    for m in _LEAF.finditer(text, text.index(_unfenced(text)[0])):
        if m["key"] or m.group() == "null" or not _WORD.search(m.group()):
            continue
        pieces += [(text[at : m.start()], False), (m.group(), True)]
        at = m.end()
    pieces.append((text[at:], False))
    return [p for p in pieces if p[0]]


def _decoded(piece: str) -> str:
    if piece[:1] == '"' and piece[-1:] == '"' and "\\" in piece:
        try:
            return str(json.loads(piece))
        except ValueError:
            return piece
    return piece
