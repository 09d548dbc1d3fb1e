"""The simulated model: a request in, an answer out, by reading the prompt and by declared odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness.accounting.prices import CardPricing, PriceCard, Pricing, UnpricedModel
from harness.accounting.tokens import count_tokens
from harness.accounting.usage import Usage
from harness.clock.protocol import Clock
from harness.errors import ConfigError, HarnessError
from harness.models.oracle import Oracle
from harness.models.protocol import Model, Request, Response, ToolCall
from harness.models.roles import beside
from harness.models.simulated.behaviour import Behaviour
from harness.models.simulated.checks import at_least
from harness.models.simulated.completion import complete
from harness.models.simulated.draws import Draws
from harness.models.simulated.moves import MOVES
from harness.models.simulated.prompt.knowledge import Knowledge
from harness.models.simulated.prompt.view import View
from harness.models.simulated.prompt.wire import Prompt, WireMessage, described, offered, prompt_of, wire
from harness.models.simulated.provider.provider import Cache, Faults, Latency, Provider, RateLimit
from harness.models.simulated.skills.act import Act
from harness.models.simulated.variant import Variant

STRONGER = Variant("simulated-strong", 0.98, PriceCard(input=2.50, cached_input=1.25, output=10.00))


@dataclass
class SimulatedModel:
    """A model that is offline and free (``harness.models.protocol.Model``).

    It gets nothing but the request. Beside it, it has the suite's oracle, and may use an answer only if its evidence or
    an entry for its question stands in the prompt. Every draw depends on the request's seed and on what it is about.
    ``window_tokens`` and ``max_output_tokens``: the most it can read and write at once. ``reasoning_share``: reasoning
    tokens for each token written. ``price``: USD per million tokens, None for an unpriced model. ``strong``: the
    stronger model beside it; ``roles`` (key of ``by_role``): role → the model of its agents, a name alone or what
    differs. What the other settings mean, and where their values come from, stands in ``conf/model/simulated.yaml``.
    """

    name: str = "simulated"
    window_tokens: int = 128_000
    max_output_tokens: int = 8192
    reasoning_share: float = 0.0
    price: PriceCard | None = field(default_factory=lambda: PriceCard(input=0.15, cached_input=0.075, output=0.60))
    behaviour: Behaviour = field(default_factory=Behaviour)
    latency: Latency = field(default_factory=Latency)
    cache: Cache = field(default_factory=Cache)
    rate_limit: RateLimit = field(default_factory=RateLimit)
    faults: Faults = field(default_factory=Faults)
    strong: str | Variant | None = field(default_factory=lambda: STRONGER)
    by_role: dict[str, str | Variant] = field(default_factory=dict, metadata={"key": "roles"})

    simulated: bool = field(default=True, init=False)
    roles: Mapping[str, Model] = field(default_factory=dict, init=False, repr=False)
    pricing: Pricing = field(init=False, repr=False)
    _provider: Provider = field(init=False, repr=False)
    _knowledge: Knowledge | None = field(default=None, init=False, repr=False)
    _clock: Clock | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        at_least(1, "window_tokens", self.window_tokens)
        at_least(1, "max_output_tokens", self.max_output_tokens)
        at_least(0, "reasoning_share", self.reasoning_share)
        self.pricing = UnpricedModel() if self.price is None else CardPricing(self.price)
        self._provider = Provider(self.cache, self.rate_limit, self.faults)
        self.roles = beside(self.by_role, self.strong, self._of_role)

    def consult(self, oracle: Oracle | None) -> None:
        """Be told where to look up questions: the suite's oracle, before ``open``. A suite without one cannot be
        simulated, and ``open`` will say so."""
        self._knowledge = None if oracle is None else Knowledge(oracle)
        for model in self.roles.values():
            if isinstance(model, SimulatedModel):
                model.consult(oracle)

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        """Tokens of each text, o200k_base."""
        return [count_tokens(text) for text in texts]

    async def open(self, clock: Clock) -> None:
        """Raises ConfigError when there is no oracle."""
        if self._knowledge is None:
            raise ConfigError(
                f"model '{self.name}' is simulated and needs the task's oracle, but this task has none: choose another "
                "model (model=scripted, or a real one) or a task that can be simulated."
            )
        self._clock = clock
        for model in self.roles.values():
            await model.open(clock)

    async def close(self) -> None:
        """Forget the runs."""
        self._provider = Provider(self.cache, self.rate_limit, self.faults)
        for model in self.roles.values():
            await model.close()

    async def complete(self, request: Request) -> Response:
        """Answer at once; how long it would have taken is in ``latency_s``. Raises TransportError at the rates of
        ``faults`` and ``rate_limit``."""
        if self._clock is None or self._knowledge is None:
            raise HarnessError(f"model '{self.name}' is not open: call consult and open before complete.")
        now = self._clock.ticks()
        draws = Draws.of(self.name, request.seed)
        stalls = self._provider.admit(draws, now)
        messages = tuple(map(wire, request.messages))
        prompt = prompt_of(request, messages)
        longest = min(self.max_output_tokens, request.max_tokens or self.max_output_tokens)
        view = self._view(request, messages, prompt, draws, self._knowledge)
        said = complete(_act(view), self.behaviour.malformed, draws, longest)
        cached = self._provider.cached(draws, prompt, now)
        reasoning = round(said.tokens * self.reasoning_share)
        latency = self.latency.seconds(prompt.tokens - cached, said.tokens + reasoning, draws.request("latency"))
        kept = self._provider.keep(draws, prompt, now, latency)
        usage = Usage(
            prompt_tokens=prompt.tokens,
            completion_tokens=said.tokens + reasoning,
            cached_tokens=cached,
            cache_write_tokens=max(0, kept - cached) if self.cache.report_writes else 0,
            reasoning_tokens=reasoning,
        )
        calls = tuple(
            ToolCall(f"call_{draws.lower:08x}_{len(messages)}_{i}", name, raw)
            for i, (name, raw) in enumerate(said.calls)
        )
        latency = max(latency, self.faults.stall_s) if stalls else latency
        return Response(said.text, calls, usage, said.finish_reason, latency, simulated=True)

    def _of_role(self, where: str, chosen: str | Variant) -> Model:
        own = Variant(chosen) if isinstance(chosen, str) else chosen
        own.check(where.removeprefix("model."))
        behaviour, latency = self.behaviour, self.latency
        if own.accuracy is not None:
            behaviour = replace(behaviour, answering=replace(behaviour.answering, accuracy=own.accuracy))
        if own.tokens_per_s is not None:
            latency = replace(latency, tokens_per_s=own.tokens_per_s)
        return replace(
            self,
            name=own.name,
            window_tokens=own.window_tokens or self.window_tokens,
            price=own.price or self.price,
            behaviour=behaviour,
            latency=latency,
            strong=None,
            by_role={},
        )

    def _view(
        self, request: Request, messages: tuple[WireMessage, ...], prompt: Prompt, draws: Draws, knowledge: Knowledge
    ) -> View:
        return View(
            messages,
            prompt,
            offered(request.tools),
            request.response_format,
            self.window_tokens,
            self.max_output_tokens,
            self.behaviour,
            draws,
            knowledge,
            described(request.tools),
        )


def _act(view: View) -> Act:
    return next(move.act(view) for move in MOVES if move.applies(view))
