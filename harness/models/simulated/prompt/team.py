"""A lead's side of a team, read from its own conversation: who got what, who has answered, what is left."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

from harness.accounting.tokens import count_tokens
from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import files_in, says
from harness.models.simulated.prompt.handing import Order, sent_orders
from harness.models.simulated.prompt.inbox import Block
from harness.models.simulated.prompt.tool_names import DISPATCH, PLAN, POST, SEND

if TYPE_CHECKING:
    from harness.models.simulated.prompt.view import View

_KEEPS = re.compile(r"\bkeep (?:one|a|your own) part\b", re.I)
_NO_WAITING = re.compile(r"\b(?:never|not|without) wait|\bgo on with your own work\b|\bcontinue your own work\b", re.I)
_DIVIDE = re.compile(r"\bdivide\b[^.\n]*?\binto (\d+) parts?\b", re.I)
_READS_FIRST = re.compile(r"\bread all documents before you divide\b", re.I)
_AT_MOST = re.compile(r"\bat most (\d+) (?:in all|steps)\b", re.I)
_BY_TAG = re.compile(r"<delegate>.*</delegate>", re.I)
ENTRY_EACH = re.compile(r"\bevery (\w+) must have an entry\b", re.I)
EXPLORERS = re.compile(r"\bmay send explorers out\b", re.I)
TRIES = 2
"""How often one part is handed out before the lead does it itself."""
ROOM = 0.9
"""Share of its longest output that a lead fills with orders; with more it hands out fewer parts."""
AROUND = 400
"""Tokens of a structured order beside its questions."""
LETTER = 100
"""Tokens of an order in plain text beside its questions."""

Part = Mapping[str, int]
"""Documents with their sizes in tokens, or questions with 0."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Who does what: recipient → its part (sub-agents have numbers for names), and what this agent reads itself."""

    tasks: Mapping[str, Part]
    own: Part


class Team:
    """Derived from a view; holds no state of its own. ``leads``: this agent is to hand out work: it has a tool for
    dispatching sub-agents or posting tasks or is told to write orders in tags, and is given no orders itself or is told
    to divide them; or it can send messages, is told to whom, and is given no orders itself. For anybody else everything
    here is empty but the form of an order and ``combines``. ``plans``: it hands in a plan of orders.
    ``dispatches``: it does not choose who gets an order, and goes on when all have their results. ``tool``: that orders
    go out by, unless ``by_tags``. ``patient``: its prompt says not to wait."""

    def __init__(self, view: View) -> None:
        self._view = view
        told = _DIVIDE.search(view.system)
        self._parts = int(told[1]) if told else None
        self.tool = next((name for name in (DISPATCH, POST, PLAN) if name in view.tools), SEND)
        self.by_tags = self.tool == SEND and says(_BY_TAG, view.system) and not view.delegated
        self.plans = self.tool == PLAN
        self.dispatches = (self.tool not in (SEND, PLAN) or self.by_tags) and (
            self._parts is not None or not view.delegated
        )
        self.leads = self.dispatches or (view.can_send and bool(view.members) and not view.orders)
        self.patient = says(_NO_WAITING, view.system)

    # -- the form of an order --------------------------------------------------------------------------------------

    @cached_property
    def _parameters(self) -> Mapping[str, Any]:
        """The tool that orders go out by: name of a parameter → its schema."""
        known = {} if self.by_tags else self._view.tools.get(self.tool, {}).get("properties")
        if self.plans and isinstance(known, Mapping):
            items = known.get("steps", {}).get("items", {})
            known = items.get("properties") if isinstance(items, Mapping) else None
        return known if isinstance(known, Mapping) else {}

    @property
    def order_form(self) -> Mapping[str, Any] | None:
        """The fields of a structured order, None if orders are plain text."""
        order = self._parameters.get("order")
        fields = order.get("properties") if isinstance(order, Mapping) else None
        return fields if isinstance(fields, Mapping) else None

    @property
    def order_hint(self) -> str:
        """What the tool says of an order in plain text."""
        field = self._parameters.get("task" if self.tool == DISPATCH else "content")
        return str(field.get("description", "")) if isinstance(field, Mapping) else ""

    @property
    def types(self) -> Mapping[str, str]:
        """Type of sub-agent → what it does, as the tool lists them."""
        field = self._parameters.get("type")
        if self.tool != DISPATCH or not isinstance(field, Mapping):
            return {}
        told = dict(t.partition(": ")[::2] for t in str(field.get("description", "")).split("; "))
        return {str(name): told.get(str(name), "") for name in field.get("enum", ())}

    # -- the split -------------------------------------------------------------------------------------------------

    @cached_property
    def plan(self) -> Plan:
        """The split, which depends on the statement and the names only, so that it is the same in every request.

        Units are the documents, or the questions of a task without documents. All members get a part, but never more
        than there are units; sub-agents get ``planning.documents_per_part`` each (of files to write,
        ``files_per_part``), unless the prompt says into how many parts to divide. The lead keeps the lightest part if
        its prompt says to keep one and it can read.
        """
        view = self._view
        if not self.leads:
            return Plan({}, view.documents)
        units = self.units
        keeps = says(_KEEPS, view.system) and (view.reader is not None or not view.documents)
        names = self._sub_agents(len(units)) if self.dispatches else view.members
        heads = names[: min(len(units), self._affordable())]
        parts = balanced(units, len(heads) + (keeps and len(units) > len(heads)))
        left = parts[len(heads) :]
        return Plan(dict(zip(heads, parts, strict=False)), left[0] if left and view.documents else {})

    @property
    def units(self) -> dict[str, int]:
        """What can be divided: the documents, or the questions of a task without documents."""
        return dict(self._view.documents) or {item.question: 0 for item in self._view.questions}

    @property
    def most_parts(self) -> int | None:
        """Into how many parts the prompt allows the work to be divided, None if it does not say."""
        told = _AT_MOST.search(self._view.system)
        return int(told[1]) if told else None

    def split(self, members: int, units: Part) -> list[dict[str, int]]:
        """These units in parts for a team of so many, heaviest first: a part each, or more where a part would be larger
        than one that is given to a sub-agent."""
        most = min(len(units), len(self._sub_agents(len(units), members)), self._affordable())
        return balanced(units, max(1, most))

    def _sub_agents(self, units: int, least: int = 1) -> tuple[str, ...]:
        most = self.most_parts
        planning = self._view.behaviour.planning
        writes = self._view.in_blocks and not self._view.documents
        wanted = self._parts or ceil(units / (planning.files_per_part if writes else planning.documents_per_part))
        wanted = max(wanted, least)
        return tuple(str(n) for n in range(1, min(units, wanted, wanted if most is None else most) + 1))

    @property
    def owes_every_entry(self) -> bool:
        """Whether the statement demands an entry for everything it asks, and orders can have this checked: then it must
        be clear which order is to bring which entry."""
        return self.order_form is not None and says(ENTRY_EACH, self._view.statement)

    def questions_of(self, part: Part) -> tuple[Item, ...]:
        """The questions that the order for a part asks. Of documents: all, since any of them might answer any; but
        where every entry is owed, those whose line names one of these documents, or none at all."""
        questions = self._view.questions
        if not self._view.documents:
            return tuple(item for item in questions if item.question in part)
        if not self.owes_every_entry:
            return questions
        return tuple(item for item in questions if not (named := _documents_named(item)) or named & part.keys())

    def _affordable(self) -> int:
        """How many orders can be written in one completion, at least one: each with the questions that all of them
        ask, and those that only one asks once (without documents to divide, all of them)."""
        view = self._view
        alone = [i for i in view.questions if not view.documents or (self.owes_every_entry and _documents_named(i))]
        shared = [i for i in view.questions if i not in alone]
        room = int(ROOM * view.max_output_tokens) - _tokens(alone)
        return max(1, room // (_tokens(shared) + (AROUND if self.order_form else 0) or LETTER))

    # -- what became of it -----------------------------------------------------------------------------------------

    @cached_property
    def orders(self) -> tuple[Order, ...]:
        return sent_orders(self._view) if self.leads else ()

    @cached_property
    def unsent(self) -> dict[str, Part]:
        """Planned parts that were never written, or only in a call that could not be read."""
        if self.dispatches:
            return {
                n: part for n, part in self.plan.tasks.items() if not any(self._covers(o, part) for o in self.orders)
            }
        addressed = {o.recipient for o in self.orders}
        return {name: part for name, part in self.plan.tasks.items() if name not in addressed}

    def _covers(self, order: Order, part: Part) -> bool:
        named, text = self._view.documents_in(order.text), f"\n{order.text}\n"
        return all(unit in named or f"\n{unit}\n" in text for unit in part)  # a question may take several lines

    @cached_property
    def outstanding(self) -> tuple[str, ...]:
        """Members that have been sent a task and have not answered, in order."""
        return tuple(dict.fromkeys(o.recipient for o in self.orders if o.sent and not o.answered))

    @cached_property
    def _lost(self) -> tuple[Order, ...]:
        """Failed orders whose part nobody has been given since."""
        return tuple(
            o for i, o in enumerate(self.orders) if o.lost and all(p.key != o.key for p in self.orders[i + 1 :])
        )

    @cached_property
    def _retried(self) -> tuple[Order, ...]:
        """Failed orders that are to go out once more: to another member, and only if one has not failed yet; to a
        sub-agent, unless no more are to be had."""
        if not (self.dispatches or self._reliable):
            return ()
        return tuple(
            o for o in self._lost if not o.final and sum(p.key == o.key for p in self.orders) < TRIES
        )  # fmt: skip

    @cached_property
    def _reliable(self) -> tuple[str, ...]:
        failed = {o.recipient for o in self.orders if o.lost}
        return tuple(name for name in self._view.members if name not in failed)

    @cached_property
    def reassignable(self) -> tuple[tuple[str, Order], ...]:
        """(recipient, order) for failed parts that can be given to somebody else now: to members that are not at work,
        so that their next result is about the new task; a new sub-agent has no name yet."""
        if self.dispatches:
            return tuple(("", order) for order in self._retried)
        idle = [name for name in self._reliable if name not in self.outstanding]
        return tuple((idle[i % len(idle)], order) for i, order in enumerate(self._retried)) if idle else ()

    @cached_property
    def mine(self) -> Part:
        """The documents that this agent has to read itself: its own part, parts that failed for good, and all of them
        if it is told to read before it divides."""
        retried = {o.key for o in self._retried}
        fallen: dict[str, int] = {}
        for order in self._lost:
            if order.key not in retried:
                fallen.update(self._sized(self._view.documents_in(order.text)))
        explored = self._explored if says(EXPLORERS, self._view.system) else frozenset()
        return {n: size for n, size in {**self._first, **self.plan.own, **fallen}.items() if n not in explored}

    @cached_property
    def _explored(self) -> frozenset[str]:
        """Documents that an explorer has read for this agent."""
        sent = (o for o in sent_orders(self._view) if o.sent and not o.failed)
        return frozenset(name for order in sent for name in self._view.documents_in(order.text))

    @cached_property
    def _first(self) -> Part:
        """What this agent is told to read before it divides the work."""
        view = self._view
        return view.documents if self.dispatches and view.reader and says(_READS_FIRST, view.system) else {}

    @property
    def reads_first(self) -> bool:
        """Whether it still has to, before it may hand anything out."""
        return bool(self._view.unread(self._first))

    @cached_property
    def combines(self) -> bool:
        """Whether somebody has answered it who worked on what it may have read too, or has before it: it goes by what
        it was told."""
        view = self._view
        if not (view.shown and self.leads) and (DISPATCH not in view.tools or not (view.delegated or self._first)):
            return False
        return any(o.sent and not o.failed for o in sent_orders(view))

    def _sized(self, documents: Part) -> Part:
        """With the sizes that the statement tells, where the order tells none."""
        known = self._view.documents
        return {name: size or known.get(name, 0) for name, size in documents.items()}

    # -- talk ------------------------------------------------------------------------------------------------------

    @property
    def open_questions(self) -> tuple[Block, ...]:
        """What members have asked and not been told."""
        if not self.leads:
            return ()
        told = {c.argument("inReplyTo") for c in self._view.calls if c.name == SEND}
        return tuple(b for b in self._view.inbox if b.type == "clarify" and b.msg_id not in told)

    @property
    def pretends(self) -> bool:
        """Whether this lead, not told that replies come by themselves, makes a show of waiting."""
        if self.dispatches:
            return False
        habits = self._view.behaviour.protocol
        drawn = self._view.draws.agent("protocol")
        return not self.patient and habits.invent <= drawn < habits.invent + habits.pretend

    @property
    def invents(self) -> bool:
        """Whether it makes up what it has not received."""
        if self.dispatches:
            return False
        return not self.patient and self._view.draws.agent("protocol") < self._view.behaviour.protocol.invent


def _documents_named(item: Item) -> frozenset[str]:
    return frozenset(found.name for found in files_in(item.question))


def _tokens(items: Sequence[Item]) -> int:
    """Of their lines, with the line breaks."""
    return count_tokens("\n".join(i.question for i in items)) + 1 if items else 0


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
