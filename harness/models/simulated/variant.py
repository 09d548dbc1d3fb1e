"""Another simulated model beside the main one: of another family, stronger, or dearer."""

from __future__ import annotations

from dataclasses import dataclass

from harness.accounting.prices import PriceCard
from harness.models.simulated.checks import at_least, probabilities


@dataclass(frozen=True, slots=True)
class Variant:
    """What differs from the main model; None: nothing. ``name``: its own family, whose errors agree with each other and
    not with those of another name (``answering.correlation``). ``accuracy``: as ``behaviour.answering.accuracy``.
    ``price``: USD per million tokens. ``window_tokens``: the most it can read at once. ``tokens_per_s``: as in
    ``latency``."""

    name: str
    accuracy: float | None = None
    price: PriceCard | None = None
    window_tokens: int | None = None
    tokens_per_s: float | None = None

    def __post_init__(self) -> None:
        if self.accuracy is not None:
            probabilities("(strong | roles.*)", self, "accuracy")
        at_least(1, "(strong | roles.*).window_tokens", self.window_tokens)
        at_least(0.001, "(strong | roles.*).tokens_per_s", self.tokens_per_s)
