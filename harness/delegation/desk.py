"""Where a run's orders go out and its results come in, by the rules of its topology."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from harness.accounting.parts import TOOL, Part
from harness.accounting.purposes import Purpose
from harness.accounting.restating import restated
from harness.accounting.tokens import count_tokens
from harness.agents.agent import Agent, Step, hands_on
from harness.agents.tools import ToolFailed
from harness.delegation.log import Try
from harness.delegation.materials import Materials
from harness.delegation.order import DELEGATE, TaskOrder, blocker
from harness.delegation.reading import order_schema, read_order
from harness.delegation.rendering import HISTORY, feedback_part, history_parts, order_parts
from harness.delegation.ring import Verdict, judge
from harness.delegation.rules import Delegation
from harness.session import Session

SHOWN_ERRORS = 5
"""Errors that a lead is told of a subtask that needs a person."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a result. ``status``: as in the ``delegations`` table; ``again``: the next order, None unless the
    result was returned; ``text``: why it was not accepted, or what blocks the worker."""

    status: str
    again: Part | None = None
    text: str = ""


class Desk:
    """One a run. Orders are numbered as they go out. ``forbids``: what an order forbids that does not say: handing the
    task on (003, section 4.2), or nothing (what went wrong in its section 3.4). ``materials``: what orders refer to,
    each piece read once."""

    def __init__(self, session: Session, rules: Delegation, forbids: Sequence[str] = (DELEGATE,)) -> None:
        self._session = session
        self.materials = Materials(session.tools)
        self._numbers = count(1)
        self._forbids = tuple(forbids)
        self.rules = rules

    @property
    def structured(self) -> bool:
        return self.rules.order == "structured"

    def schema(self) -> dict[str, Any]:
        """The JSON schema of a structured order."""
        return order_schema(self.rules, self._forbids)

    async def take(self, written: Mapping[str, Any] | str, lead: str) -> TaskOrder:
        """An order as its lead wrote it, in the form that the rules ask for. Raises ToolFailed, counted as refused, for
        one that is refused."""
        try:
            if not isinstance(written, str):
                return await read_order(written, self._number, self.rules, self.materials, self._forbids)
            if not written.strip():
                raise ToolFailed("Order refused. It is empty: say what to do. Correct it and send it again.")
            return self.sentence(written)
        except ToolFailed as refused:
            self._session.refuse(lead, str(refused))
            raise

    async def draft(self, written: Mapping[str, Any]) -> TaskOrder:
        """A structured order that does not go out yet, and so has no number. Raises OrderRefused, not counted."""
        return await read_order(written, str, self.rules, self.materials, self._forbids)

    def numbered(self, order: TaskOrder) -> TaskOrder:
        """A draft as it goes out."""
        return replace(order, subtask_id=self._number())

    def sentence(self, text: str) -> TaskOrder:
        """An order that is only a sentence, and so rules nothing out."""
        return TaskOrder(self._number(), text, forbidden_actions=())

    def _number(self) -> str:
        """The id of the next order that is taken; one that is refused uses none up."""
        return f"subtask_{next(self._numbers)}"

    def told(self, order: TaskOrder, lead: str) -> list[Part]:
        """What a worker is given to read for a first order by this lead."""
        parts = order_parts(order, lead) if self.structured else [Part(order.objective, lead, Purpose.DISPATCH)]
        if self.rules.context == "history":
            turns = [t.parts() for t in self._session.agents[lead].conversation.turns if t.role != "system"]
            before = turns.pop(0)[1:] if turns and turns[0][:1] == (HISTORY,) else ()  # a lead that was told one itself
            return [*history_parts([p for turn in turns for p in turn], before), *parts]
        return parts

    def begin(self, order: TaskOrder, worker: str, type: str, after: Try | None = None) -> Try:
        return self._session.delegations.begin(order, worker, type, after)

    async def receive(self, tried: Try, text: str) -> tuple[Receipt, Try]:
        """Take a result in: (what became of it, the try that is now under way or has ended). A result that comes after
        its try has ended changes nothing."""
        verdict = Verdict((), blocker(text))
        if self.rules.validate and tried.open:
            verdict = await self.judged(tried.order, text)
        return self.settle(tried, text, verdict, validated=self.rules.validate)

    async def judged(self, order: TaskOrder, text: str) -> Verdict:
        """What the validation ring says of a result."""
        return await judge(order, text, self.materials)

    def settle(
        self,
        tried: Try,
        text: str,
        verdict: Verdict,
        *,
        validated: bool = True,
        retry: bool = True,
        review: bool = False,
    ) -> tuple[Receipt, Try]:
        """What becomes of a result about which this has been said, as ``receive`` returns it. ``retry``: whether it may
        be sent back, if its order allows. ``review``: somebody has reviewed it, which is another kind of retry than the
        ring's and counted by who asks for it."""
        if not tried.open:  # before, or while its material was being read
            return Receipt(tried.status, text=_told(tried, tried.errors)), tried
        log, copied = self._session.delegations, copied_tokens(self._session.under(tried.worker), text)
        left = tried.order.max_retries + 1 - tried.number if retry else 0
        status = _status(verdict, left)
        if review and status == "returned":
            status = "revise"
        log.end(tried, status, text, validated=validated, errors=verdict.errors, copied_tokens=copied)
        if status not in ("returned", "revise"):
            return Receipt(status, text=verdict.blocked or _told(tried, verdict.errors)), tried
        self._session.counters.retries_validation += status == "returned"
        order = tried.order.again(verdict.errors)
        following = self.begin(order, tried.worker, tried.type, after=tried)
        vague = self.rules.feedback == "vague"
        return Receipt(status, feedback_part(order, following.number, vague)), following

    def fail(self, tried: Try, status: str, text: str, raw_output: str = "") -> None:
        """A try that ended without a result; ``raw_output``: what it left behind."""
        self._session.delegations.end(tried, status, raw_output, errors=(text,))


def _status(verdict: Verdict, left: int) -> str:
    if verdict.blocked is not None:
        return "blocked"
    if not verdict.errors:
        return "success"
    return "returned" if left > 0 else "needs_person"


def _told(tried: Try, errors: Sequence[str]) -> str:
    if not errors:
        return ""
    more = f" (and {len(errors) - SHOWN_ERRORS} more)" if len(errors) > SHOWN_ERRORS else ""
    times = "1 try" if tried.number == 1 else f"{tried.number} tries"
    return f"not accepted after {times}: {'; '.join(errors[:SHOWN_ERRORS])}{more}"


def copied_tokens(writers: Sequence[Agent], text: str) -> int:
    """Tokens of a result in sentences or JSON leaves of eight words or more that stand in material its writers read."""
    read = [p.key for agent in writers for p in agent.conversation.parts() if p.author == TOOL]
    return sum(count_tokens(piece) for piece in restated(text, read))


def forbidden_call(order: TaskOrder, step: Step, agent: Agent) -> str | None:
    """The first call of a step that its order forbids, in words; None if there is none."""
    forbidden = set(order.forbidden_actions)
    tags = {t.name: t.tags for t in (*agent.offer.tools, *agent.session.tools)}
    for call in step.calls:
        name = call.name.text
        if DELEGATE in forbidden and hands_on(name, call.parsed):
            return f"{DELEGATE} ({name})"
        if name in forbidden or forbidden & tags.get(name, frozenset()):
            return name
    return None
