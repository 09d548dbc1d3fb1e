"""A fingerprint of material."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def digest(*values: Any) -> str:
    """sha256 over JSON-ready values, the same on every machine."""
    text = json.dumps(values, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
