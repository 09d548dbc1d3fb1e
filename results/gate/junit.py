"""A gate's report as JUnit XML: a test case for each rule and cell."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from harness.errors import StoreError
from results.gate.figures import sentence
from results.gate.report import Judgement, Report, Verdict
from results.parts import write_text_whole

LISTED = 1_000
"""Differences in the suite's output: a report must stay readable when everything has changed."""
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 has no way to write, not even as a reference (section 2.2)."""


def junit(report: Report) -> str:
    """The whole document. What could not be evaluated is an error, a regression a failure; nothing is ever skipped."""
    errors = report.count(Verdict.OPEN, Verdict.UNKNOWN)
    counts = {"tests": str(len(report.judgements)), "failures": str(report.count(Verdict.FAIL)), "errors": str(errors)}
    root = ET.Element("testsuites", {"name": "gate", **counts})
    name = _text(f"gate against {report.baseline}")
    suite = ET.SubElement(root, "testsuite", {"name": name, "skipped": "0", **counts})
    properties = ET.SubElement(suite, "properties")
    for name, value in (("baseline", report.baseline), ("candidate", report.candidate), ("verdict", report.sentence)):
        ET.SubElement(properties, "property", name=name, value=_text(value))
    for judgement in report.judgements:
        _case(suite, judgement, report.update)
    shown = [f"{d.cell.label}, {d}" for d in report.differences[:LISTED]]
    if len(report.differences) > LISTED:
        shown.append(f"and {len(report.differences) - LISTED:,} more differences")
    ET.SubElement(suite, "system-out").text = _text(
        "\n".join((*shown, *filter(None, [report.exemptions]), *report.notes))
    )
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def write_junit(path: Path, report: Report) -> None:
    """Write the document, whole or not at all. Raises StoreError."""
    try:
        if path.is_dir() or (path.exists() and path.read_bytes()[:5] not in (b"", b"<?xml")):
            raise OSError("what is there is no XML, and is not overwritten")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_whole(path, junit(report))
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error}. Name a writable file.", path=str(path)) from error


def _case(suite: ET.Element, judgement: Judgement, update: str) -> None:
    cell = "no cell" if judgement.cell is None else judgement.cell.label
    kind = "simulated" if judgement.simulated else "real"
    case = ET.SubElement(suite, "testcase", classname=_text(cell), name=_text(judgement.rule), time="0")
    if judgement.verdict is Verdict.PASS:
        return
    failed = judgement.verdict is Verdict.FAIL
    found = ET.SubElement(case, "failure" if failed else "error")
    found.set("type", judgement.verdict.value)
    read = f"{sentence(judgement.figures)}; " if judgement.figures else ""
    found.set("message", _text(f"{read}{judgement.says}"))
    meant = f"\nIf the change is meant: {update}" if failed and update else ""
    found.text = _text(f"{judgement.rule}, {cell} ({kind} rows): {read}{judgement.says}{meant}")


def _text(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)
