"""``python -m results report``, as a function."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from results.frames import Results
from results.report.build import document
from results.report.document import Document
from results.report.folder import refuse_foreign, write
from results.report.page import page
from results.report.paper import paper
from results.report.plots.style import png
from results.verdict.prices import Prices


@dataclass(frozen=True, slots=True)
class Written:
    """``html``, ``markdown``: the files; ``pictures``: how many PNG files are beside them."""

    html: Path
    markdown: Path
    pictures: int
    document: Document


def write_report(
    results: Results, out: str | Path = "report", experiment: str | None = None, prices: Prices | None = None
) -> Written:
    """Write ``report.html``, ``report.md`` and its pictures to the folder ``out``, in the place of an earlier report.

    Raises StoreError for a folder that holds anything else, for rows that cannot be reported, and where nothing can be
    written; the folder is then as it was.
    """
    folder = Path(out)
    refuse_foreign(folder)
    made = document(results, experiment, prices)
    pictures = {picture.name: png(picture.draw) for picture in made.pictures()}
    files = {f"{name}.png": content for name, content in pictures.items()}
    files |= {"report.html": page(made, pictures).encode(), "report.md": paper(made).encode()}
    write(folder, files)
    return Written(folder / "report.html", folder / "report.md", len(pictures), made)
