"""What a request says, read once: who may be addressed, what is to be done, what has been done and found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from harness.blocks import blocks_in
from harness.models.oracle import Item
from harness.models.simulated.behaviour import Behaviour
from harness.models.simulated.draws import Draws
from harness.models.simulated.prompt.attempts import without_attempts
from harness.models.simulated.prompt.calls import LEFT_OUT, Call, calls_in
from harness.models.simulated.prompt.evidence import Evidence
from harness.models.simulated.prompt.findings import (
    Entry,
    entries_in,
    example_in,
    files_in,
    noted_as_read,
    says,
)
from harness.models.simulated.prompt.inbox import Block, parse_inbox
from harness.models.simulated.prompt.knowledge import Knowledge
from harness.models.simulated.prompt.search import Search
from harness.models.simulated.prompt.team import Team
from harness.models.simulated.prompt.tool_names import ASKS, READS, SEND, taking_one
from harness.models.simulated.prompt.wire import Prompt, WireMessage

_MEMBERS = re.compile(r"\bsend messages to:[ \t]*(.+)", re.I)
_PEERS = re.compile(r"\bother members:[ \t]*(.+)", re.I)
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_ORDER = re.compile(r"^\[order [^\]\n]+\]$", re.M)
_RETURNED = re.compile(r"^\[order [^\],\n]+, try \d+ of \d+\]$", re.M)
_SUB_AGENT = re.compile(r"\byou are a sub-agent\b|\byou work on one step of a larger task\b", re.I)
_FIELD = re.compile(r'"required": |^- \w+: must ', re.M)
_CLOSED = re.compile(r'"additionalProperties": false|\bno other fields\b')
_NO_WIDENING = re.compile(r"\bdo not widen\b|\bBLOCKED:", re.I)
_LATEST = re.compile(r"\blatest task only\b|\bonly (?:on )?the latest task\b", re.I)
_IN_BLOCKS = re.compile(r"\bfenced (?:code )?block for each\b", re.I)
_LEAVE_OUT = re.compile(r"\bleave out\b|\bonly for questions that\b", re.I)
ATTEMPTS = 2
"""How often a document is asked for before it is given up."""


@dataclass(frozen=True)
class View:
    """One request, seen by the model that is to answer it. Everything else is derived when asked for."""

    messages: Sequence[WireMessage]
    prompt: Prompt
    tools: Mapping[str, Mapping[str, Any]]
    form: Mapping[str, Any] | None
    window_tokens: int
    max_output_tokens: int
    behaviour: Behaviour
    draws: Draws
    knowledge: Knowledge
    described: Mapping[str, str] = field(default_factory=dict)
    """Name of a tool → what it says of itself."""

    # -- what was said ---------------------------------------------------------------------------------------------

    @cached_property
    def system(self) -> str:
        return "\n".join(m.text for m in self.messages if m.role in ("system", "developer"))

    @cached_property
    def inbox(self) -> tuple[Block, ...]:
        """Every message of another agent in the conversation, oldest first."""
        return tuple(b for i, m in enumerate(self.messages) if m.role == "user" for b in parse_inbox(m.text, i))

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """Every tool call in the conversation with its result, oldest first."""
        return calls_in(self.messages)

    @cached_property
    def last_said(self) -> int:
        """Index of this agent's latest own message, -1 if it has said nothing."""
        return max((i for i, m in enumerate(self.messages) if m.role == "assistant"), default=-1)

    @property
    def news(self) -> str:
        """What a user message has said since this agent last spoke."""
        return "\n".join(m.text for m in self.messages[self.last_said + 1 :] if m.role == "user")

    # -- what is to be done ----------------------------------------------------------------------------------------

    @cached_property
    def members(self) -> tuple[str, ...]:
        """The agents to whom the system prompt lets a lead send messages."""
        return _names(_MEMBERS, self.system)

    @cached_property
    def peers(self) -> tuple[str, ...]:
        """The other members that a member's system prompt names."""
        return _names(_PEERS, self.system)

    @cached_property
    def orders(self) -> tuple[Block, ...]:
        """What other agents ask of this one and it has not handed in yet (or, with nothing open, the last such order).
        A revision comes with the task it is about. Told so, it looks at the latest only."""
        every = [b for b in self.inbox if b.type in ("task", "revision")]
        if says(_LATEST, self.system):
            return tuple(every[-1:])
        handed_in = max((i for i, m in enumerate(self.messages) if m.role == "assistant" and not m.calls), default=-1)
        open_orders = [b for b in every if b.at > handed_in] or every[-1:]
        if open_orders and open_orders[0].type == "revision":
            earlier = [b for b in every if b.type == "task" and b.at < open_orders[0].at]
            return (*earlier[-1:], *open_orders)
        return tuple(open_orders)

    @cached_property
    def statement(self) -> str:
        """The first user message that asks something, or else the first, without attempts of others at the task."""
        told = [m.text for m in self.messages if m.role == "user"] or [""]
        return without_attempts(next((text for text in told if self.knowledge.questions(text)), told[0]))

    @cached_property
    def assignment(self) -> str:
        """All texts that say what this agent has to do: its orders, or the statement for whoever owns the task. What
        stands before an order, such as the conversation of whoever sent it, is not asked for."""
        orders = "\n".join(f"{_order_in(o.content)}\n{o.context}" for o in self.orders)
        return orders or _order_in(self.statement)

    @cached_property
    def delegated(self) -> bool:
        """Whether another agent has given this one its work."""
        return bool(self.orders) or says(_SUB_AGENT, self.system)

    @cached_property
    def returned(self) -> str | None:
        """What is wrong with the result that this agent has just handed in; None if nothing has come back."""
        heard = "\n".join(m.text for m in self.messages[self.last_said + 1 :])
        found = _RETURNED.search(heard)
        return heard[found.start() :] if found else None

    @cached_property
    def form_told(self) -> bool:
        """Whether the assignment shows the form of an entry, by example or schema, or names its fields in checks."""
        return says(_FIELD, self.assignment) or bool(example_in(self.assignment))

    @cached_property
    def closed(self) -> bool:
        """Whether it rules out fields that nobody has asked for."""
        return says(_CLOSED, self.assignment)

    @cached_property
    def narrow(self) -> bool:
        """Whether it says not to widen the task, and what to do when blocked."""
        return says(_NO_WIDENING, self.assignment)

    @cached_property
    def team(self) -> Team:
        """The team that this agent leads, if it leads one: ``Team.leads``."""
        return Team(self)

    @cached_property
    def search(self) -> Search:
        """What one search each would answer."""
        return Search(self)

    @cached_property
    def questions(self) -> tuple[Item, ...]:
        return self.knowledge.questions(self.assignment)

    @cached_property
    def documents(self) -> dict[str, int]:
        """Name → size in tokens (0: not told) of the documents named in the assignment, or else in a listing."""
        return self.documents_in(self.assignment) or self.documents_in(
            "\n".join(c.result or "" for c in self.calls if c.name == self.lister and not c.failed)
        )

    def documents_in(self, text: str) -> dict[str, int]:
        sizes: dict[str, int] = {}
        for name, tokens, line in files_in(text):
            if name not in sizes and self.knowledge.item(line) is not None:
                continue  # a file name inside a question
            sizes[name] = max(sizes.get(name, 0), tokens or 0)
        return sizes

    @cached_property
    def in_blocks(self) -> bool:
        """Whether the answer is to be given as fenced blocks, each under the name of its file."""
        return says(_IN_BLOCKS, self.assignment if self.delegated else self.statement)

    def file_of(self, item: Item) -> str | None:
        """The file that a question asks to write, if its label is a file's name."""
        label = str(item.right[item.naming])
        return label if any(found.name == label for found in files_in(label)) else None

    @cached_property
    def leave_out(self) -> bool:
        """Whether this agent was told to leave out what it cannot find, rather than to write null."""
        return says(_LEAVE_OUT, self.system) or says(_LEAVE_OUT, self.assignment)

    # -- what can be done ------------------------------------------------------------------------------------------

    @property
    def can_send(self) -> bool:
        return SEND in self.tools

    @cached_property
    def reader(self) -> tuple[str, str] | None:
        """The tool that reads one document and its parameter: it says `read` and requires one text."""
        return taking_one(self.tools, READS.search)

    @cached_property
    def asker(self) -> tuple[str, str] | None:
        """The tool that asks whoever set the task and its parameter: it says `ask` and requires one text."""
        return taking_one(self.tools, ASKS.search)

    @cached_property
    def lister(self) -> str | None:
        """The tool that lists the documents: it says `list` and requires nothing."""
        return next((n for n, p in self.tools.items() if "list" in n and not p.get("required")), None)

    # -- what has been done and found ------------------------------------------------------------------------------

    @cached_property
    def _asked(self) -> dict[str, list[Call]]:
        """Document → the calls that asked for it; also when no tool is offered any more, as in a request for notes."""
        asked: dict[str, list[Call]] = {}
        for call in self.calls:
            if "read" in call.name:
                named = (v for v in (call.arguments or {}).values() if isinstance(v, str))
                asked.setdefault(next(named, ""), []).append(call)
        return asked

    @cached_property
    def documents_held(self) -> int:
        """How many documents stand in the prompt, also in a conversation before this agent's order."""
        own = {name for name, calls in self._asked.items() if any(not c.failed for c in calls)}
        before = self.statement[: len(self.statement) - len(_order_in(self.statement))]
        if before and self.reader is not None:
            own.update(re.findall(rf'"{re.escape(self.reader[1])}": "([^"]+)"', before))
        return len(own)

    @cached_property
    def _noted(self) -> frozenset[str]:
        own = (noted_as_read(m.text) for m in self.messages if m.role == "assistant" and m.text)
        return frozenset().union(*own)

    @cached_property
    def read(self) -> tuple[str, ...]:
        """Documents read so far, also those that only the notes remember."""
        held = [name for name, calls in self._asked.items() if any(not c.failed for c in calls)]
        return tuple(dict.fromkeys([*sorted(self._noted), *held]))

    @cached_property
    def shown(self) -> frozenset[str]:
        """Files that stand, each as a block under its name, in or before the statement of whoever owns the task, or in
        an order before what it asks: they need not be read."""
        if self.delegated:
            first = self.questions[0].question if self.questions else ""
            before = self.assignment.partition(first)[0] if first else ""
            return frozenset(name for name, _ in blocks_in(before) if name is not None)
        asked_in = (i for i, m in enumerate(self.messages) if m.role == "user" and self.knowledge.questions(m.text))
        told = self.messages[: next(asked_in, -1) + 1]
        return frozenset(name for m in told for name, _ in blocks_in(m.text) if name is not None)

    def unread(self, documents: Mapping[str, int]) -> dict[str, int]:
        """Those that have not been read and not been given up; none once searching has settled every question."""
        if self.search.done:
            return {}
        return {name: size for name, size in documents.items() if not self._settled(name)}

    def _settled(self, name: str) -> bool:
        asked = self._asked.get(name, [])
        if name in self._noted or name in self.shown or any(not c.failed for c in asked):
            return True
        left_out = any((c.result or "").startswith(LEFT_OUT) for c in asked)  # it exists and may fit later
        return len(asked) >= ATTEMPTS and not left_out

    @cached_property
    def evidence(self) -> Evidence:
        """Where in the prompt stands what."""
        return Evidence(self)

    @property
    def fill(self) -> float:
        """Share of the window that the prompt takes, at most 1."""
        return min(1.0, self.prompt.tokens / self.window_tokens)

    @cached_property
    def own_entries(self) -> dict[str, Entry]:
        """Question → this agent's own latest answer, where it gave one."""
        return {q: e[-1] for q, e in self.entries_in(m.text for m in self.messages if m.role == "assistant").items()}

    @cached_property
    def heard_entries(self) -> dict[str, list[Entry]]:
        """Question → answers that others' messages carry, oldest first."""
        return self.entries_in(m.text for m in self.messages if m.role in ("user", "tool"))

    def entries_in(self, texts: Iterable[str], *, empty: bool = False) -> dict[str, list[Entry]]:
        """Question → the answers to it in these texts, in order; with ``empty`` also entries that give none."""
        found: dict[str, list[Entry]] = {}
        for text in texts:
            for entry in entries_in(text):
                item = self.item_of(entry)
                if item is not None and (empty or entry.get(item.telling) is not None):
                    found.setdefault(item.question, []).append(entry)
            for name, body in blocks_in(text):
                item = None if name is None else self._item_named(name)
                if item is not None:
                    found.setdefault(item.question, []).append({item.naming: name, item.telling: body})
        return found

    def item_of(self, entry: Entry) -> Item | None:
        """The question that an entry answers: the one that one of its fields names, the first that does."""
        named = (self._item_named(value) for value in entry.values() if isinstance(value, str))
        return next((item for item in named if item is not None), None)

    def _item_named(self, name: str) -> Item | None:
        return self.knowledge.item(name) or self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, Item]:
        """The questions of this assignment by what their entries call them: a label need not be the only one of its
        kind in the whole suite."""
        return {str(item.right[item.naming]): item for item in self.questions}


@lru_cache(maxsize=1024)
def _order_in(text: str) -> str:
    """A text from its last order on (others stand in a conversation before it), or all of it if there is none."""
    *_, found = (None, *_ORDER.finditer(text))
    return text[found.start() :] if found else text


@lru_cache(maxsize=1024)
def _names(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    """The names in the line that a pattern introduces, remarks in brackets and the full stop aside."""
    found = pattern.search(text)
    if found is None:
        return ()
    line = found[1]
    while line != (line := _IN_BRACKETS.sub("", line)):
        pass
    names = (part.strip() for part in line.strip().removesuffix(".").split(","))
    return tuple(name for name in names if name and name != "none")
