"""A table ready to be shown: texts and nothing else, whatever shows it (terminal, Markdown, HTML)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

BANNER = "SIMULATED"


@dataclass(slots=True)
class Sheet:
    """``columns``: headings, the first of which is that of the rows' names; a line break in a heading is a good place
    to break it. ``rows``: as many texts as there are columns. ``rules``: numbers of rows above which a line is drawn.
    ``notes``: sentences that stand under it. ``simulated``: whether its figures are; the shown title says so.
    """

    title: str
    simulated: bool
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    rules: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def heading(self) -> str:
        """The title, with what must never be left out of it."""
        return f"{BANNER} · {self.title}" if self.simulated else self.title

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from results.html import html

        return html(self)

    def add(self, name: str, cells: Sequence[str]) -> None:
        """One row. Raises ValueError where it does not fit the columns."""
        if len(cells) + 1 != len(self.columns):
            raise ValueError(f"'{self.title}' has {len(self.columns)} columns, row '{name}' {len(cells) + 1}.")
        self.rows.append((name, *cells))

    def rule(self) -> None:
        """A line under the rows there are."""
        self.rules.append(len(self.rows))


def sheet(title: str, simulated: bool, first: str, columns: Sequence[str]) -> Sheet:
    """An empty one: names of the kind ``first`` to the left, figures to the right."""
    return Sheet(title, simulated, (first, *columns))
