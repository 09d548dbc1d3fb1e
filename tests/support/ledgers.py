"""Feeding a ledger calls of stated sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness.accounting.ledger import Attempt, Caller, Ledger
from harness.accounting.parts import Part
from harness.accounting.prices import Pricing, UnpricedModel
from harness.accounting.purposes import Purpose, Stance
from harness.accounting.usage import Usage
from harness.limits import Scope
from harness.records import CallRow

from .texts import part

Sizes = Sequence[tuple[str, int, str]]
"""(purpose, tokens, author)"""


def caller(agent: str, stance: Stance = Stance.WORKER) -> Caller:
    return Caller(agent, str(stance), stance, 0 if stance == Stance.LEAD else 1, f"run/{agent}", None)


class Feeder:
    """A ledger and its scope; each call is one operation whose usage is exactly the parts' tokens."""

    def __init__(self, pricing: Pricing | None = None) -> None:
        self.ledger = Ledger("run")
        self.scope = Scope("run")
        self.pricing = pricing or UnpricedModel()

    def call(self, agent: str, reads: Sizes, writes: Sizes, **more: Any) -> CallRow:
        prompt = [part(*size) for size in reads]
        completion = [part(*size) for size in writes]
        return self.parts(agent, prompt, completion, **more)

    def parts(
        self,
        agent: str,
        prompt: Sequence[Part],
        completion: Sequence[Part],
        *,
        intent: str = "answer",
        stance: Stance = Stance.WORKER,
        usage: Usage | None = None,
        **more: Any,
    ) -> CallRow:
        usage = usage or Usage(sum(p.weight for p in prompt), sum(p.weight for p in completion))
        attempt = Attempt(
            caller(agent, stance),
            f"{agent}#{len(self.ledger.calls)}",
            1,
            Purpose(intent),
            prompt,
            completion,
            usage,
            self.pricing.bill(usage),
            0.0,
            1.0,
        )
        return self.ledger.record(replace(attempt, **more), self.scope)

    def tokens(self, **where: str) -> int:
        """Tokens of all shares with these values."""
        return sum(s.tokens for s in self.ledger.shares if all(getattr(s, k) == v for k, v in where.items()))

    def pusd(self, **where: str) -> int:
        return sum(s.cost_pusd or 0 for s in self.ledger.shares if all(getattr(s, k) == v for k, v in where.items()))

    def activity(self, purpose: str) -> int:
        """All tokens of the calls with this activity."""
        return sum(c.prompt_tokens + c.completion_tokens for c in self.ledger.calls if c.activity == purpose)
