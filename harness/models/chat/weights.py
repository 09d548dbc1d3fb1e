"""Weights of texts by a server's own tokeniser, and usage estimated with them where a server reports none."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from harness.accounting.tokens import count_tokens
from harness.accounting.usage import Usage
from harness.agents.rendering import render_tool
from harness.models.chat.client import ChatClient
from harness.models.protocol import Json, Request, Response, TransportError

REMEMBERED = 8192
"""Texts whose counts are kept: a conversation repeats its parts in every request."""

Weigh = Callable[[Sequence[str]], Awaitable[Sequence[int]]]


class ServerWeights:
    """Counts by ``client.tokenize``, each text asked for once while it is remembered; o200k_base where the server has
    no tokeniser. All counts of one call come from one tokeniser: a fault of the server gives that call to o200k_base.
    """

    def __init__(self, client: ChatClient, remembered: int = REMEMBERED) -> None:
        self._client = client
        self._remembered = remembered
        self._known: OrderedDict[str, int] = OrderedDict()
        self._own = True

    async def weigh(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text. Never raises for any text."""
        if self._own:
            missing = [t for t in dict.fromkeys(texts) if t and t not in self._known]
            counts: Sequence[int] | None
            try:
                counts = await self._client.tokenize(missing)
            except TransportError:
                return [count_tokens(t) for t in texts]
            if counts is not None:
                found = {t: self._known[t] for t in texts if t in self._known} | dict(zip(missing, counts, strict=True))
                self._remember(found)
                return [found.get(t, 0) for t in texts]
            self._own = False
        return [count_tokens(t) for t in texts]

    def _remember(self, found: dict[str, int]) -> None:
        for text, count in found.items():
            self._known[text] = count
            self._known.move_to_end(text)
        while len(self._known) > self._remembered:
            self._known.popitem(last=False)


async def estimated(request: Request, response: Response, weigh: Weigh) -> Response:
    """The response, with a usage of status ``estimated`` where the server reported none: all texts of the request and
    of the answer, counted. What a chat template adds is not in it."""
    if response.usage.status != "missing":
        return response
    prompt = [text for message in request.messages for text in _texts(message)]
    prompt += [render_tool(tool) for tool in request.tools]
    if request.response_format is not None:
        prompt.append(json.dumps(request.response_format, ensure_ascii=False))
    completion = [response.text, *(text for call in response.tool_calls for text in (call.name, call.arguments))]
    counts = await weigh([*prompt, *completion])
    usage = Usage(sum(counts[: len(prompt)]), sum(counts[len(prompt) :]), status="estimated")
    return replace(response, usage=usage)


def _texts(message: Json) -> list[str]:
    """The texts of a message in the form that our conversations give it."""
    calls = [
        text for c in message.get("tool_calls", ()) for text in (c["function"]["name"], c["function"]["arguments"])
    ]
    return [message.get("content") or "", *calls]
