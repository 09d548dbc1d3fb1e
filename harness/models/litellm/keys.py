"""The keys in the environment, to be taken out of everything that a provider says."""

from __future__ import annotations

import os
import re
from typing import Any

from harness.errors import ConfigError
from harness.models.chat.secret import TELLING, Secret

_NAME = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)(?:_|$)", re.I)


class Keys:
    """Every value of the environment whose variable's name says that it is a key (litellm reads them by itself)."""

    def __init__(self) -> None:
        values = {v.strip() for name, v in os.environ.items() if _NAME.search(name) and len(v.strip()) >= TELLING}
        self._secrets = tuple(filter(None, map(_secret, sorted(values, key=len, reverse=True))))

    def __repr__(self) -> str:
        return f"Keys({len(self._secrets)} hidden)"

    def scrub(self, text: str) -> str:
        """A text without any of them."""
        for secret in self._secrets:
            text = secret.scrub(text)
        return text

    def scrubbed(self, payload: Any) -> Any:
        """JSON values without any of them."""
        for secret in self._secrets:
            payload = secret.scrubbed(payload)
        return payload


def _secret(value: str) -> Secret | None:
    try:
        return Secret(value)
    except ConfigError:  # no header can carry it, so no provider has been sent it
        return None
