"""An error as the chat protocol answers it."""

from __future__ import annotations

import math
from typing import Any

from harness.models.protocol import TransportError

_STATUS = {"rate_limited": 429, "server_error": 500}
_TYPES = {429: "rate_limit_error", 500: "server_error"}
_CODES = {429: "rate_limit_exceeded"}


class Refusal(Exception):
    """``status``: of HTTP; ``param``: the parameter that is wrong; ``code``: what programs tell errors by.
    ``retry_after_s``: seconds after which to try again."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.param = param
        self.code = code or _CODES.get(status)
        self.retry_after_s = retry_after_s

    @staticmethod
    def of(fault: TransportError) -> Refusal:
        """A fault of the served model."""
        return Refusal(_STATUS.get(fault.kind, 500), str(fault), retry_after_s=fault.retry_after_s)

    def payload(self) -> dict[str, Any]:
        kind = _TYPES.get(self.status, "invalid_request_error")
        return {"error": {"message": str(self), "type": kind, "param": self.param, "code": self.code}}

    def headers(self) -> dict[str, str]:
        """``Retry-After`` in whole seconds (RFC 9110), and the exact wait as OpenAI tells it beside."""
        if self.retry_after_s is None:
            return {}
        exact = math.ceil(self.retry_after_s * 1000)
        return {"Retry-After": str(math.ceil(exact / 1000)), "retry-after-ms": str(exact)}
