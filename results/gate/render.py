"""A gate's report on a terminal, and as what GitHub shows of a job."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from harness.errors import StoreError
from results.gate.report import Report, Verdict
from results.gate.sheets import gate_sheets, notes
from results.markdown import markdown, paragraph
from results.sheet import Sheet
from results.terminal import show, terminal

_SIGNS = {Verdict.PASS: "✅", Verdict.FAIL: "❌", Verdict.OPEN: "⚠️", Verdict.UNKNOWN: "⚠️"}


def print_gate(report: Report, console: Console | None = None) -> None:
    """The tables, the notes, and the verdict last."""
    console = console or terminal()
    for shown in gate_sheets(report):
        show(shown, console)
    for note in notes(report):
        show(f"note: {note}", console)
    show(report.sentence, console)


def job_summary(report: Report) -> str:
    """Markdown for ``$GITHUB_STEP_SUMMARY``: the verdict first."""
    parts = [f"## {_SIGNS[report.verdict]} Gate: {report.verdict}", "", paragraph(report.sentence), ""]
    for shown in gate_sheets(report):
        parts += [markdown(_one_line(shown)), ""]
    parts += [f"- {paragraph(note)}" for note in notes(report)]
    return "\n".join(parts) + "\n"


def append_summary(path: Path, report: Report) -> None:
    """Add the job summary to a file, as GitHub wants it: other steps of the job write to it too. Raises StoreError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and path.read_bytes()[:4] == b"PAR1":
            raise OSError("what is there is parquet, and no text is added to it")
        with path.open("a", encoding="utf-8") as file:
            file.write(job_summary(report))
    except OSError as error:
        raise StoreError(f"cannot write the summary {path}: {error}. Name a writable file.", path=str(path)) from error


def _one_line(shown: Sheet) -> Sheet:
    """Headings are broken for the terminal's width only."""
    plain = tuple(c.replace("\n", " ") for c in shown.columns)
    return Sheet(shown.title, shown.simulated, plain, shown.rows, shown.rules, shown.notes)
