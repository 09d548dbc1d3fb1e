"""Tables on a terminal, 100 columns wide, plain text where there is no terminal."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.errors import StoreError
from results.sheet import BANNER, Sheet

WIDTH = 100


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Whoever read the output has enough: not exit code 1, as rich has it, which means that something is wrong."""
        raise BrokenPipeError


def terminal() -> Console:
    """Standard output."""
    return _Console(width=WIDTH)


def rendered(prints: Callable[[Console], None]) -> str:
    """What would stand on standard output: of plain characters where it knows no others, with colours on a terminal."""
    code = getattr(sys.stdout, "encoding", None) or "utf-8"
    held = io.BytesIO()
    file = io.TextIOWrapper(held, encoding=code, errors="backslashreplace", newline="", write_through=True)
    prints(Console(file=file, width=WIDTH, force_terminal=bool(sys.stdout and sys.stdout.isatty())))
    return held.getvalue().decode(code)


def said(text: str) -> None:
    """Write a text to standard output, whatever its encoding. A reader that has gone (``| head``) is no error.

    Raises StoreError where it cannot be written.
    """
    out = sys.stdout
    if out is None:  # closed by who started the command
        return
    code = out.encoding or "utf-8"
    try:
        out.write(text.encode(code, "backslashreplace").decode(code))
        out.flush()
    except OSError as error:
        with suppress(OSError, ValueError):  # what is left in the buffer must not fail once more at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
        if not isinstance(error, BrokenPipeError):
            raise StoreError(f"cannot write to standard output: {error}. Send it elsewhere.") from error


def show(shown: Sheet | str, console: Console) -> None:
    """A table, or a sentence, as it is."""
    console.print(_table(shown) if isinstance(shown, Sheet) else Text(shown))


def banner(what: str, simulated: bool, console: Console) -> None:
    """What follows is about this, and whether any of it is evidence."""
    console.print(Text(f"{BANNER} · {what}" if simulated else what, style="bold"))
    if simulated:
        console.print(Text("No model was asked: what-if figures, never evidence about a real model."))


def _table(sheet: Sheet) -> Table:
    """Names to the left, figures to the right; texts are taken as they are."""
    table = Table(title=Text(sheet.heading), title_justify="left", box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    first, *columns = sheet.columns
    table.add_column(Text(first), overflow="fold")
    for column in columns:
        longest = max(map(len, column.split()), default=1)  # no word of a heading is to be broken
        table.add_column(Text(column), justify="right", overflow="fold", min_width=longest)
    for number, row in enumerate(sheet.rows):
        table.add_row(*map(Text, row), end_section=number + 1 in sheet.rules)
    if sheet.notes:
        table.caption = Text("\n".join(sheet.notes))
        table.caption_justify = "left"
    return table
