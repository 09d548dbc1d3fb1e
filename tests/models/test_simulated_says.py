"""Looking for words first finds what the pattern alone finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.models.simulated.prompt.findings import _first_words, says

PATTERNS = (
    r"\byou are a sub-agent\b",
    r"\bask your (?:own )?kin\b",
    r"\bask it\b|\bkiss\b",
    r"\basks? (?:it|kin)\b",
    r"\bask( a| the)* kin\b",
    r"\bas k\b",
    r"^ask\b",
    r"\bask[\w ]|kin",
)
LETTERS = "askin yourtehub-AISK\u017f\u0131\u0130\u212a…\n"
"""With those that ``re`` takes for s, i, i and k where it ignores case."""
TEXT = st.lists(st.sampled_from(["ask", "a\u017fk", "As\u212a", " your", " own", " kin", " k\u0131n", "\u0130t"])
                | st.text(LETTERS, max_size=3), max_size=8).map("".join)  # fmt: skip


@pytest.mark.parametrize("flags", [re.I, re.NOFLAG], ids=["either case", "as written"])
@pytest.mark.parametrize("pattern", PATTERNS)
@given(text=TEXT)
def test_what_is_said_is_what_the_pattern_finds(pattern: str, flags: re.RegexFlag, text: str) -> None:
    compiled = re.compile(pattern, flags)
    assert says(compiled, text) == (compiled.search(text) is not None)


@pytest.mark.parametrize(
    ("pattern", "words"),
    list(zip(PATTERNS, ["you are a sub", "ask your ", "", "", "ask", "as k", "", ""], strict=True)),
    ids=PATTERNS,
)
def test_the_words_are_those_that_every_match_begins_with(pattern: str, words: str) -> None:
    assert _first_words(re.compile(pattern, re.I)) == words


def test_re_takes_no_other_letter_for_one_of_the_alphabet() -> None:
    taken = re.findall(r"[a-z]", "".join(map(chr, range(0x80, 0xD800))), re.I)
    assert taken == ["\u0130", "\u0131", "\u017f", "\u212a"] and "\u212a".lower() == "k"
