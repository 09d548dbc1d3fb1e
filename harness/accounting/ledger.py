"""The ledger: the append-only record of every attempt of one run, split over what its tokens were spent on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.accounting.parts import Part
from harness.accounting.prices import Bill
from harness.accounting.purposes import CLASS_OF, Purpose, Stance, read_as
from harness.accounting.split import Split, split_usage
from harness.accounting.usage import AccountingError, Usage
from harness.limits import Scope
from harness.records import CallRow, ShareRow

PUSD = 10**12
"""Picodollars in a dollar."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a call, as the rows name it."""

    agent: str
    role: str
    stance: Stance
    depth: int
    session_id: str
    parent_session_id: str | None


@dataclass(slots=True)
class Attempt:
    """One request that was sent, with all that the ledger needs. Parts stand in the provider's caching order; an
    attempt without a usable completion has no completion parts, and its completion tokens go to ``intent``.
    ``weights`` and ``written``: counted tokens of the prompt's and the completion's parts, where they have been counted
    already."""

    caller: Caller
    operation_id: str
    number: int
    intent: Purpose
    prompt: Sequence[Part]
    completion: Sequence[Part]
    usage: Usage
    bill: Bill | None
    started_s: float
    ended_s: float
    queue_s: float = 0.0
    status: str = "ok"
    finish_reason: str | None = None
    error: str | None = None
    served_from: str = "provider"
    used: bool = True
    late: bool = False
    judge: bool = False
    model: str = ""
    weights: Sequence[int] | None = None
    written: Sequence[int] | None = None


class Ledger:
    """One run's record. Recording and checking are separate: ``record`` never refuses a true usage."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.calls: list[CallRow] = []
        self.shares: list[ShareRow] = []
        self._sent_to_others: set[str] = set()
        self._sent_to: dict[str, set[str]] = {}

    def record(self, attempt: Attempt, scope: Scope) -> CallRow:
        """Split one attempt, append its rows and spend it in ``scope`` and all scopes above.

        Raises AccountingError for a usage that cannot be true; the attempt is then kept as ``missing``.
        """
        try:
            attempt.usage.check()
        except AccountingError as fault:
            attempt.usage = Usage(0, 0, status="missing")
            attempt.status, attempt.error, attempt.used = "error", str(fault), False
            self._append(attempt, scope)
            raise
        return self._append(attempt, scope)

    def serve(self, call: CallRow, shares: Sequence[ShareRow], scope: Scope) -> None:
        """Append the rows of an attempt that a journal serves: it was split when it was made, and costs nothing now."""
        self.calls.append(call)
        self.shares.extend(shares)
        scope.spend(call.prompt_tokens + call.completion_tokens, call.cost_pusd)

    def heard(self, keys: Iterable[str]) -> None:
        """Texts that an agent of this run has been sent in attempts that a journal served: to others they are no news
        any more."""
        self._sent_to_others.update(keys)

    def _append(self, a: Attempt, scope: Scope) -> CallRow:
        usage = a.usage
        weights = [p.weight for p in a.prompt] if a.weights is None else a.weights
        completion = list(a.completion) or [Part("", a.caller.agent, a.intent)]
        written = a.written or [p.weight for p in completion]
        missing = usage.status == "missing"
        bill = None if missing else a.bill
        split = split_usage(
            usage,
            bill,
            weights if any(weights) else [1] * len(weights),
            written if any(written) else [1] * len(written),
        )
        free = a.served_from == "journal"
        activity = a.intent
        if not missing:
            activity = self._share(a, completion, split, free)
        if missing or usage.prompt_tokens:  # a request that was refused before any work has not been read
            self._sent(a)
        cost = None if bill is None else 0 if free else bill.total_pusd
        row = CallRow(
            run_id=self.run_id,
            operation_id=a.operation_id,
            attempt=a.number,
            session_id=a.caller.session_id,
            parent_session_id=a.caller.parent_session_id,
            agent=a.caller.agent,
            role=a.caller.role,
            model=a.model,
            depth=a.caller.depth,
            intent=a.intent,
            activity=Purpose.JUDGE if a.judge else activity,
            started_s=a.started_s,
            ended_s=a.ended_s,
            queue_s=a.queue_s,
            status=a.status,
            usage_status=usage.status,
            served_from=a.served_from,
            used=a.used,
            late=a.late,
            prompt_tokens=usage.prompt_tokens,
            cached_tokens=usage.cached_tokens,
            cache_write_tokens=usage.cache_write_tokens,
            completion_tokens=usage.completion_tokens,
            reasoning_tokens=usage.reasoning_tokens,
            counted_prompt_tokens=sum(weights),
            cost_usd=None if cost is None else cost / PUSD,
            cost_pusd=cost,
            fee_pusd=None if bill is None else 0 if free else split.fee_pusd,
            list_cost_usd=None if bill is None else bill.total_pusd / PUSD,
            cost_uncached_usd=None if bill is None else 0.0 if free else bill.uncached_pusd / PUSD,
            finish_reason=a.finish_reason,
            error=a.error,
        )
        self.calls.append(row)
        scope.spend(usage.prompt_tokens + usage.completion_tokens, cost)
        return row

    def _sent(self, a: Attempt) -> None:
        """Remember what this agent has been sent. Its own words are news to the first other agent that reads them,
        however often it has been sent them itself."""
        agent = a.caller.agent
        self._sent_to.setdefault(agent, set()).update(p.key for p in a.prompt)
        self._sent_to_others.update(p.key for p in a.prompt if p.author != agent)

    def _share(self, a: Attempt, completion: Sequence[Part], split: Split, free: bool) -> Purpose:
        """Append the attempt's shares, grouped by purpose, author and re-reading; returns its activity."""
        agent, stance = a.caller.agent, a.caller.stance
        mine, others = self._sent_to.get(agent, set()), self._sent_to_others
        groups: dict[tuple[str, Purpose, str, str], list[int]] = {}
        keys = [p.key for p in a.prompt]
        costs = split.prompt_pusd or [0] * len(keys)
        for part, key, tokens, cached, cost in zip(a.prompt, keys, split.prompt, split.cached, costs, strict=True):
            reread = "self" if key in mine else "cross" if key in others and part.author != agent else "new"
            purpose = Purpose.JUDGE if a.judge else read_as(part.purpose, part.author, agent, stance)
            g = groups.setdefault(("prompt", purpose, part.author, reread), [0, 0, 0, 0])
            g[0] += tokens
            g[1] += cached
            g[3] += cost
        by_purpose: dict[Purpose, int] = {}
        for i, part in enumerate(completion):
            purpose = Purpose.JUDGE if a.judge else part.purpose
            g = groups.setdefault(("completion", purpose, part.author, "new"), [0, 0, 0, 0])
            g[0] += split.completion[i]
            g[2] += split.reasoning[i]
            if split.completion_pusd is not None:
                g[3] += split.completion_pusd[i]
            by_purpose[purpose] = by_purpose.get(purpose, 0) + split.completion[i]
        priced = split.fee_pusd is not None
        self.shares.extend(
            ShareRow(
                self.run_id, a.operation_id, a.number, direction, purpose, CLASS_OF[purpose], author, tokens, cached,
                reasoning, reread, (0 if free else pusd) if priced else None,
            )
            for (direction, purpose, author, reread), (tokens, cached, reasoning, pusd) in groups.items()
            if tokens or pusd
        )  # fmt: skip
        most = max(by_purpose.values())
        return a.intent if by_purpose.get(a.intent) == most else max(by_purpose, key=lambda p: by_purpose[p])
