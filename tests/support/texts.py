"""Texts of a known size."""

from __future__ import annotations

from harness.accounting.parts import Part
from harness.accounting.purposes import Purpose
from harness.accounting.tokens import count_tokens


def text_of_tokens(n: int, word: str = "team") -> str:
    """A text of exactly ``n`` tokens."""
    text = f" {word}" * n
    if count_tokens(text) != n:
        raise ValueError(f"'{word}' is not one token")
    return text


def part(purpose: str, tokens: int, author: str, word: str = "team") -> Part:
    """A part of exactly ``tokens`` tokens."""
    return Part(text_of_tokens(tokens, word), author, Purpose(purpose))
