"""One logical model call: retries, waits and timeouts around single attempts, each of which the ledger records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from harness.accounting.ledger import Attempt, Caller, Ledger
from harness.accounting.parts import Part
from harness.accounting.prices import Bill
from harness.accounting.purposes import Purpose
from harness.accounting.usage import MISSING, Usage
from harness.clock.protocol import Timeline
from harness.errors import LimitExceeded
from harness.limits import Limits, Scope, exceeded
from harness.models.protocol import CONTEXT_WINDOW, Model, Request, Response, TransportError
from harness.records import places

Reader = Callable[[Response], Sequence[Part]]
"""Turns a response into the parts of its completion."""


@dataclass(slots=True)
class Operator:
    """Sends the requests of one run. Shared by its agents; keeps no conversation. A judge has one of its own."""

    ledger: Ledger
    limits: Limits
    time: Timeline
    waits: list[tuple[float, float]] = field(default_factory=list)
    """Stretches of run time spent waiting for rate limits, backoff and queues."""
    answered_s: float | None = None
    """When the run had its answer; an attempt that ends later is late and unused."""
    judge: bool = False
    """Whether its calls are a judge's: then they belong to the grading, not to the topology."""
    abandoned: dict[str, float] = field(default_factory=dict)
    """Agent → when nobody waited for it any more; what it does later is late and unused."""

    async def operate(
        self, model: Model, caller: Caller, scope: Scope, operation_id: str, request: Request,
        prompt: Sequence[Part], intent: Purpose, read: Reader,
    ) -> Response:  # fmt: skip
        """Send until an answer arrives, at most ``limits.transport_attempts`` times; every attempt becomes a row.

        An answer that passes a bound is returned all the same: it has been paid for, and may be the last. Raises
        LimitExceeded (a bound passed before, or a prompt larger than the model's window, by our count or its own),
        TimeoutError (``call_timeout_s``, on the last attempt) and TransportError (attempts used up, or a fault that no
        retry mends).
        """
        who = caller.agent
        weights = await model.weigh([p.shown for p in prompt])
        counted = sum(weights)
        if counted > model.window_tokens:
            raise exceeded("window_tokens", model.window_tokens, counted, "agent")
        queued = 0.0
        for number in range(1, self.limits.transport_attempts + 1):
            scope.begin_call()
            attempt = Attempt(
                caller, operation_id, number, intent, prompt, (), MISSING, None, self.time.now(), 0.0, queued,
                judge=self.judge, model=model.name, weights=weights,
            )  # fmt: skip
            try:
                response = await self._send(model, request, who)
            except TransportError as fault:
                bill = None if fault.usage.status == "missing" else model.pricing.bill(fault.usage)
                self._failed(attempt, scope, "error", f"{fault.kind}: {fault}", fault.usage, bill)
                if fault.kind == CONTEXT_WINDOW:  # by the provider's own count, which may be above ours
                    raise LimitExceeded(
                        f"window_tokens: {fault}",
                        limit="window_tokens", bound=model.window_tokens, value=counted, scope="agent",
                    ) from fault  # fmt: skip
                if not fault.retryable or number == self.limits.transport_attempts:
                    raise
                queued = await self._wait(fault, number, who)
            except TimeoutError:
                text = f"call_timeout_s: no answer in {self.limits.call_timeout_s:g} s"
                self._failed(attempt, scope, "timeout", text)
                if number == self.limits.transport_attempts:
                    raise TimeoutError(text) from None
                queued = 0.0
            except asyncio.CancelledError:
                self._failed(attempt, scope, "cancelled", "cancelled while waiting for the answer")
                raise
            else:
                attempt.completion = read(response)
                attempt.usage = response.usage
                attempt.bill = model.pricing.bill(response.usage)
                attempt.finish_reason = response.finish_reason
                attempt.ended_s = self.time.now()
                try:
                    attempt.written = await model.weigh([p.shown for p in attempt.completion])
                finally:  # paid for, whatever happens while it is weighed
                    self._record(attempt, scope)
                return response
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def _send(self, model: Model, request: Request, who: str) -> Response:
        async with self.time.timeout(self.limits.call_timeout_s, who):
            try:
                response = await model.complete(request)
            except TransportError as fault:
                if fault.latency_s is not None:
                    await self.time.sleep(fault.latency_s, who)
                raise
            if response.simulated and not model.simulated:
                raise TransportError(
                    f"model '{model.name}' is simulated, behind a server that does not list it so. Give the stand-in's "
                    "own address, so that its rows say what they are",
                    kind="simulated",
                    retryable=False,
                    usage=response.usage,
                )
            if response.latency_s is not None:
                await self.time.sleep(response.latency_s, who)
            return response

    async def _wait(self, fault: TransportError, number: int, who: str) -> float:
        """Back off, or as long as the provider asks, but never beyond ``max_wait_s``; seconds waited."""
        asked = fault.retry_after_s if fault.retry_after_s is not None else self.limits.backoff_s * 2 ** (number - 1)
        started = self.time.now()
        await self.time.sleep(min(asked, self.limits.max_wait_s), who)
        self.waits.append((started, self.time.now()))
        return self.time.now() - started

    def _failed(
        self, attempt: Attempt, scope: Scope, status: str, error: str, usage: Usage = MISSING, bill: Bill | None = None
    ) -> None:
        attempt.status, attempt.error, attempt.used = status, error, False
        attempt.usage, attempt.bill, attempt.ended_s = usage, bill, self.time.now()
        self._record(attempt, scope)

    def abandon(self, agent: str) -> None:
        """Nobody waits for this agent any more."""
        self.abandoned.setdefault(agent, self.time.now())

    def _record(self, attempt: Attempt, scope: Scope) -> None:
        ends = (self.answered_s, *(self.abandoned.get(name) for name in places(attempt.caller.agent)))
        if any(end is not None and attempt.ended_s > end for end in ends):
            attempt.late, attempt.used = True, False
        self.ledger.record(attempt, scope)
