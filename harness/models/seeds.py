"""The integer seed of a request: what a draw may depend on, without a side channel.

The upper 31 bits carry (run seed, sample, epoch): common random numbers over topologies and agents. The lower 32 carry
(topology, agent) in 20 bits and the ordinal of this agent's request in 12, so that one more call by one agent changes
no other's draws.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

_ORDINALS = 12


@lru_cache(maxsize=4096)
def _digest(text: str, bits: int) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big") >> (64 - bits)


def request_seed(run_seed: int, sample_id: str, epoch: int, topology: str, agent: str, ordinal: int) -> int:
    """A seed below 2⁶³. ``ordinal``: how many requests this agent has sent before; wraps at 4,096."""
    upper = _digest(f"{run_seed}|{sample_id}|{epoch}", 31)
    lower = _digest(f"{topology}|{agent}", 32 - _ORDINALS)
    return upper << 32 | lower << _ORDINALS | ordinal % (1 << _ORDINALS)


def split_seed(seed: int) -> tuple[int, int]:
    """(upper, lower): what is common to all agents of a run, and what is this agent's and this request's own."""
    return seed >> 32, seed & 0xFFFFFFFF
