"""HTML to plain paragraphs, with nothing but the standard library."""

from __future__ import annotations

from html.parser import HTMLParser

from tasks.common.documents import flat

_UNSHOWN = frozenset({"script", "style", "template", "noscript"})
_CELLS = frozenset({"td", "th"})
_LINES = frozenset({"br", "tr", "li", "dt", "dd"})
_BLOCKS = (
    "address article aside blockquote body div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html "
    "main nav ol p pre section table title ul"
)
_PARAGRAPHS = frozenset(_BLOCKS.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.pieces: list[str] = []
        self._hidden = 0
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSHOWN:
            self._hidden += 1
        self._in_title = tag == "title"
        self._break(tag)
        if tag in _LINES:
            self.pieces.append("\n")
        if tag in _HEADINGS:
            self.pieces.append("#" * _HEADINGS[tag] + " ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSHOWN:
            self._hidden = max(0, self._hidden - 1)
        self._in_title = False
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
        elif not self._hidden:
            self.pieces.append(data.replace("\n", " "))

    def _break(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            self.pieces.append("\n\n")
        elif tag in _CELLS:
            self.pieces.append("  ")


def text_of(html: str) -> tuple[str, str]:
    """(title, text): block elements become paragraphs, headings Markdown headings, table cells stay on their row's
    line; scripts and styles are dropped. The title is "" when the page has none."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (flat(line) for line in "".join(reader.pieces).split("\n"))
    return flat(reader.title), "\n".join(lines)
