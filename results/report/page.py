"""A document as one HTML file that asks nothing of the network, and would not be allowed to."""

from __future__ import annotations

import base64
import hashlib
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from results.html import html, text
from results.report.document import Document, Section
from results.report.subject import plain
from results.sheet import BANNER, Sheet

GENERATOR = "topology-harness report"
_CODE = re.compile(r"`([^`<]+)`")
"""What stands between backticks in a sentence: a command or a name."""
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Image:
    """A picture within the page. ``width``, ``height``: its pixels."""

    uri: str
    width: int
    height: int


def page(document: Document, pictures: Mapping[str, bytes]) -> str:
    """``pictures``: the PNG of every picture, by its name."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def as_table(sheet: Sheet) -> Markup:
        return Markup(html(sheet))

    def as_lines(plain_text: str) -> Markup:
        return Markup(text(plain_text))

    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )

    def as_sentence(plain_text: str) -> Markup:
        return Markup(_CODE.sub(r"<code>\1</code>", text(plain_text)))

    environment.filters |= {"sheet": as_table, "lines": as_lines, "sentence": as_sentence}
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    return environment.get_template("page.html.j2").render(
        document=document,
        images={name: _image(png) for name, png in pictures.items()},
        anchors=_Anchors(document),
        simulated=BANNER,
        generator=GENERATOR,
        style=Markup(style),
        style_hash=f"sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}",
    )


class _Anchors:
    """Section → a name that no other section has."""

    def __init__(self, document: Document) -> None:
        self._of: dict[int, str] = {}
        used = {"came-out", "was-run", "contents"}
        for path, section in _walk(document.sections):
            wished = "-".join(filter(None, map(plain, path))) or "section"
            name, number = wished, 2
            while name in used:
                name, number = f"{wished}-{number}", number + 1
            used.add(name)
            self._of[id(section)] = name

    def __getitem__(self, section: Section) -> str:
        return self._of[id(section)]


def _walk(sections: tuple[Section, ...], above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Section]]:
    for section in sections:
        path = (*above, section.title)
        yield path, section
        yield from _walk(section.sections, path)


def _image(png: bytes) -> Image:
    width, height = struct.unpack(">II", png[16:24])  # of the header chunk, which comes first
    return Image(f"data:image/png;base64,{base64.b64encode(png).decode()}", width, height)
