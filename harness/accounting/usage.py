"""What a provider reports about one attempt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from harness.errors import HarnessError


class AccountingError(HarnessError):
    """Numbers that cannot be true were reported, or a split does not conserve them."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens in the convention of OpenTelemetry's GenAI: prompt includes cached and cache-written tokens, completion
    includes reasoning. ``cache_write_long_tokens`` is the part of ``cache_write_tokens`` with the long time-to-live.
    ``missing``: the call failed after it was sent, so the counts are unknown and stand at 0.
    """

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    cache_write_long_tokens: int = 0
    reasoning_tokens: int = 0
    status: Literal["reported", "estimated", "missing"] = "reported"

    def check(self) -> None:
        """Raise AccountingError unless every count is possible (docs/cost-model.md, step 1)."""
        counts = (
            self.prompt_tokens,
            self.completion_tokens,
            self.cached_tokens,
            self.cache_write_tokens,
            self.cache_write_long_tokens,
            self.reasoning_tokens,
        )
        if min(counts) < 0:
            raise AccountingError(f"usage with a negative count: {self}", usage=self)
        if self.cached_tokens + self.cache_write_tokens > self.prompt_tokens:
            raise AccountingError(f"usage with more cached and written tokens than prompt tokens: {self}", usage=self)
        if self.cache_write_long_tokens > self.cache_write_tokens:
            raise AccountingError(f"usage with more long-lived cache writes than cache writes: {self}", usage=self)
        if self.reasoning_tokens > self.completion_tokens:
            raise AccountingError(f"usage with more reasoning than completion tokens: {self}", usage=self)


MISSING = Usage(0, 0, status="missing")
NOT_BILLED = Usage(0, 0)
"""A request that the provider refused before any work (a rate limit): known to have cost nothing."""
