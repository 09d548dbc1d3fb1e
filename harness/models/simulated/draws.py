"""Chance without a stream: every draw is a hash of what it is about, so that no draw can shift another."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from harness.models.seeds import split_seed

ORDINAL_BITS = 12
"""Lowest bits of a request's seed, which number the requests of one agent (``harness.models.seeds``)."""


def uniform(*key: object) -> float:
    """A number in [0, 1) that is the same for the same key."""
    text = "\x1f".join(map(str, key)).encode("utf-8", "surrogatepass")
    return (int.from_bytes(blake2b(text, digest_size=8).digest(), "big") >> 11) / (1 << 53)


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of one request. ``upper``: what all agents of a run share; ``lower``: this agent and this request."""

    model: str
    upper: int
    lower: int

    @staticmethod
    def of(model: str, seed: int) -> Draws:
        return Draws(model, *split_seed(seed))

    def difficulty(self, question: str) -> float:
        """How hard an item is, from 0 to 1: the same for every topology, agent and model."""
        return uniform("difficulty", self.upper, question)

    def family(self, event: str, *key: object) -> float:
        """The same for all agents that use this model in one run."""
        return uniform("family", self.model, self.upper, event, *key)

    def agent(self, event: str, *key: object) -> float:
        """The same for all requests of one agent in one run."""
        return uniform("agent", self.upper, self.lower >> ORDINAL_BITS, event, *key)

    def request(self, event: str, *key: object) -> float:
        """Only this request's."""
        return uniform("request", self.upper, self.lower, event, *key)
