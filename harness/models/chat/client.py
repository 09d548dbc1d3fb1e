"""A client of one server that speaks the chat protocol: every request is sent once, every fault has a kind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from harness.accounting.usage import MISSING, NOT_BILLED
from harness.errors import ConfigError
from harness.models.chat.faults import bad_response, cut, http_fault, reported_fault, retry_after
from harness.models.chat.secret import Secret
from harness.models.chat.wire import body, response
from harness.models.protocol import Request, Response, TransportError

CONNECT_S = 10.0
"""Real seconds until a connection must stand."""
TOKENIZE_S = 10.0
"""Real seconds for one call of a tokeniser."""
TOKENIZE_AT_ONCE = 8
_KEEP_S = 3.0
"""Seconds an idle connection is kept: less than the usual servers do (5 s), since a request on a connection that the
server is just closing is lost, and must not be sent again by itself."""
_NO_TOKENIZER = ("not_found", "bad_request")
"""Kinds of fault of a server that has no ``/tokenize``, or another one."""


class ChatClient:
    """Talks to ``base_url`` (such as ``http://127.0.0.1:8080/v1``).

    ``api_key``: sent as a bearer token, None for no header; it appears in no error, repr or answer, also when the
    server echoes it. ``timeout_s``: real seconds for one request. ``extra``: further fields of every completion request
    (``temperature``, say). Raises ConfigError for a URL or a key that cannot be used. Opens its connections when first
    used, in the event loop that uses it.
    """

    def __init__(
        self, base_url: str, api_key: str | None, timeout_s: float, *, extra: Mapping[str, Any] | None = None
    ) -> None:
        self.base_url = _checked(base_url)
        self._secret = Secret(api_key)
        self._timeout_s = timeout_s
        self._extra = dict(extra or {})
        self._opened: aiohttp.ClientSession | None = None

    def __repr__(self) -> str:
        return f"ChatClient({self.base_url!r}, {self._secret!r})"

    async def complete(self, request: Request) -> Response:
        """Send one request, once. Raises TransportError; its usage is NOT_BILLED where the request was refused before
        any work, MISSING where it may have been worked on."""
        return response(await self._call("POST", "/chat/completions", {**body(request), **self._extra}))

    async def models(self) -> list[Mapping[str, Any]]:
        """The entries of ``GET /models``. Raises TransportError, ``not_found`` where the server has no list."""
        payload = await self._call("GET", "/models")
        entries = payload.get("data") if isinstance(payload, Mapping) else None
        if not isinstance(entries, list):
            raise bad_response("the list of models is no object with a list 'data'")
        return [e for e in entries if isinstance(e, Mapping) and isinstance(e.get("id"), str)]

    async def tokenize(self, texts: Sequence[str]) -> list[int] | None:
        """Tokens of each text by llama.cpp's ``/tokenize`` at the server's root; None for a server that has none.
        Raises TransportError when it fails."""
        if not texts:
            return []
        gate = asyncio.Semaphore(TOKENIZE_AT_ONCE)
        try:
            first = await self._tokens(texts[0], gate)  # alone: a server without one is not asked once for each text
        except TransportError as fault:
            if fault.kind in _NO_TOKENIZER:
                return None
            raise
        rest = await asyncio.gather(*(self._tokens(text, gate) for text in texts[1:]), return_exceptions=True)
        counts = [first]
        for count in rest:
            if isinstance(count, BaseException):
                raise count
            counts.append(count)
        return counts

    async def close(self) -> None:
        """Close all connections; safe to call twice."""
        opened, self._opened = self._opened, None
        if opened is not None:
            await opened.close()

    async def _tokens(self, text: str, gate: asyncio.Semaphore) -> int:
        root = self.base_url.removesuffix("/v1")
        async with gate:
            sent = {"content": text, "add_special": False}
            answer = await self._call("POST", "/tokenize", sent, base=root, timeout_s=TOKENIZE_S)
        tokens = answer.get("tokens") if isinstance(answer, Mapping) else None
        if not isinstance(tokens, list):
            raise bad_response("the answer of /tokenize has no list 'tokens'")
        return len(tokens)

    async def _call(
        self,
        method: str,
        path: str,
        sent: Mapping[str, Any] | None = None,
        *,
        base: str | None = None,
        timeout_s: float | None = None,
    ) -> Any:
        """The JSON of one exchange, without the key."""
        status, headers, raw = await self._exchange(
            method, f"{self.base_url if base is None else base}{path}", sent, timeout_s or self._timeout_s
        )
        text = raw.decode("utf-8", "replace")
        try:
            payload = self._secret.scrubbed(json.loads(text))
        except (ValueError, RecursionError):
            said = self._secret.scrub(text)
            if status == 200:
                raise bad_response(f"the answer is not JSON: {said}" if said else "the answer is empty") from None
            payload = said
        if status == 200:
            return payload
        if 300 <= status < 400:
            where = self._secret.scrub(headers.get("Location", "nowhere"))
            raise http_fault(status, f"redirected to {where}: correct the base URL")
        error = payload.get("error", payload) if isinstance(payload, Mapping) else payload
        raise reported_fault(error, status, retry_after(headers))

    async def _exchange(
        self, method: str, url: str, sent: Mapping[str, Any] | None, timeout_s: float
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body. What goes wrong below HTTP becomes a TransportError, without the library's own
        error behind it, which knows the headers."""
        data = None if sent is None else json.dumps(sent).encode()
        timeout = aiohttp.ClientTimeout(total=timeout_s, sock_connect=min(CONNECT_S, timeout_s))
        try:
            async with self._session().request(
                method, url, data=data, headers=self._headers(), timeout=timeout, allow_redirects=False
            ) as answer:
                return answer.status, answer.headers, await answer.read()
        except aiohttp.ConnectionTimeoutError:
            fault = TransportError(f"no connection to {url} in time", kind="timeout", usage=NOT_BILLED)
        except TimeoutError:
            fault = TransportError(f"no answer from {url} in {timeout_s:g} s", kind="timeout", usage=MISSING)
        except aiohttp.ClientSSLError as error:
            said = f"no secure connection to {url}: {error}"
            fault = TransportError(self._said(said), kind="connection", retryable=False, usage=NOT_BILLED)
        except aiohttp.ClientConnectorError as error:
            said = f"no connection to {url}: {error.os_error.strerror or error.os_error}"
            fault = TransportError(self._said(said), kind="connection", usage=NOT_BILLED)
        except (aiohttp.ClientError, OSError) as error:
            said = f"the connection to {url} broke: {type(error).__name__}: {error}"
            fault = TransportError(self._said(said), kind="connection", usage=MISSING)
        raise fault

    def _said(self, text: str) -> str:
        return cut(self._secret.scrub(text))

    def _headers(self) -> dict[str, str]:
        return {"Content-Type": "application/json", "Accept": "application/json", **self._secret.headers()}

    def _session(self) -> aiohttp.ClientSession:
        if self._opened is None:
            connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEP_S)  # a queue here would look like latency
            self._opened = aiohttp.ClientSession(connector=connector)
        return self._opened


def _checked(base_url: str) -> str:
    """A base URL without a slash at its end. Raises ConfigError when it is none."""
    url = base_url.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, usable = None, False
    if parts is not None and "@" in parts.netloc:
        raise ConfigError(
            "the base URL holds a user name or a password: leave them out, and give the key through the environment."
        )
    if not usable or (parts is not None and (parts.query or parts.fragment)) or not url.isprintable() or " " in url:
        raise ConfigError(
            f"base_url={base_url}: is no URL of a server; write it like http://127.0.0.1:8080/v1, with http or https, "
            "a host, and nothing after the path."
        )
    return url
