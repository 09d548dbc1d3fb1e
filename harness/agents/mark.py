"""The line that makes a run's prompts its own."""

from __future__ import annotations

from hashlib import blake2b

from harness.accounting.parts import TASK, Part
from harness.accounting.purposes import Purpose


def mark(run_id: str) -> Part:
    """The first line of every system prompt of a run, so that no run is billed for less because another went before."""
    number = int.from_bytes(blake2b(run_id.encode(), digest_size=8).digest()) % 10**12
    digits = f"{number:012}"  # groups of three digits: the same number of tokens whatever they are
    return Part(f"[run {digits[:3]}-{digits[3:6]}-{digits[6:9]}-{digits[9:]}]\n", TASK, Purpose.TASK)
