"""Checks of a result against the material (003, section 2.3, third step). Null passes: it claims nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from harness.delegation.checks.check import Check, Parameters, Sources
from harness.delegation.checks.consistency import absent, look, wrong
from harness.delegation.checks.values import Absent, Entry, cut, shown, text_of
from harness.delegation.checks.words import of_field, quoted

_WIDE = "\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
_BESIDE_WIDE = re.compile(rf" (?=[{_WIDE}])|(?<=[{_WIDE}]) ")


def folded(text: str) -> str:
    """A text as quotes are compared: compatible forms made one (NFKC), letter case ignored, white space made one blank,
    and none beside Chinese or Japanese characters, where it means nothing."""
    return _BESIDE_WIDE.sub("", " ".join(unicodedata.normalize("NFKC", text).casefold().split()))


@lru_cache(maxsize=128)
def _material(text: str) -> str:
    """Materials are large and looked at again and again."""
    return folded(text)


def stands_in(quote: str, text: str) -> bool:
    """Whether a folded quote stands in a folded text, and not as a piece of a longer number: 4 is not in 484."""
    before = r"(?<![0-9])(?<![0-9]\.)" if quote[:1].isdigit() else ""
    after = r"(?![0-9]|\.[0-9])" if quote[-1:].isdigit() else ""
    if re.match(r"[0-9]{3}(?![0-9])", quote):
        before += "(?<![0-9],)"
    if after:
        after += r"(?!,[0-9]{3}(?![0-9]))"
    return re.search(before + re.escape(quote) + after, text) is not None


def named(text: str, names: Iterable[str]) -> list[str]:
    """The names that stand in a text as words of their own; a name inside a longer one that is there does not count."""
    found = []
    rest = folded(text)
    for name in sorted(names, key=len, reverse=True):
        whole = re.compile(rf"(?<![a-z0-9_-]){re.escape(folded(name))}(?![a-z0-9_-])")
        if folded(name) and whole.search(rest):
            found.append(name)
            rest = whole.sub("\0", rest)
    return found


def _quote_in_source(parameters: Parameters, entries: Sequence[Entry], sources: Sources) -> Iterator[str]:
    by = parameters.get("by")
    for entry, value in look(parameters, entries):
        text = text_of(value)
        if value is Absent.ABSENT:
            yield absent(entry, parameters["field"])
        elif value is None:
            continue
        elif text is None or not text.strip():
            fault = "is no text to look for: copy one from the material, or give null"
            yield wrong(entry, parameters, value, fault)
        elif by is None:
            yield from (wrong(entry, parameters, value, fault) for fault in _not_in(text, list(sources), sources))
        elif (place := entry.get(by)) is Absent.ABSENT:
            yield absent(entry, by)
        elif places := named(text_of(place) or "", sources):
            yield from (wrong(entry, parameters, value, fault) for fault in _not_in(text, places, sources))
        else:
            yield f"{entry}: {by} {shown(place)} names none of: {_names(sources)}"


def _not_in(quote: str, places: Sequence[str], sources: Sources) -> Iterator[str]:
    """What is wrong with a quote, if anything."""
    texts = [text for name in places if (text := sources[name]) is not None]
    if not texts:
        yield f"cannot be looked up: {_names(places)} cannot be read"
    elif not any(stands_in(folded(quote), _material(text)) for text in texts):
        yield f"does not stand in {_names(places)}"


def _names_source(parameters: Parameters, entries: Sequence[Entry], sources: Sources) -> Iterator[str]:
    for entry, value in look(parameters, entries):
        if value is Absent.ABSENT:
            yield absent(entry, parameters["field"])
        elif value is not None and not named(text_of(value) or "", sources):
            yield wrong(entry, parameters, value, f"names none of: {_names(sources)}")


def _names(names: Iterable[str]) -> str:
    return cut(", ".join(names)) or "(no material)"


SOURCE: tuple[Check, ...] = (
    Check("quote_in_source", "source", "verbatim in input_ref, in the one that field by names", ("field", "by"),
          _quote_in_source, quoted),
    Check("names_source", "source", "an input_ref", ("field",), _names_source, of_field("name one of the inputs")),
)  # fmt: skip
