"""docs/cost-model.md says what the code does: its tables are the code's, and the tests it names exist."""

from __future__ import annotations

import re
from pathlib import Path

from harness.accounting.purposes import CLASS_OF, Purpose, Stance, read_as

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cost-model.md").read_text(encoding="utf-8")


def table(first: str) -> list[list[str]]:
    """The rows of the table whose first heading is ``first``."""
    lines = PAGE[PAGE.index(f"| {first} |") :].split("\n\n")[0].splitlines()
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_table_of_classes_is_the_code_s() -> None:
    assert [(purpose, cls) for cls, purpose, _ in table("class")] == [(str(p), CLASS_OF[p]) for p in Purpose]


def test_the_reading_table_is_the_code_s() -> None:
    for written, *cells in table("written as"):
        p = Purpose(written)
        others = [read_as(p, "a", "b", s) for s in (Stance.LEAD, Stance.WORKER, Stance.REVIEWER)]
        assert cells == [read_as(p, "a", "a", Stance.LEAD), *others]


def test_the_tests_it_names_exist() -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    for name in re.findall(r"`(test_\w+(?:\.py)?)`", PAGE):
        assert name in sources or any(f"def {name}(" in text for text in sources.values()), name
