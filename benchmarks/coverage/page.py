"""The table of docs/coverage.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.coverage.experiment import Counts
from benchmarks.coverage.populations import Population

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
START, END = "<!-- python -m benchmarks.coverage --write -->\n", "<!-- end -->\n"
HEADER = (
    "population",
    "n",
    "held %",
    "truth below %",
    "truth above %",
    "found %",
    "bootstrap held %",
    "labelled skewed %",
    "of these held %",
    "unbounded %",
)


def row(population: Population, n: int, counts: Counts) -> tuple[str, ...]:
    """The texts of one line, in the order of the header."""

    def share(part: int | None, whole: int = counts.experiments) -> str:
        return "-" if part is None or not whole else f"{100 * part / whole:.1f}"

    ratio = counts.check is None
    return (
        population.name,
        str(n),
        share(counts.held),
        share(counts.below),
        share(counts.above),
        share(counts.wins),
        share(counts.check),
        share(None if population.scores else counts.labelled),
        share(None if population.scores else counts.labelled_held, counts.labelled),
        share(counts.unbounded if ratio else None),
    )


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """The rows as a table, under its header."""
    rule = ("---", *["---:"] * (len(HEADER) - 1))
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (HEADER, rule, *rows))


def write(table: str) -> None:
    """Put the table in the place of the one in the page."""
    before, rest = PAGE.read_text(encoding="utf-8").split(START)
    PAGE.write_text(before + START + "\n" + table + "\n" + END + rest.split(END)[1], encoding="utf-8")


def read() -> dict[tuple[str, int], dict[str, str]]:
    """The page's table: (population, n) → column → text."""
    lines = PAGE.read_text(encoding="utf-8").split(START)[1].split(END)[0].strip().splitlines()
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines[2:]]
    return {(c[0], int(c[1])): dict(zip(HEADER, c, strict=True)) for c in cells}
