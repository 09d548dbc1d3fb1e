"""A Sheet as Markdown and as HTML: whatever rows say comes out as it is, and as nothing else.

markdown-it (CommonMark with GitHub's tables) and the standard library's HTML parser are the judges.
"""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from results.html import html
from results.markdown import markdown, paragraph
from results.sheet import Sheet, sheet

NASTY = [
    "<script>alert(1)</script>",
    "a|b",
    "\\|",
    "*bold* _x_ `code` ~~gone~~ [a](javascript:b)",
    "- item",
    "# head",
    "1. one",
    "&lt;&amp;",
    "李雷 → мир",
    '" onload="x',
    "$x$",
    "two\nlines",
]


class Cells(HTMLParser):
    """The texts of table cells, a line break for ``br``; every tag with its attributes; what stands outside tables."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside = False
        self.outside = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("td", "th"):
            self.cells.append("")
            self.inside = True
        elif tag == "br":
            self.handle_data("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.cells[-1] += data
        else:
            self.outside += data


def table(*texts: str) -> Sheet:
    made = sheet("Spent", False, "topology", ["figure"])
    for text in texts:
        made.add(text, [text])
    return made


def read_markdown(source: str) -> Cells:
    return Cells(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(source))


@pytest.mark.parametrize("number", range(len(NASTY)))
def test_texts_survive_both(number: int) -> None:
    text = NASTY[number]
    for read in (Cells(html(table(text))), read_markdown(markdown(table(text)))):
        assert read.cells == ["topology", "figure", text, text]
        assert {tag for tag, _ in read.tags} <= {"table", "thead", "tbody", "tr", "td", "th", "br", "p", "strong"} | {
            "div",
            "caption",
        }


LINE = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], include_characters=" "), min_size=1).filter(
    lambda text: text == text.strip() and text
)


@settings(max_examples=30, deadline=None)
@given(LINE)
def test_any_line_of_text_survives_both(text: str) -> None:
    assert Cells(html(table(text))).cells[2:] == [text, text]
    assert read_markdown(markdown(table(text))).cells[2:] == [text, text]
    said = read_markdown(paragraph(text))
    assert said.outside.strip() == text
    assert [tag for tag, _ in said.tags] == ["p"]


def test_html_has_what_a_screen_reader_needs() -> None:
    made = table("a")
    made.simulated = True
    made.notes.append("only <one>")
    read = Cells(html(made))
    scopes = [attributes.get("scope") for tag, attributes in read.tags if tag == "th"]
    assert scopes == ["col", "col", "row"]
    assert "SIMULATED · Spent" in read.outside and "only <one>" in read.outside
    assert any(tag == "caption" for tag, _ in read.tags)
    (box,) = [attributes for tag, attributes in read.tags if attributes.get("role") == "region"]
    assert box["tabindex"] == "0" and box["aria-label"] == "SIMULATED · Spent"


def test_rules_are_drawn_above_their_rows() -> None:
    made = table("a")
    made.rule()
    made.add("b", ["2"])
    rows = [attributes.get("class") for tag, attributes in Cells(html(made)).tags if tag == "tr"]
    assert rows == [None, None, "ruled"]


def test_simulated_is_said_in_markdown() -> None:
    made = table("a")
    made.simulated = True
    made.notes.append("a note")
    source = markdown(made)
    assert source.startswith("**SIMULATED · Spent**\n")
    assert source.endswith("\n\na note\n")
