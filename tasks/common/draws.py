"""Draws by key: the same key gives the same number, whatever was drawn before."""

from __future__ import annotations

import hashlib


def draw(*key: object) -> int:
    """A number below 2⁶⁴ that depends on the key only."""
    text = "\x1f".join(map(str, key))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def stream(*key: object) -> list[float]:
    """Sixteen numbers in [0, 1) from one key, for decisions about the characters of one sentence, used in turn."""
    digest = hashlib.sha512("\x1f".join(map(str, key)).encode()).digest()
    return [int.from_bytes(digest[i : i + 4], "big") / 2**32 for i in range(0, 64, 4)]
