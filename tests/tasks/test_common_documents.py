"""Sections, labels and spans."""

from hypothesis import given
from hypothesis import strategies as st

from harness.accounting.tokens import count_tokens
from tasks.common.documents import Document, blocks, flat, heading, pack
from tasks.common.html import text_of

DOCUMENT = Document("a.txt", "A", ("first  part\nof it", "second\n\nthird"))


def test_blocks_are_separated_by_blank_lines_only() -> None:
    assert blocks("\n\n a\nb\r\n \t \r\n  c\n\n\n") == [" a\nb", "  c"]


def test_headings() -> None:
    assert heading('The "for" statement\n*******************') == 'The "for" statement'
    assert heading("## Payment  terms ##") == "Payment terms"
    assert heading("no heading") is None
    assert heading("a | b\n--+--") is None


def test_a_section_starts_at_a_heading_and_when_the_one_before_is_full() -> None:
    assert pack(["aaaa", "bb", "cc", "# T", "## U", "d"], size=6) == ("aaaa\n\nbb", "cc", "# T\n\n## U\n\nd")


@given(st.lists(st.text(alphabet="ab\n# ", min_size=1, max_size=30).filter(str.strip)), st.integers(1, 60))
def test_packing_loses_nothing(paragraphs: list[str], size: int) -> None:
    assert flat("\n\n".join(pack(paragraphs, size))) == flat("\n\n".join(paragraphs))


def test_rendering_shows_every_label_and_ranges_are_inclusive() -> None:
    assert DOCUMENT.text == (
        "a.txt: sections 1 to 2 of 2\n\n[a.txt §1]\nfirst  part\nof it\n\n[a.txt §2]\nsecond\n\nthird"
    )
    assert DOCUMENT.render(2, 2) == "a.txt: sections 2 to 2 of 2\n\n[a.txt §2]\nsecond\n\nthird"


def test_size_is_that_of_the_whole_rendering() -> None:
    assert DOCUMENT.tokens == count_tokens(DOCUMENT.text)
    assert DOCUMENT.line == f"- a.txt (A; {DOCUMENT.tokens} tokens)"


def test_quotes_are_found_whatever_their_white_space_and_returned_as_they_stand() -> None:
    assert DOCUMENT.find("first part of") == (1,)
    assert DOCUMENT.verbatim("first part of") == "first  part\nof"
    assert DOCUMENT.find("it second") == ()
    assert DOCUMENT.verbatim("it second") is None


def test_html_becomes_paragraphs() -> None:
    title, text = text_of(
        "<html><head><title>Price &amp; list</title><style>p {}</style></head><body><h2>Terms</h2>"
        "<p>Payment\nwithin <b>45</b> days.</p><script>x()</script>"
        "<table><tr><td>Q1</td><td>12</td></tr><tr><td>Q2</td><td>13</td></tr></table></body></html>"
    )
    assert title == "Price & list"
    assert blocks(text) == ["## Terms", "Payment within 45 days.", "Q1 12\nQ2 13"]
