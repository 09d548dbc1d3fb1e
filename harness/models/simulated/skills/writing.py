"""Deliverables as text."""

from __future__ import annotations

import json
from collections.abc import Iterable

from harness.blocks import block
from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import Entry
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.answering import array_field, deliverable


def write(view: View, entries: Iterable[tuple[Item, Entry | None]]) -> str:
    """A JSON array, an entry a line, or an object around it if that is the form asked for; or fenced blocks, each under
    the name of its file."""
    if view.in_blocks and view.form is None:
        told = (tuple(entry.values())[:2] for entry in deliverable(view, entries))
        return "\n\n".join(block(str(name), str(body)) for name, body in told if body is not None)
    rows = ",\n".join(json.dumps(dict(e), ensure_ascii=False) for e in deliverable(view, entries))
    array = f"[\n{rows}\n]" if rows else "[]"
    field = array_field(view.form)
    return array if field is None else f"{{{json.dumps(field, ensure_ascii=False)}: {array}}}"
