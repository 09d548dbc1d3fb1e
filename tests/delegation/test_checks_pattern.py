"""Patterns say what ``re`` says, in time that does not explode."""

from __future__ import annotations

import re
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.delegation.checks.pattern import MOST_PATTERN, MOST_TEXT, Pattern, PatternRefused

ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", r"\w", "^", "$", r"\b", "(?:)", "[]a]", "é", "{", "1"])
REPEATS = st.sampled_from(["", "", "*", "+", "?", "*?", "{2}", "{1,2}", "{,2}", "{2,}", "{0}"])


def patterns(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    grouped = st.tuples(st.sampled_from(["(", "(?:"]), inner, REPEATS).map(lambda p: f"{p[0]}{p[1]}){p[2]}")
    return grouped | st.tuples(inner, inner).map("".join) | st.tuples(inner, inner).map("|".join)


PATTERNS = st.recursive(st.tuples(ATOMS, REPEATS).map("".join), patterns, max_leaves=6)
TEXTS = st.text("ab1é\n ]{", max_size=7)


@settings(deadline=None)
@given(PATTERNS, TEXTS)
def test_as_re(source: str, text: str) -> None:
    try:
        expected = re.compile(source)
    except re.error:
        with pytest.raises(PatternRefused):
            Pattern(source)
        return
    made = Pattern(source)
    assert made.matches(text) == (expected.fullmatch(text) is not None)
    assert made.occurs(text) == (expected.search(text) is not None)


@pytest.mark.parametrize(
    ("source", "text", "fits"),
    [
        (r"PEP \d+", "PEP 484", True),
        (r"^PEP \d+$", "PEP 484", True),
        (r"PEP \d+", "see PEP 484", False),
        (r"第\d+条", "第3条", True),
        (r"\d{4}-\d{2}(?:-\d{2})?", "2024-05", True),
        (r"[a-z_]+\.txt §\d+", "notes.txt §3", True),
        (r"(?P<y>\d{4})年", "2023年", True),
        (r"\x41\u00e9\t", "Aé\t", True),
        (r"\N{SECTION SIGN}\d", "§3", True),
        (r"[\]x-]+", "]-x", True),
        (r"a{x}", "a{x}", True),
        (r"", "", True),
        (r"a|", "", True),
    ],
)
def test_by_hand(source: str, text: str, fits: bool) -> None:
    assert Pattern(source).matches(text) is fits


@pytest.mark.parametrize("source", [r"(a+)+b", r"(a|a)*b", r"(a*)*(a*)*b", r"(.*)(.*)(.*)(.*)(.*)b", r"(\w+\s?)+!"])
def test_what_blows_up_elsewhere_takes_a_moment(source: str) -> None:
    """Thirty letters already take ``re`` longer than anybody waits."""
    made = Pattern(source)
    began = time.process_time()
    assert not made.matches("a" * MOST_TEXT)
    assert not made.occurs("a" * MOST_TEXT)
    assert time.process_time() - began < 10


def test_a_text_too_long_never_fits() -> None:
    assert Pattern("a*").matches("a" * MOST_TEXT)
    assert not Pattern("a*").matches("a" * (MOST_TEXT + 1))


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("(a", "does not compile"),
        ("[[a]", "does not compile"),  # re only warns: it may become a set of sets
        ("a{2,1}", "does not compile"),
        ("a{99999999999999999999}", "does not compile"),
        (r"(a)\1", "back-references"),
        ("a(?=b)", "look-around"),
        ("(?i)a", "flags"),
        ("(?>a)", "special groups"),
        ("a++", "possessive"),
        ("a{501}", "500 states"),
        ("(a{30}){30}", "500 states"),
        ("(((){400}){400}){400}", "500 states"),
        ("((a{0}){400}){400}", "500 states"),
        ("a" * (MOST_PATTERN + 1), "300 characters"),
    ],
)
def test_refused(source: str, says: str) -> None:
    with pytest.raises(PatternRefused, match=says):
        Pattern(source)


@settings(deadline=None)
@given(st.text(max_size=30))
def test_any_text_is_a_pattern_or_refused(source: str) -> None:
    with suppress(PatternRefused):
        Pattern(source).matches("abc")
