"""Tables as HTML, for pages and notebooks; every text of a row is escaped."""

from __future__ import annotations

from html import escape

from results.sheet import Sheet

LONG = 30
"""Characters from which a cell is words rather than a figure, and its column set as such."""
_WORDS = ' class="long"'


def html(sheet: Sheet) -> str:
    """A table in a box of its own, in which it scrolls sideways where it is wider than the page; its notes below."""
    kinds = [_WORDS if any(_long(row[i]) for row in sheet.rows) else "" for i in range(1, len(sheet.columns))]
    columns = zip(sheet.columns, ["", *kinds], strict=True)
    heads = "".join(f'<th{kind} scope="col">{text(name)}</th>' for name, kind in columns)
    lines = [
        f'<div class="sheet"><div class="scroll" role="region" tabindex="0" aria-label="{escape(sheet.heading)}">',
        f"<table><caption>{text(sheet.heading)}</caption>",
        f"<thead><tr>{heads}</tr></thead>",
        "<tbody>",
    ]
    for number, (name, *cells) in enumerate(sheet.rows):
        ruled = ' class="ruled"' if number in sheet.rules else ""
        figures = "".join(f"<td{kind}>{text(cell)}</td>" for cell, kind in zip(cells, kinds, strict=True))
        lines.append(f'<tr{ruled}><th scope="row">{text(name)}</th>{figures}</tr>')
    lines.append("</tbody></table></div>")
    lines += [f'<p class="note">{text(note)}</p>' for note in sheet.notes]
    lines.append("</div>")
    return "\n".join(lines)


def _long(cell: str) -> bool:
    return any(len(line) > LONG for line in cell.splitlines())


def text(plain: str) -> str:
    """A text that shows as it is; its line breaks stay visible, and so does an indent."""
    indent = len(plain) - len(plain.lstrip(" "))
    return "&nbsp;" * indent + "<br>".join(escape(line) for line in plain[indent:].splitlines())
