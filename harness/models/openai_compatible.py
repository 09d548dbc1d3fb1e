"""Any server that speaks the OpenAI chat protocol: Ollama, vLLM, llama.cpp, a gateway, or our own stand-in."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harness.accounting.prices import CardPricing, PriceCard, Pricing, UnpricedModel
from harness.accounting.tokens import count_tokens
from harness.clock.protocol import Clock
from harness.errors import ConfigError, HarnessError, unknown
from harness.models.chat.client import ChatClient
from harness.models.chat.weights import ServerWeights, estimated
from harness.models.protocol import Model, Request, Response, TransportError
from harness.models.roles import beside

LATEST = ":latest"
"""Ollama lists a model that is named without a tag with this one."""


@dataclass(frozen=True, slots=True)
class ServedModel:
    """The stronger model or that of a role, as the settings of the same names in ``OpenAICompatibleModel``; None: as
    the main model's."""

    name: str
    base_url: str | None = None
    window_tokens: int | None = None
    price: PriceCard | None = None


@dataclass
class OpenAICompatibleModel:
    """A model behind HTTP (``harness.models.protocol.Model``).

    ``name``: as the server lists it; empty: the only one that it lists, those aside that say which other one is
    their ``parent``. ``base_url``: up to and with ``/v1``.
    ``api_key_env``: the environment variable that holds the key; where it is not set no key is sent. ``window_tokens``:
    the longest prompt that the server takes. ``max_tokens``, ``temperature``, ``top_p``: sent with each request, None:
    not sent. ``timeout_s``: real seconds for one request, whatever the run's own limits are. ``price``: USD per million
    tokens, None for an unpriced model. ``strong``: the stronger model beside it; ``roles`` (key of ``by_role``): role →
    the model of its agents: a name alone, or one with settings of its own.

    ``simulated`` is False until ``open`` has asked the server: this package's stand-in says there that it is simulated,
    and then all rows say so. Its time is real all the same, since the answers come over a network.
    """

    name: str = ""
    base_url: str = "http://127.0.0.1:8089/v1"
    api_key_env: str = "OPENAI_API_KEY"
    window_tokens: int = 128_000
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    timeout_s: float = 600.0
    price: PriceCard | None = None
    strong: str | ServedModel | None = None
    by_role: dict[str, str | ServedModel] = field(default_factory=dict, metadata={"key": "roles"})

    simulated: bool = field(default=False, init=False)
    roles: Mapping[str, Model] = field(default_factory=dict, init=False, repr=False)
    pricing: Pricing = field(init=False, repr=False)
    _where: str = field(default="model", init=False, repr=False)
    _client: ChatClient | None = field(default=None, init=False, repr=False)
    _weights: ServerWeights | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for key, low in (("window_tokens", 1), ("max_tokens", 1), ("temperature", 0), ("top_p", 0), ("timeout_s", 0)):
            value = getattr(self, key)
            if value is not None and not (low <= value < float("inf")):
                raise ConfigError(
                    f"model.{key}={value}: must be a finite number of at least {low}.", key=f"model.{key}"
                )
        if self.timeout_s == 0:
            raise ConfigError("model.timeout_s=0: must be above 0 seconds.", key="model.timeout_s")
        self.pricing = UnpricedModel() if self.price is None else CardPricing(self.price)
        self.roles = beside(self.by_role, self.strong, self._of_role)

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        """Tokens of each text by llama.cpp's ``/tokenize`` where the server has it, else o200k_base."""
        if self._weights is None:
            return [count_tokens(text) for text in texts]
        return await self._weights.weigh(texts)

    async def open(self, clock: Clock) -> None:
        """Ask the server which models it has. Raises ConfigError for a URL that is none, a server that cannot be
        reached or refuses the key, and a model that it does not list."""
        await self.close()
        settings = {"temperature": self.temperature, "top_p": self.top_p}
        extra = {key: value for key, value in settings.items() if value is not None}
        client = ChatClient(self.base_url, os.environ.get(self.api_key_env), self.timeout_s, extra=extra)
        try:
            entry = self._chosen(await self._listed(client))
        except BaseException:
            await client.close()
            raise
        self.simulated = entry.get("simulated") is True
        self._client, self._weights = client, ServerWeights(client)
        count_tokens(self.name)  # loads the tokeniser, which is not to look like the first request's latency
        for model in self.roles.values():
            await model.open(clock)

    async def complete(self, request: Request) -> Response:
        """Send one request, once. Raises TransportError; never retries. A server that reports no usage gets an
        estimated one."""
        if self._client is None:
            raise HarnessError(f"model '{self.name}' is not open: call open before complete.")
        sent = replace(request, model=self.name, max_tokens=request.max_tokens or self.max_tokens)
        return await estimated(sent, await self._client.complete(sent), self.weigh)

    async def close(self) -> None:
        """Close the connections."""
        client, self._client, self._weights = self._client, None, None
        if client is not None:
            await client.close()
        for model in self.roles.values():
            await model.close()

    def _of_role(self, where: str, chosen: str | ServedModel) -> Model:
        own = ServedModel(chosen) if isinstance(chosen, str) else chosen
        if not own.name:
            raise ConfigError(f"{where} has no name: name the model as the server lists it.")
        model = replace(
            self,
            name=own.name,
            base_url=own.base_url or self.base_url,
            window_tokens=own.window_tokens or self.window_tokens,
            price=own.price or self.price,
            strong=None,
            by_role={},
        )
        model._where = where
        return model

    async def _listed(self, client: ChatClient) -> list[Mapping[str, Any]]:
        """The server's models; none where it has no list."""
        try:
            return await client.models()
        except TransportError as fault:
            if fault.kind in ("not_found", "bad_request"):
                return []
            if fault.kind in ("unauthorized", "forbidden"):
                raise ConfigError(self._refused(client)) from None
            raise ConfigError(
                f"{self._where}.base_url={client.base_url}: cannot be used: {fault}. Start the server, or correct the "
                "URL (it usually ends in /v1).",
                kind=fault.kind,
            ) from None

    def _refused(self, client: ChatClient) -> str:
        if os.environ.get(self.api_key_env):
            return (
                f"the server at {client.base_url} refuses the key in the environment variable {self.api_key_env}: "
                "correct it, or name another variable with model.api_key_env=NAME."
            )
        return (
            f"the server at {client.base_url} wants a key, and the environment variable {self.api_key_env} is not set: "
            "set it, or name another one with model.api_key_env=NAME."
        )

    def _chosen(self, listed: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The entry of our model; ``name`` is filled in where it is empty. Raises ConfigError."""
        entries = {str(e["id"]): e for e in listed}
        if not self.name:
            own = [name for name, entry in entries.items() if entry.get("parent") is None]
            if len(own) != 1:
                names = ", ".join(sorted(entries)) or "it lists none"
                raise ConfigError(f"model.name is empty: name the model that {self.base_url} shall use ({names}).")
            self.name = own[0]
        entry = entries.get(self.name) or entries.get(self.name + LATEST)
        if entry is None:
            if entries:
                raise ConfigError(
                    unknown("model", self.name, entries, f"Set {self._where}.name=NAME to one that is served.")
                )
            entry = {}
        longest = entry.get("max_model_len")
        if isinstance(longest, int) and longest < self.window_tokens:
            raise ConfigError(
                f"{self._where}.window_tokens={self.window_tokens}: the server takes at most {longest} tokens for "
                f"model '{self.name}'; set {self._where}.window_tokens={longest} or less."
            )
        return entry
