"""Answers of functions that decide nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tasks.common.files import NAMING, TELLING
from tasks.common.programs.function import Function


def every_candidate(functions: Sequence[Function]) -> list[str]:
    """The right and the wrong sources of each file, as blocks and as entries, and all that is known of them."""
    candidates = [(f.file, source) for f in functions for source in (*f.wrong, f.solution)]
    blocks = "\n\n".join(f"{name}\n```\n{source}```" for name, source in candidates)
    entries = json.dumps([{NAMING: name, TELLING: source} for name, source in candidates])
    return [blocks, entries, "\n".join(f.line + f.tests for f in functions)]
