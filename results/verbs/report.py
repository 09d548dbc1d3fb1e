"""``report``: everything about one experiment, in a folder to be read and handed on."""

from __future__ import annotations

import argparse

from harness.errors import HarnessError
from results.verbs import roi
from results.verbs.verb import Verb


def run(chosen: argparse.Namespace) -> int:
    from results.frames import load
    from results.report.report import write_report

    if not chosen.out.strip():
        raise HarnessError("--out is empty: name a folder, such as report.")
    written = write_report(load(chosen.dir), chosen.out, chosen.experiment, roi.prices(chosen))
    print(f"{written.html}: one file, to be opened in a browser; {written.markdown}: with {written.pictures} pictures")
    return 0


def options(parser: argparse.ArgumentParser) -> None:
    """Where to, and what results are worth."""
    parser.add_argument("--out", default="report", metavar="FOLDER", help="the folder to write (default: report)")
    roi.options(parser)


VERB = Verb(
    "report",
    "write a report: one HTML file, Markdown, and plots",
    "Write FOLDER/report.html (one file, no network), FOLDER/report.md and PNG plots of one experiment, verdict first. "
    "An earlier report there is replaced; a folder that holds anything else is refused.",
    run,
    options,
)
