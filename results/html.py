"""Tables as HTML, for pages and notebooks; every text of a row is escaped."""

from __future__ import annotations

from html import escape

from results.sheet import Sheet


def html(sheet: Sheet) -> str:
    """A table in a box of its own, in which it scrolls sideways where it is wider than the page; its notes below."""
    columns = "".join(f'<th scope="col">{text(column)}</th>' for column in sheet.columns)
    lines = [
        f'<div class="sheet"><div class="scroll" role="region" tabindex="0" aria-label="{escape(sheet.heading)}">',
        f"<table><caption>{text(sheet.heading)}</caption>",
        f"<thead><tr>{columns}</tr></thead>",
        "<tbody>",
    ]
    for number, (name, *cells) in enumerate(sheet.rows):
        ruled = ' class="ruled"' if number in sheet.rules else ""
        figures = "".join(f"<td>{text(cell)}</td>" for cell in cells)
        lines.append(f'<tr{ruled}><th scope="row">{text(name)}</th>{figures}</tr>')
    lines.append("</tbody></table></div>")
    lines += [f'<p class="note">{text(note)}</p>' for note in sheet.notes]
    lines.append("</div>")
    return "\n".join(lines)


def text(plain: str) -> str:
    """A text that shows as it is; its line breaks stay visible, and so does an indent."""
    indent = len(plain) - len(plain.lstrip(" "))
    return "&nbsp;" * indent + "<br>".join(escape(line) for line in plain[indent:].splitlines())
