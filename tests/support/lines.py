"""Files of JSON Lines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path


def write(path: Path, *rows: object) -> str:
    """Write a row a line, a text as it is and anything else as JSON, packed if the name ends in .gz. The path again."""
    lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    data = "\n".join(lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)
