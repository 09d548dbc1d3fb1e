"""A document as Markdown, its pictures beside it."""

from __future__ import annotations

from collections.abc import Iterator

from results.markdown import escaped, markdown, paragraph
from results.report.document import Document, Section
from results.sheet import BANNER, Sheet


def paper(document: Document) -> str:
    """The same as the page, in the same order."""
    return "\n".join(_paper(document)).rstrip("\n") + "\n"


def _paper(document: Document) -> Iterator[str]:
    yield f"# {escaped(document.title)}\n\n{paragraph(document.about)}\n"
    for banner in document.banners:
        yield f"> **{escaped(banner.kind)}:** {escaped(banner.says)}\n"
    yield "## What came out\n"
    for answer in document.answers:
        yield f"### {_heading(answer.about, answer.simulated)}\n"
        yield f"**{escaped(answer.verdict or 'no verdict')}**\n"
        yield f"{paragraph(answer.why)}\n"
        for sentence in answer.sentences:
            yield f"* {escaped(sentence)}"
        yield ""
    yield "## What was run\n"
    for name, value in document.facts:
        yield f"* {escaped(name)}: {escaped(value)}"
    yield ""
    for section in document.sections:
        yield from _section(section, 2)
    if document.notes:
        yield "## What could not be read\n"
        for note in document.notes:
            yield f"{paragraph(note)}\n"


def _section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * min(level, 6)} {_heading(section.title, section.simulated)}\n"
    for sentence in section.prose:
        yield f"{paragraph(sentence)}\n"
    for picture in section.pictures:
        yield f"![{escaped(picture.alt)}]({picture.name}.png)\n"
        yield f"{paragraph(picture.caption)}\n"
        yield from _folded("The same figures as a table", picture.tables)
    for sheet in section.sheets:
        yield markdown(sheet)
    if section.folded:
        yield from _folded(f"Tables: {len(section.folded)}", section.folded)
    for aside in section.asides:
        yield f"<details><summary>{escaped(aside.title)}</summary>\n"
        for sentence in aside.prose:
            yield f"{paragraph(sentence)}\n"
        yield "</details>\n"
    for inner in section.sections:
        yield from _section(inner, level + 1)


def _heading(title: str, simulated: bool) -> str:
    return f"{escaped(title)} ({BANNER})" if simulated else escaped(title)


def _folded(summary: str, sheets: tuple[Sheet, ...]) -> Iterator[str]:
    yield f"<details><summary>{summary}</summary>\n"
    for sheet in sheets:
        yield markdown(sheet)
    yield "</details>\n"
