"""An API key that is sent and never shown."""

from __future__ import annotations

from typing import Any

from harness.errors import ConfigError

HIDDEN = "***"
TELLING = 8
"""Shortest key that is taken out of answers too: shorter ones (``none``, ``EMPTY``) are no secrets, and are words."""


class Secret:
    """A key, or none. White space around it is not part of it. Raises ConfigError for one that no header can carry."""

    __slots__ = ("_key",)

    def __init__(self, key: str | None) -> None:
        self._key = (key or "").strip()
        if not (self._key.isascii() and self._key.isprintable()) or " " in self._key:
            raise ConfigError(
                "the API key holds characters that no HTTP header can carry (blanks, line breaks or other than ASCII): "
                "correct the environment variable that holds it."
            )

    def __bool__(self) -> bool:
        return bool(self._key)

    def __repr__(self) -> str:
        return HIDDEN if self._key else "no key"

    def headers(self) -> dict[str, str]:
        """The Authorization header; none without a key."""
        return {"Authorization": f"Bearer {self._key}"} if self._key else {}

    def scrub(self, text: str) -> str:
        """A text without the key."""
        return text.replace(self._key, HIDDEN) if self._key else text

    def scrubbed(self, payload: Any) -> Any:
        """JSON values without the key, where it is long enough to be one."""
        if len(self._key) < TELLING:
            return payload
        if isinstance(payload, str):
            return self.scrub(payload)
        if isinstance(payload, list):
            return [self.scrubbed(entry) for entry in payload]
        if isinstance(payload, dict):
            return {self.scrub(name): self.scrubbed(value) for name, value in payload.items()}
        return payload
