"""The record of every try of every delegated subtask of one run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.accounting.ledger import Ledger
from harness.clock.protocol import Timeline
from harness.records import DelegationRow, places

if TYPE_CHECKING:
    from harness.delegation.order import TaskOrder


@dataclass(slots=True)
class Try:
    """One try while it is under way, and what came of it. ``began``: attempts in the ledger when it began."""

    delegation_id: str
    number: int
    worker: str
    type: str
    order: TaskOrder
    began_s: float
    began: int
    status: str = "unanswered"
    raw_output: str = ""
    validated: bool = False
    errors: Sequence[str] = ()
    copied_tokens: int = 0
    ended_s: float | None = field(default=None)

    @property
    def open(self) -> bool:
        return self.ended_s is None


class DelegationLog:
    """Append-only."""

    def __init__(self, run_id: str, ledger: Ledger, time: Timeline) -> None:
        self._run_id = run_id
        self._ledger = ledger
        self._time = time
        self.tries: list[Try] = []

    def begin(self, order: TaskOrder, worker: str, type: str, after: Try | None = None) -> Try:
        """A new try; ``after``: the one for the same subtask before it, which stays unanswered if it is still open."""
        if after is not None:
            self.end(after, "unanswered")
        first = len({t.delegation_id for t in self.tries}) + 1
        made = Try(
            delegation_id=f"d{first}" if after is None else after.delegation_id,
            number=1 if after is None else after.number + 1,
            worker=worker,
            type=type,
            order=order,
            began_s=self._time.now(),
            began=len(self._ledger.calls),
        )
        self.tries.append(made)
        return made

    def end(
        self, tried: Try, status: str, raw_output: str = "", *, validated: bool = False, errors: Sequence[str] = (),
        copied_tokens: int = 0,
    ) -> None:  # fmt: skip
        """What came of a try; the first word stands."""
        if not tried.open:
            return
        tried.status, tried.raw_output, tried.validated = status, raw_output, validated
        tried.errors, tried.copied_tokens, tried.ended_s = tuple(errors), copied_tokens, self._time.now()

    def rows(self) -> list[DelegationRow]:
        """One row a try, in the order in which they began. Each call of a worker counts for its latest try."""
        tokens = self._tokens()
        now = self._time.now()
        return [
            DelegationRow(
                run_id=self._run_id,
                delegation_id=t.delegation_id,
                try_=t.number,
                subtask_id=t.order.subtask_id,
                worker=t.worker,
                type=t.type,
                order=_json(t.order.as_json()),
                raw_output=t.raw_output,
                validated=t.validated,
                validation_errors=_json(list(t.errors)),
                unchecked=_json(list(t.order.in_words)),
                status=t.status,
                tokens=tokens.get(i, 0),
                copied_tokens=t.copied_tokens,
                card_tokens=t.order.context_card.tokens,
                seconds=round((now if t.ended_s is None else t.ended_s) - t.began_s, 6),
            )
            for i, t in enumerate(self.tries)
        ]

    def _tokens(self) -> Mapping[int, int]:
        """Index of a try → tokens of its worker's calls. Those of agents inside a worker that is a topology are its
        own, unless they are a nearer worker's."""
        totals: dict[int, int] = {}
        of: dict[str, list[int]] = {}
        for i, tried in enumerate(self.tries):
            of.setdefault(tried.worker, []).append(i)
        for n, call in enumerate(self._ledger.calls):
            near = next((of[place] for place in places(call.agent) if place in of), ())
            latest = max((i for i in near if self.tries[i].began <= n), default=None)
            if latest is not None:
                totals[latest] = totals.get(latest, 0) + call.prompt_tokens + call.completion_tokens
        return totals


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
