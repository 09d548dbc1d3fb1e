"""Files of other people's rows, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import results
from results.exchange.column_map import ColumnMap, parse
from results.frames import Results

MAP = "agent=who,sample=item,score=points,prompt_tokens=in,completion_tokens=out,usd=cost,seconds=took"
HEAD = "who,item,points,in,out,cost,took"
SOLO, CREW = "solo,a,1,100,20,0.5,3", "crew,a,0.25,300,60,1.25,2.5"


def table(folder: Path, *lines: str, head: str = HEAD, name: str = "rows.csv") -> Path:
    path = folder / name
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return path


def mapped(text: str = MAP, **options: Any) -> ColumnMap:
    return parse(text).changed(**{"single": "solo", **options})


def brought(folder: Path, file: Path | Sequence[Path], chosen: ColumnMap | None = None) -> Results:
    """The store that a file becomes, which is clean."""
    files = [file] if isinstance(file, Path) else file
    root = folder / "imported"
    results.import_rows(files, chosen or mapped(), root)
    report = results.check(root)
    assert report.clean, report.faults
    return results.load(root)
