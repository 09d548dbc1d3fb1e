"""Another simulated model beside the main one: of another family, stronger, or dearer."""

from __future__ import annotations

from dataclasses import dataclass

from harness.accounting.prices import PriceCard
from harness.errors import ConfigError
from harness.models.simulated.checks import at_least, probabilities


@dataclass(frozen=True, slots=True)
class Variant:
    """What differs from the main model; None: nothing. ``name``: its own family, whose errors agree with each other and
    not with those of another name (``answering.correlation``). ``accuracy``: as ``behaviour.answering.accuracy``.
    ``price``: USD per million tokens. ``window_tokens``: the most it can read at once. ``tokens_per_s``: as in
    ``latency``. Raises nothing by itself: ``check`` knows where it stands."""

    name: str
    accuracy: float | None = None
    price: PriceCard | None = None
    window_tokens: int | None = None
    tokens_per_s: float | None = None

    def check(self, key: str) -> None:
        """Raise ConfigError for a value that cannot be. ``key``: where it stands, without ``model.`` in front."""
        if not self.name:
            raise ConfigError(f"model.{key}.name is empty: a model beside the main one needs a name.")
        if self.accuracy is not None:
            probabilities(key, self, "accuracy")
        at_least(1, f"{key}.window_tokens", self.window_tokens)
        at_least(0.001, f"{key}.tokens_per_s", self.tokens_per_s)
