"""What an HTTP status means, and how long to wait."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from harness.accounting.usage import MISSING, NOT_BILLED, Usage
from harness.models.chat.faults import MESSAGE_CUT, http_fault, reported_fault, retry_after

STATUSES = [
    (400, "bad_request", False, NOT_BILLED),
    (401, "unauthorized", False, NOT_BILLED),
    (402, "quota", False, NOT_BILLED),
    (403, "forbidden", False, NOT_BILLED),
    (404, "not_found", False, NOT_BILLED),
    (408, "timeout", True, MISSING),
    (409, "bad_request", False, NOT_BILLED),
    (422, "bad_request", False, NOT_BILLED),
    (429, "rate_limited", True, NOT_BILLED),
    (500, "server_error", True, MISSING),
    (501, "server_error", False, NOT_BILLED),
    (503, "server_error", True, MISSING),
    (529, "server_error", True, MISSING),
    (307, "bad_response", False, MISSING),
]


@pytest.mark.parametrize(("status", "kind", "retryable", "usage"), STATUSES)
def test_statuses(status: int, kind: str, retryable: bool, usage: Usage) -> None:
    fault = http_fault(status, "said", retry_after_s=3.0)
    assert (fault.kind, fault.retryable, fault.usage) == (kind, retryable, usage)
    assert fault.retry_after_s == (3.0 if retryable else None)
    assert str(fault) == f"HTTP {status}: said"


VLLM = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"
LLAMA = "the request exceeds the available context size. try increasing it"
TOLD = {
    "OpenAI's window": (400, {"message": "…", "code": "context_length_exceeded"}, "context_window"),
    "vLLM's window": (400, {"message": VLLM, "type": "BadRequestError", "code": 400}, "context_window"),
    "llama.cpp's window by its type": (400, {"message": "…", "type": "exceed_context_size_error"}, "context_window"),
    "llama.cpp's window in words": (500, {"code": 500, "message": LLAMA}, "context_window"),
    "a filter": (400, {"message": "…", "code": "content_filter"}, "content_filter"),
    "no money left": (429, {"message": "You exceeded your current quota", "code": "insufficient_quota"}, "quota"),
    "a rate limit": (429, {"message": "slow down", "code": "rate_limit_exceeded"}, "rate_limited"),
    "a text": (500, "out of memory", "server_error"),
}


@pytest.mark.parametrize(("status", "error", "kind"), TOLD.values(), ids=TOLD.keys())
def test_servers_say_more(status: int, error: object, kind: str) -> None:
    fault = reported_fault(error, status)
    assert fault.kind == kind
    assert fault.retryable == (kind in ("rate_limited", "server_error"))


def test_a_long_message_is_cut_and_one_line() -> None:
    assert len(str(http_fault(500, "a\nb " * 2000))) < MESSAGE_CUT + 20
    assert "\n" not in str(http_fault(500, "a\nb"))
    assert str(http_fault(500, "")) == "HTTP 500: no message"


NOW = datetime(2015, 10, 21, 7, 28, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "120"}, 120.0),
        ({"retry-after": "0"}, 0.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:30 GMT"}, 30.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:30 -0000"}, 30.0),
        ({"Retry-After": "Wed, 21 Oct 2015 07:00:00 GMT"}, 0.0),
        ({"Retry-After": "2", "retry-after-ms": "1500"}, 1.5),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": ""}, None),
        ({}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds
