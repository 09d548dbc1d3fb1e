"""A model of any provider that litellm knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harness.accounting.prices import CardPricing, PriceCard, Pricing
from harness.accounting.tokens import count_tokens
from harness.accounting.usage import NOT_BILLED, Usage
from harness.clock.protocol import Clock
from harness.errors import ConfigError, HarnessError, unknown
from harness.models.chat.client import ChatClient
from harness.models.chat.weights import estimated
from harness.models.chat.wire import body, response
from harness.models.litellm.catalogue import left_out, provider_of, refuse_missing_key, refuse_unknown_prices, window_of
from harness.models.litellm.faults import transport_error
from harness.models.litellm.keys import Keys
from harness.models.litellm.library import library
from harness.models.litellm.pricing import LiteLLMPricing, TieredUsage
from harness.models.protocol import Model, Request, Response, TransportError
from harness.models.roles import beside
from harness.models.simulated.checks import at_least

_ROUTING = "auto"
"""The service tier by which a provider chooses one: no tier by itself."""
_NARROW_SEED = frozenset({"gemini", "vertex_ai"})
"""Providers whose seed is a 32-bit integer (Gemini API reference, GenerationConfig)."""
_ASK_S = 10.0
"""Real seconds for asking a server whether it is simulated."""


@dataclass(frozen=True, slots=True)
class RoleModel:
    """The stronger model or that of a role, as the settings of the same names in ``LiteLLMModel``. ``api_base`` None:
    as the main model's, where the provider is the same."""

    name: str
    api_base: str | None = None
    window_tokens: int | None = None
    price: PriceCard | None = None
    prices_as: str | None = None

    def __post_init__(self) -> None:
        at_least(1, "roles.*.window_tokens", self.window_tokens)


@dataclass
class LiteLLMModel:
    """A model of any provider that litellm knows (``harness.models.protocol.Model``).

    ``name``: ``provider/model``, as litellm writes it. Keys come from the environment alone, where litellm looks for
    them, and appear in nothing that is written. ``api_base``: a server of one's own. ``temperature``, ``max_tokens``,
    ``service_tier``: sent with each request, None: not sent. ``window_tokens`` (key of ``window``): tokens of prompt,
    None: as litellm's table says. ``price``: USD per million tokens, which wins over litellm's table; ``prices_as``:
    bill as this model of the table, for a name that is not in it. ``roles`` (key of ``by_role``): role → the model
    that agents of this role use instead; a name alone, or one with settings of its own. ``strong``: likewise, the
    stronger model that some topologies turn to.

    Each ``complete`` is one request: litellm's own retries are off, since every attempt is a row. Where litellm says
    that a provider does not take ``seed`` or ``response_format``, these are left out; a seed is cut to 31 bits where
    the provider's has no more; tools never are: a model that cannot call them refuses, as a fault that no retry mends.

    ``simulated`` is False until ``open`` has asked the server at ``api_base``: the stand-in of this package says there
    that it is simulated, and then all rows say so.
    """

    name: str
    api_base: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    service_tier: str | None = None
    window: int | None = field(default=None, metadata={"key": "window_tokens"})
    price: PriceCard | None = None
    prices_as: str | None = None
    strong: str | RoleModel | None = None
    by_role: dict[str, str | RoleModel] = field(default_factory=dict, metadata={"key": "roles"})

    window_tokens: int = field(default=0, init=False)
    simulated: bool = field(default=False, init=False)
    roles: Mapping[str, Model] = field(default_factory=dict, init=False, repr=False)
    pricing: Pricing = field(init=False, repr=False)
    _where: str = field(default="model", init=False, repr=False)
    _always: dict[str, Any] | None = field(default=None, init=False, repr=False)
    _provider: str = field(default="", init=False, repr=False)
    _left_out: frozenset[str] = field(default=frozenset(), init=False, repr=False)
    _keys: Keys = field(default_factory=Keys, init=False, repr=False)

    def __post_init__(self) -> None:
        at_least(1, "window_tokens", self.window)
        at_least(1, "max_tokens", self.max_tokens)
        at_least(0, "temperature", self.temperature)
        if self.price is not None and self.prices_as is not None:
            raise ConfigError("model.price and model.prices_as both say what the model costs: leave one out.")
        self.pricing = (
            LiteLLMPricing(self.prices_as or self.name, _tier(self.service_tier))
            if self.price is None
            else CardPricing(self.price)
        )
        self.window_tokens = self.window or 0  # until ``open`` has looked it up
        self.roles = beside(self.by_role, self.strong, self._of_role)

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        """Tokens of each text, o200k_base: the same for every provider, and offline."""
        return [count_tokens(text) for text in texts]

    async def open(self, clock: Clock) -> None:
        """Check all that can be known before a request is paid for. Raises ConfigError for a provider that litellm does
        not know, a model whose size is unknown, and a key that is missing."""
        self._provider = provider_of(self.name, self._where)
        self.window_tokens = self.window or window_of(self.name, self._provider, self._where)
        refuse_missing_key(self.name, self._provider, self.api_base)
        self._keys = Keys()  # those that the environment holds when the first request may be sent
        self._left_out = left_out(self.name, self._provider)
        if self.prices_as is not None:
            refuse_unknown_prices(self.prices_as, self._where)
        self.simulated = self.api_base is not None and await _simulated(self.api_base, self.name, self._where)
        settings = {
            "api_base": self.api_base, "temperature": self.temperature, "service_tier": self.service_tier,
        }  # fmt: skip
        self._always = {key: value for key, value in settings.items() if value is not None}
        for model in self.roles.values():
            await model.open(clock)

    async def complete(self, request: Request) -> Response:
        """Send one request, once. Raises TransportError, without any key in its text; never retries. A provider that
        reports no usage gets an estimated one."""
        if self._always is None:
            raise HarnessError(f"model '{self.name}' is not open: call open before complete.")
        sent = replace(request, model=self.name, max_tokens=request.max_tokens or self.max_tokens)
        fields = {key: value for key, value in body(sent).items() if key not in self._left_out}
        if self._provider in _NARROW_SEED and "seed" in fields:
            fields["seed"] = request.seed % 2**31
        try:
            answer = await library().acompletion(**fields, **self._always, num_retries=0, max_retries=0)
        except Exception as fault:  # whatever litellm raises; the original may hold a key
            raise transport_error(fault, self._keys.scrub) from None
        payload = self._keys.scrubbed(answer.model_dump())
        read = await estimated(sent, response(payload), self.weigh)
        tier = _tier(payload.get("service_tier")) or _tier(self.service_tier)
        return read if tier is None else replace(read, usage=_tiered(read.usage, tier))

    async def close(self) -> None:
        """Close all connections that litellm keeps."""
        if self._always is not None:
            self._always = None
            litellm = library()
            await litellm.close_litellm_async_clients()
            litellm.in_memory_llm_clients_cache.flush_cache()  # a closed client must not be found again
        for model in self.roles.values():
            await model.close()

    def _of_role(self, where: str, chosen: str | RoleModel) -> Model:
        own = RoleModel(chosen) if isinstance(chosen, str) else chosen
        if own.name == self.name and isinstance(chosen, str):
            own = RoleModel(self.name, self.api_base, self.window, self.price, self.prices_as)
        same = own.name.partition("/")[0] == self.name.partition("/")[0]
        model = replace(
            self,
            name=own.name,
            api_base=own.api_base or (self.api_base if same else None),
            window=own.window_tokens,
            price=own.price,
            prices_as=own.prices_as,
            strong=None,
            by_role={},
        )
        model._where = where
        return model


def _tier(named: Any) -> str | None:
    """A service tier, or None where the name says nothing about which."""
    return named if isinstance(named, str) and named and named.lower() != _ROUTING else None


def _tiered(usage: Usage, tier: str) -> TieredUsage:
    return TieredUsage(
        usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens, usage.cache_write_tokens,
        usage.cache_write_long_tokens, usage.reasoning_tokens, usage.status, tier,
    )  # fmt: skip


async def _simulated(api_base: str, name: str, where: str) -> bool:
    """Whether the server lists the model as simulated. One that lists nothing, or wants a key for it, is not ours.
    Raises ConfigError for a server that is not there, and for a stand-in that serves another model."""
    client = ChatClient(api_base, None, _ASK_S)
    try:
        listed = await client.models()
    except TransportError as fault:
        if fault.kind == "connection" and fault.usage is NOT_BILLED:  # there was none
            raise ConfigError(f"{where}.api_base={api_base}: {fault}. Start the server, or correct the URL.") from None
        return False
    finally:
        await client.close()
    simulated = [str(entry.get("id")) for entry in listed if entry.get("simulated") is True]
    served = name.partition("/")[2]
    if simulated and served not in simulated:
        provider = name.partition("/")[0]
        raise ConfigError(unknown(f"{where}.name", name, [f"{provider}/{s}" for s in simulated]))
    return served in simulated
