"""Server addresses as they may be shown."""

from __future__ import annotations

import re

_CREDENTIALS = re.compile(r"(?<=://).*@")
_PASSWORD_OPTION = re.compile(r"(?i)(password=)[^&]*")


def masked(url: str) -> str:
    """The URL with all credentials hidden, whether they stand before the host or in the query."""
    return _PASSWORD_OPTION.sub(r"\1***", _CREDENTIALS.sub("***@", url))
