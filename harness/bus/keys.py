"""Every name the bus uses in Redis. Nothing else in the harness spells one."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from harness.errors import ConfigError

_PREFIX = re.compile(r"[A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys ``<namespace>:mailbox:<session>:<agent>`` and channels ``<namespace>:agent:notify:<session>`` (seed document
    000, section 3.3). Sessions and agents may have any names: what would make two keys alike is escaped."""

    namespace: str

    @staticmethod
    def under(prefix: str) -> Keys:
        """Names for one opened bus. The random part keeps apart experiments that share a server and, their session
        ids being made from the seed, would share mailboxes too. ConfigError for an unusable prefix."""
        if not _PREFIX.fullmatch(prefix):
            raise ConfigError(
                f"bus.prefix is '{prefix}'; it must be one or more letters, digits, '_', '.' or '-' (for example 'th')."
            )
        return Keys(f"{prefix}:{secrets.token_hex(4)}")

    def mailbox(self, session: str, agent: str) -> bytes:
        return encode(f"{self.namespace}:mailbox:{_escape(session)}:{_escape(agent)}")

    def channel(self, session: str) -> bytes:
        return encode(f"{self.namespace}:agent:notify:{_escape(session)}")


def encode(text: str) -> bytes:
    """UTF-8 that also carries the lone surrogates a model's broken JSON escapes can contain."""
    return text.encode("utf-8", "surrogatepass")


def decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def _escape(name: str) -> str:
    return name.replace("%", "%25").replace(":", "%3A")
