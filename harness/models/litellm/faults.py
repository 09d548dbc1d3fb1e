"""What litellm's exceptions mean: which kind of fault, worth a retry or not, billed or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from harness.accounting.usage import MISSING, NOT_BILLED
from harness.models.chat.faults import bad_response, cut, http_fault, retry_after
from harness.models.litellm.library import library
from harness.models.protocol import TransportError

_NEVER_CONNECTED = frozenset({"ConnectError", "ConnectTimeout", "ClientConnectorError", "ConnectionRefusedError"})
"""Names of the errors, of the HTTP clients that litellm uses, for a connection that was never made."""
_NO_ANSWER = frozenset({"APIConnectionError", "NetworkError", "RemoteProtocolError", "ClientConnectionError"})
"""The same for one that ended without an answer; litellm calls that a server error."""


def transport_error(fault: Exception, scrub: Callable[[str], str]) -> TransportError:
    """An exception of ``litellm.acompletion`` as the harness knows faults (``harness.models.chat.faults`` says what an
    HTTP status means). ``scrub`` takes the keys out of what is said."""
    litellm = library()
    said = scrub(str(fault))
    names = {cls.__name__ for error in _chain(fault) for cls in type(error).__mro__}
    if names & _NEVER_CONNECTED:
        return TransportError(cut(said), kind="connection", usage=NOT_BILLED)
    if isinstance(fault, litellm.Timeout):
        return TransportError(cut(said), kind="timeout", usage=MISSING)
    if names & _NO_ANSWER:
        return TransportError(cut(said), kind="connection", usage=MISSING)
    status = getattr(fault, "status_code", None)
    if not isinstance(status, int):
        return bad_response(f"{type(fault).__name__}: {said}")
    return http_fault(status, said, code=_code(fault), retry_after_s=retry_after(_headers(fault)))


def _code(fault: Exception) -> str:
    """What the provider, or litellm for it, calls the fault, in OpenAI's words."""
    litellm = library()
    if isinstance(fault, litellm.ContextWindowExceededError):
        return "context_length_exceeded"
    if isinstance(fault, litellm.ContentPolicyViolationError):
        return "content_policy_violation"
    bodies = (getattr(error, "body", None) for error in _chain(fault))
    codes = (body.get("code") for body in bodies if isinstance(body, Mapping))
    return next((code for code in codes if isinstance(code, str)), "")


def _headers(fault: BaseException) -> dict[str, str]:
    """What the provider's answer said in its headers, the outermost exception's first; litellm keeps them in one of
    three places."""
    found: dict[str, str] = {}
    for error in _chain(fault):
        response = getattr(error, "response", None)
        for headers in (
            getattr(response, "headers", None),
            getattr(error, "headers", None),
            getattr(error, "litellm_response_headers", None),
        ):
            if isinstance(headers, Mapping):
                found = {str(k).lower(): str(v) for k, v in headers.items()} | found
    return found


def _chain(fault: BaseException) -> Iterator[BaseException]:
    """An exception and what it came from, each once."""
    seen: set[int] = set()
    error: BaseException | None = fault
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
