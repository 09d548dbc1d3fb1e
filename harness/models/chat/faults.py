"""What an HTTP answer that is no completion means: which kind of fault, worth a retry or not, billed or not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from harness.accounting.usage import MISSING, NOT_BILLED, Usage
from harness.models.protocol import CONTEXT_WINDOW, TransportError

MESSAGE_CUT = 500
"""Characters kept of what a server says."""

_WINDOW_CODES = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_FILTER_CODES = frozenset({"content_filter", "content_policy_violation"})
_QUOTA_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_WINDOW = re.compile(r"(maximum|max|available) (context|model) ?(length|size|window|len)|context window", re.I)
"""How OpenAI, vLLM and llama.cpp word it where no code tells."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    kind: str
    retryable: bool
    usage: Usage


_STATUS = {
    400: _Meaning("bad_request", False, NOT_BILLED),
    401: _Meaning("unauthorized", False, NOT_BILLED),
    402: _Meaning("quota", False, NOT_BILLED),
    403: _Meaning("forbidden", False, NOT_BILLED),
    404: _Meaning("not_found", False, NOT_BILLED),
    408: _Meaning("timeout", True, MISSING),
    429: _Meaning("rate_limited", True, NOT_BILLED),
    501: _Meaning("server_error", False, NOT_BILLED),
}
_CLIENT = _Meaning("bad_request", False, NOT_BILLED)
_SERVER = _Meaning("server_error", True, MISSING)
_ODD = _Meaning("bad_response", False, MISSING)


def http_fault(status: int, said: str, *, code: str = "", retry_after_s: float | None = None) -> TransportError:
    """The fault of an HTTP status. ``said``: the server's message; ``code``: its error code or type, if it names one.

    Refused before any work (4xx but 408): known to have cost nothing. A 5xx may have been worked on: nobody knows.
    """
    meaning = _STATUS.get(status) or (
        _SERVER if status >= 500 else _CLIENT if 400 <= status < 500 else _ODD
    )  # fmt: skip
    kind, retryable = meaning.kind, meaning.retryable
    if status in (400, 413, 422, 500) and (code in _WINDOW_CODES or _WINDOW.search(said)):
        kind, retryable = CONTEXT_WINDOW, False
    elif code in _FILTER_CODES:
        kind, retryable = "content_filter", False
    elif status == 429 and code in _QUOTA_CODES:
        kind, retryable = "quota", False
    return TransportError(
        f"HTTP {status}: {cut(said) or 'no message'}",
        kind=kind,
        retryable=retryable,
        retry_after_s=retry_after_s if retryable else None,
        usage=meaning.usage,
    )


def reported_fault(error: Any, status: int | None = None, retry_after_s: float | None = None) -> TransportError:
    """The fault of an ``error`` node: an object with ``message``, ``code`` and ``type``, or a text. Without an HTTP
    status of its own, a number in ``code`` is one."""
    if not isinstance(error, Mapping):
        return http_fault(status or 500, str(error), retry_after_s=retry_after_s)
    codes = (error.get("code"), error.get("type"))
    named = [str(c) for c in codes if isinstance(c, str)]
    telling = (c for c in named if c in _WINDOW_CODES | _FILTER_CODES | _QUOTA_CODES)
    code = error.get("code")
    if status is None:
        status = code if isinstance(code, int) and 400 <= code <= 599 else 500
    return http_fault(status, str(error.get("message") or ""), code=next(telling, ""), retry_after_s=retry_after_s)


def bad_response(said: str) -> TransportError:
    """An answer that is no chat completion: it may have been billed."""
    return TransportError(cut(said), kind="bad_response", usage=MISSING)


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds to wait, from ``retry-after-ms`` (OpenAI's, exact) or ``Retry-After`` (RFC 9110: seconds or an HTTP
    date). None when there is neither or it says nothing sensible. ``headers``: names in any case."""
    named = {name.lower(): value.strip() for name, value in headers.items()}
    exact = _seconds(named.get("retry-after-ms", ""))
    if exact is not None:
        return exact / 1000
    text = named.get("retry-after", "")
    seconds = _seconds(text)
    if seconds is not None or not text:
        return seconds
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


def cut(text: str) -> str:
    """One line of at most ``MESSAGE_CUT`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= MESSAGE_CUT else f"{line[:MESSAGE_CUT]} …"


def _seconds(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None
