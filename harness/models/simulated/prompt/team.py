"""A lead's side of a team, read from its own conversation: who got what, who has answered, what is left."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from harness.accounting.tokens import count_tokens
from harness.models.simulated.prompt.findings import example_in, says
from harness.models.simulated.prompt.inbox import Block

if TYPE_CHECKING:
    from harness.models.simulated.prompt.view import View

_KEEPS = re.compile(r"\bkeep (?:one|a|your own) part\b", re.I)
_NO_WAITING = re.compile(r"\b(?:never|not|without) wait|\bgo on with your own work\b|\bcontinue your own work\b", re.I)
TRIES = 2
"""How often one part is handed out before the lead does it itself."""
ROOM = 0.9
"""Share of its longest output that a lead fills with orders; with more it hands out fewer parts."""


@dataclass(frozen=True, slots=True)
class Order:
    """A task as it was sent. ``at``: in which message; ``sent``: whether it left."""

    at: int
    recipient: str
    content: str
    sent: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """Who does what: member → text of its task, and what this agent reads itself (document → tokens)."""

    tasks: Mapping[str, str]
    own: Mapping[str, int]


class Team:
    """Derived from a view; holds no state of its own. ``leads``: this agent can send messages, its prompt says to whom,
    and nobody gives it orders; for anybody else everything here is empty. ``patient``: its prompt says not to wait."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.leads = view.can_send and bool(view.members) and not view.orders
        self.patient = says(_NO_WAITING, view.system)

    @cached_property
    def plan(self) -> Plan:
        """The split, which depends on the statement and the names only, so that it is the same in every request.

        Units are the documents, or the questions of a task without documents. All members get a part, but never more
        than there are units; the lead keeps the lightest if its prompt says to keep one and it can read.
        """
        view = self._view
        if not self.leads:
            return Plan({}, view.documents)
        units = dict(view.documents) or {item.question: 0 for item in view.questions}
        keeps = says(_KEEPS, view.system) and (view.reader is not None or not view.documents)
        heads = view.members[: min(len(units), self._affordable())]
        parts = balanced(units, len(heads) + (keeps and len(units) > len(heads)))
        tasks = {name: self._task(part) for name, part in zip(heads, parts, strict=False)}
        left = parts[len(heads) :]
        return Plan(tasks, left[0] if left and view.documents else {})

    def _affordable(self) -> int:
        """How many tasks, each with all the questions, can be written in one completion; at least one."""
        size = count_tokens("\n".join(item.question for item in self._view.questions)) + 1
        return max(1, int(ROOM * self._view.max_output_tokens) // size)

    def _task(self, part: Mapping[str, int]) -> str:
        view = self._view
        lines = []
        if view.documents:
            lines.append("Read these documents:")
            lines += [f"- {name} ({size:,} tokens)" if size else f"- {name}" for name, size in part.items()]
            lines += ["", "Questions, word for word:", *(item.question for item in view.questions)]
            which = "only for questions that these documents answer"
        else:
            lines += ["Answer these questions, word for word:", *part]
            which = "one for each question"
        example = example_in(view.statement)
        form = f", in this form: {example}" if example else "."
        return "\n".join([*lines, "", f"Send back a JSON array of entries and nothing else, {which}{form}"])

    @cached_property
    def orders(self) -> tuple[Order, ...]:
        sent = [c for c in self._view.calls if c.name == "send_message"] if self.leads else []
        calls = (c for c in sent if c.argument("type") == "task")
        return tuple(Order(c.at, c.argument("to"), c.argument("content"), c.sent is not None) for c in calls)

    @cached_property
    def unsent(self) -> dict[str, str]:
        """Planned tasks that were never written, or only in a call that could not be read."""
        addressed = {o.recipient for o in self.orders}
        return {name: task for name, task in self.plan.tasks.items() if name not in addressed}

    @cached_property
    def _answers(self) -> dict[Order, Block | None]:
        return {order: self._answer(order) for order in self.orders}

    def _answer(self, order: Order) -> Block | None:
        """The latest result that its recipient has sent since, one that is no error before one that is."""
        results = [
            b for b in self._view.inbox if b.type == "result" and b.sender == order.recipient and b.at > order.at
        ]
        return next((b for b in reversed(results) if not b.failed), results[-1] if results else None)

    @cached_property
    def outstanding(self) -> tuple[str, ...]:
        """Members that have been sent a task and have not answered, in order."""
        return tuple(dict.fromkeys(o.recipient for o in self.orders if o.sent and self._answers[o] is None))

    @cached_property
    def _lost(self) -> tuple[Order, ...]:
        """Failed tasks whose part nobody has been given since."""
        return tuple(
            o
            for i, o in enumerate(self.orders)
            if self._failed(o) and all(p.content != o.content for p in self.orders[i + 1 :])
        )

    def _failed(self, order: Order) -> bool:
        answer = self._answers[order]
        return not order.sent or (answer is not None and answer.failed)

    @cached_property
    def _retried(self) -> tuple[Order, ...]:
        """Failed tasks that some other member is to be given: once more, and only if one has not failed yet."""
        if not self._reliable:
            return ()
        return tuple(o for o in self._lost if sum(p.content == o.content for p in self.orders) < TRIES)

    @cached_property
    def _reliable(self) -> tuple[str, ...]:
        failed = {o.recipient for o in self.orders if self._failed(o)}
        return tuple(name for name in self._view.members if name not in failed)

    @cached_property
    def reassignable(self) -> tuple[tuple[str, str], ...]:
        """(member, task) for failed parts that can be given to somebody else now: to members that are not at work, so
        that their next result is about the new task."""
        idle = [name for name in self._reliable if name not in self.outstanding]
        return tuple((idle[i % len(idle)], order.content) for i, order in enumerate(self._retried)) if idle else ()

    @cached_property
    def mine(self) -> Mapping[str, int]:
        """The documents that this agent has to read itself: its own part, and parts that failed for good."""
        retried = {o.content for o in self._retried}
        fallen: dict[str, int] = {}
        for order in self._lost:
            if order.content not in retried:
                fallen.update(self._view.documents_in(order.content))
        return {**self.plan.own, **fallen}

    @property
    def open_questions(self) -> tuple[Block, ...]:
        """What members have asked and not been told."""
        if not self.leads:
            return ()
        told = {c.argument("inReplyTo") for c in self._view.calls if c.name == "send_message"}
        return tuple(b for b in self._view.inbox if b.type == "clarify" and b.msg_id not in told)

    @property
    def pretends(self) -> bool:
        """Whether this lead, not told that replies come by themselves, makes a show of waiting."""
        habits = self._view.behaviour.protocol
        drawn = self._view.draws.agent("protocol")
        return not self.patient and habits.invent <= drawn < habits.invent + habits.pretend

    @property
    def invents(self) -> bool:
        """Whether it makes up what it has not received."""
        return not self.patient and self._view.draws.agent("protocol") < self._view.behaviour.protocol.invent


def balanced(units: Mapping[str, int], parts: int) -> list[dict[str, int]]:
    """Units in ``parts`` groups of about equal size, heaviest group first: the largest unit goes to the lightest group.

    Within a group the units keep their order. Fewer groups than ``parts`` never result when there are enough units.
    """
    groups: list[list[str]] = [[] for _ in range(parts)]
    weights = [0] * parts
    for name in sorted(units, key=lambda n: -units[n]) if parts else ():
        lightest = min(range(parts), key=lambda g: (weights[g], len(groups[g])))
        groups[lightest].append(name)
        weights[lightest] += units[name]
    heaviest_first = sorted(range(parts), key=lambda g: -weights[g])
    return [{n: size for n, size in units.items() if n in groups[g]} for g in heaviest_first]
