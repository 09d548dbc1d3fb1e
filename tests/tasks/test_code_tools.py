"""The tools of code_search: the same lines from each, and nothing without bound."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.agents.tools import Arguments, ToolFailed
from tasks.code_search.code.source import SourceFile
from tasks.code_search.searching import MOST_HITS, MOST_WORK, literal
from tasks.code_search.tools import MOST_LINES, code_tools

PART = SourceFile("pack/part.py", "import os\n\n\ndef run(x):\n    return x  \n")
LONG = SourceFile("pack/long.py", "x = 1\n" * (MOST_LINES + 7))
TOOLS = {tool.name: tool for tool in code_tools([PART, LONG])}


def call(name: str, **arguments: Any) -> str:
    return str(asyncio.run(TOOLS[name].run(Arguments(arguments))))


def refused(name: str, **arguments: Any) -> str:
    with pytest.raises(ToolFailed) as fault:
        call(name, **arguments)
    return str(fault.value)


def test_all_tools_only_read_and_one_of_them_gives_material_by_name() -> None:
    assert set(TOOLS) == {"list_files", "read_file", "grep"}
    assert all(tool.tags == {"read"} for tool in TOOLS.values())
    assert TOOLS["read_file"].reference == "file"
    material = TOOLS["read_file"].material
    assert material is not None and material("pack/part.py") == PART.text


def test_a_file_is_shown_with_its_line_numbers() -> None:
    shown = "pack/part.py: lines 1 to 5 of 5\nL1: import os\nL2:\nL3:\nL4: def run(x):\nL5:     return x"
    assert call("read_file", file="pack/part.py") == shown
    assert call("read_file", file=" pack/part.py ", lines="") == shown
    assert call("list_files").startswith("- pack/part.py (5 lines; ")


@pytest.mark.parametrize("lines", ["4-5", "L4-L5", "4 to 5", "4..9", " 4 – 5 "])
def test_a_range_of_lines(lines: str) -> None:
    assert (
        call("read_file", file="pack/part.py", lines=lines)
        == "pack/part.py: lines 4 to 5 of 5\nL4: def run(x):\nL5:     return x"
    )


@pytest.mark.parametrize("lines", ["0", "6", "5-4", "x", "-1", "1-2-3"])
def test_no_such_lines(lines: str) -> None:
    assert "has the lines 1 to 5" in refused("read_file", file="pack/part.py", lines=lines)


def test_no_such_file() -> None:
    assert "pack/part.py" in refused("read_file", file="part.py")
    assert "pack/part.py" in refused("grep", file="part.py", pattern="x")
    assert refused("read_file", file=None)


def test_a_long_file_comes_in_pieces() -> None:
    first = call("read_file", file="pack/long.py").splitlines()
    assert len(first) == MOST_LINES + 2 and first[-1] == f"(7 lines more: read from line {MOST_LINES + 1} on)"
    rest = call("read_file", file="pack/long.py", lines=f"{MOST_LINES + 1}-{MOST_LINES + 7}").splitlines()
    assert len(rest) == 8 and rest[-1] == f"L{MOST_LINES + 7}: x = 1"


def test_found_lines_are_shown_as_reading_shows_them() -> None:
    assert call("grep", pattern=r"^\s*def \w+") == "pack/part.py L4: def run(x):"
    assert call("grep", pattern="os|return") == "pack/part.py L1: import os\npack/part.py L5:     return x"
    assert call("grep", pattern="run", file="pack/long.py") == "No line matches run"
    for line in call("grep", pattern=".").splitlines()[:3]:
        assert line.partition(" ")[2] in call("read_file", file="pack/part.py")


def test_what_is_found_is_bounded_and_says_how_much_is_left() -> None:
    found = call("grep", pattern="x = 1").splitlines()
    assert len(found) == MOST_HITS + 1
    assert found[-1] == f"({MOST_LINES + 7 - MOST_HITS:,} more lines match: narrow the pattern, or search one file)"


@pytest.mark.parametrize("pattern", ["", None, "(", "a(?=b)", r"(a)\1", "a" * 400, "(?i)a"])
def test_a_pattern_that_cannot_be_used_says_why(pattern: Any) -> None:
    assert "pattern" in refused("grep", pattern=pattern)


def test_no_pattern_takes_long() -> None:
    """One that backtracking takes years over, and one that is refused because it would have to run over everything."""
    files = [SourceFile("a.py", ("a" * 60 + "!\n") * 40)]
    grep = next(tool for tool in code_tools(files) if tool.name == "grep")
    assert asyncio.run(grep.run(Arguments(pattern="(a+)+b"))) == "No line matches (a+)+b"
    assert asyncio.run(grep.run(Arguments(pattern="(a+)+$"))) == "No line matches (a+)+$"
    lines = MOST_WORK // (400 * 62) + 1  # the pattern has more than 400 states: refused by its size, not by a clock
    (grep,) = (tool for tool in code_tools([SourceFile("a.py", ("a" * 61 + "\n") * lines)]) if tool.name == "grep")
    with pytest.raises(ToolFailed, match="take too long: put a word into it"):
        asyncio.run(grep.run(Arguments(pattern="([a-z]?){200}$")))
    assert "a.py L1: aaa" in asyncio.run(grep.run(Arguments(pattern="aa([a-z]?){3}$")))


ATOMS = st.sampled_from(
    ["a", "b", "ab", "_", r"\.", r"\d", r"\w", r"\b", ".", "[ab]", "[^a]", r"[\]b]", "[]a]", r"\x61", "(ab)", "(a|b)",
     "(?:b)", "^", "$", r"\_", "1", "-", r"[a\]]", "(a[)]b)", r"(\))"]
)  # fmt: skip
REPEATS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{0,1}", "{1,}", "*?", "{,2}", "{", "{a"])


@settings(deadline=None, max_examples=250, database=None)
@given(st.lists(st.tuples(ATOMS, REPEATS), max_size=6), st.text("ab_1.-]){ad", max_size=12), st.booleans())
def test_what_a_match_needs_stands_in_every_match(parts: list[tuple[str, str]], text: str, either: bool) -> None:
    source = "".join(atom + repeat for atom, repeat in parts)
    source = f"{source}|b" if either else source
    try:
        found = re.search(source, text)
    except re.error:
        return
    assert found is None or literal(source) in text


@pytest.mark.parametrize(
    ("source", "needed"),
    [
        (r"\bopen_gate\b", "open_gate"),
        (r"\b(?:def|class) open_gate\b", " open_gate"),
        ("colou?r", "colo"),
        ("ab+cd", "cd"),
        ("a|b", ""),
        ("(abc)", ""),
        (r"x\.y", "x.y"),
        (r"\x41bc", "bc"),
        ("a{2}bc", "bc"),
        ("", ""),
    ],
)
def test_what_a_match_needs_by_hand(source: str, needed: str) -> None:
    assert literal(source) == needed
