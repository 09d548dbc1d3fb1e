"""The provider around the simulated model: its prompt cache, its rate limit, its faults and its speed.

State is kept for each run (the upper half of a request's seed) and dropped when no request of that run could still
see it, so that memory stays flat over any number of runs.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field

from harness.accounting.usage import NOT_BILLED
from harness.errors import ConfigError
from harness.models.protocol import TransportError
from harness.models.simulated.checks import at_least, probabilities
from harness.models.simulated.draws import Draws, uniform
from harness.models.simulated.prompt.wire import Prompt
from harness.models.simulated.provider.prefix_cache import PrefixCache

US = 1_000_000
"""Clock ticks a second."""
MINUTE = 60 * US
REFUSAL_S = 0.05
"""Seconds until a provider's refusal arrives: a round trip, no work."""
IDLE_S = 600
"""Seconds of silence after which a run is forgotten: beyond every window that its state is about, retries included."""


@dataclass(frozen=True, slots=True)
class Latency:
    """``ttft_s``: seconds to the first token of an empty prompt. ``per_prompt_token_s``: added by each prompt token
    that is not read from the cache. ``tokens_per_s``: speed of writing. ``jitter``: the whole is multiplied by a number
    drawn evenly from 1 ± jitter."""

    ttft_s: float = 0.5
    per_prompt_token_s: float = 0.00002
    tokens_per_s: float = 80.0
    jitter: float = 0.2

    def __post_init__(self) -> None:
        at_least(0, "latency.ttft_s", self.ttft_s)
        at_least(0, "latency.per_prompt_token_s", self.per_prompt_token_s)
        at_least(0.001, "latency.tokens_per_s", self.tokens_per_s)
        probabilities("latency", self, "jitter")

    def seconds(self, prompt: int, completion: int, luck: float) -> float:
        """``prompt``: tokens to process; ``luck``: from 0 to 1. In whole milliseconds."""
        plain = self.ttft_s + prompt * self.per_prompt_token_s + completion / self.tokens_per_s
        return round(plain * (1 + self.jitter * (2 * luck - 1)), 3)


@dataclass(frozen=True, slots=True)
class Cache:
    """The provider's cache of prompt prefixes. ``min_tokens``: the shortest prefix it keeps; longer ones in steps of
    ``step``. ``ttl_s``: seconds it keeps an unused one; 0 turns it off. ``report_writes``: whether usage tells what was
    written, as providers do that charge for it."""

    min_tokens: int = 1024
    step: int = 128
    ttl_s: float = 300.0
    report_writes: bool = False

    def __post_init__(self) -> None:
        at_least(1, "cache.min_tokens", self.min_tokens)
        at_least(1, "cache.step", self.step)
        at_least(0, "cache.ttl_s", self.ttl_s)
        if self.ttl_s > IDLE_S:
            raise ConfigError(f"model.cache.ttl_s={self.ttl_s}: must be at most {IDLE_S}.", key="model.cache.ttl_s")

    def snapped(self, tokens: int) -> int:
        """How much of a prefix of so many tokens is kept."""
        return 0 if tokens < self.min_tokens else tokens - (tokens - self.min_tokens) % self.step


@dataclass(frozen=True, slots=True)
class RateLimit:
    """``requests_per_minute``: accepted requests of one run in any 60 seconds; null: no limit."""

    requests_per_minute: int | None = None

    def __post_init__(self) -> None:
        at_least(1, "rate_limit.requests_per_minute", self.requests_per_minute)


@dataclass(frozen=True, slots=True)
class Faults:
    """Probabilities for each request that is sent, retries included: refused with a rate limit (to be tried again after
    ``retry_after_s``), failed with a server error, or stalled for ``stall_s``."""

    rate_limited: float = 0.0
    server_error: float = 0.0
    stall: float = 0.0
    retry_after_s: float = 2.0
    stall_s: float = 3600.0

    def __post_init__(self) -> None:
        probabilities("faults", self, "rate_limited", "server_error", "stall")
        at_least(0, "faults.retry_after_s", self.retry_after_s)
        at_least(0, "faults.stall_s", self.stall_s)


@dataclass(slots=True)
class RunState:
    """What the provider remembers of one run."""

    cache: PrefixCache
    accepted: deque[int] = field(default_factory=deque)
    attempts: dict[int, int] = field(default_factory=dict)
    seen: int = 0


class Provider:
    """Admits requests, and tells what was cached. ``now``: clock ticks."""

    def __init__(self, cache: Cache, rate_limit: RateLimit, faults: Faults) -> None:
        self._cache, self._rate_limit, self._faults = cache, rate_limit, faults
        self._runs: OrderedDict[int, RunState] = OrderedDict()

    @property
    def remembered(self) -> int:
        """How many runs it has not forgotten."""
        return len(self._runs)

    def admit(self, draws: Draws, now: int) -> bool:
        """Take a request in. True: it stalls. Raises TransportError for a refusal, which is not billed: the provider
        has done no work (a server error here is one before any work, too)."""
        run = self._run(draws.upper, now)
        attempt = run.attempts[draws.lower] = run.attempts.get(draws.lower, 0) + 1
        self._within_rate(run, now)
        faults = self._faults
        luck = uniform("fault", draws.upper, draws.lower, attempt)
        if luck < faults.rate_limited:
            raise _refusal("rate_limited", "too many requests", faults.retry_after_s)
        if luck < faults.rate_limited + faults.server_error:
            raise _refusal("server_error", "the server had an error", None)
        run.accepted.append(now)
        return luck < faults.rate_limited + faults.server_error + faults.stall

    def _within_rate(self, run: RunState, now: int) -> None:
        while run.accepted and run.accepted[0] <= now - MINUTE:
            run.accepted.popleft()
        bound = self._rate_limit.requests_per_minute
        if bound is not None and len(run.accepted) >= bound:
            wait = (run.accepted[-bound] + MINUTE - now) / US
            raise _refusal("rate_limited", f"more than {bound} requests a minute", wait)

    def cached(self, draws: Draws, prompt: Prompt, now: int) -> int:
        """Tokens of the prompt that are read from the cache."""
        held = self._run(draws.upper, now).cache.read(prompt, now)
        return self._cache.snapped(held)

    def keep(self, draws: Draws, prompt: Prompt, now: int, latency_s: float) -> int:
        """Cache a prompt, from when its answer is there; tokens that are then kept."""
        if self._cache.ttl_s == 0:
            return 0
        kept = self._cache.snapped(sum(prompt.sizes))
        if kept:
            self._run(draws.upper, now).cache.write(prompt, now + round(latency_s * US))
        return kept

    def _run(self, upper: int, now: int) -> RunState:
        run = self._runs.get(upper)
        if run is None:
            while self._runs and next(iter(self._runs.values())).seen < now - IDLE_S * US:
                self._runs.popitem(last=False)
            run = self._runs[upper] = RunState(PrefixCache(round(self._cache.ttl_s * US)))
        self._runs.move_to_end(upper)
        run.seen = now
        return run


def _refusal(kind: str, text: str, retry_after_s: float | None) -> TransportError:
    return TransportError(text, kind=kind, retry_after_s=retry_after_s, usage=NOT_BILLED, latency_s=REFUSAL_S)
