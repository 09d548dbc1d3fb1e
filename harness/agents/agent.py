"""An agent: a role with its own prompt, tools and memory, looping over model calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.accounting.ledger import Caller
from harness.accounting.parts import ENGINE, OUTSIDE, TASK, TOOL, Part, taken_apart
from harness.accounting.purposes import Purpose, Stance
from harness.accounting.restating import Reading, looks_like_json
from harness.agents.compaction import GO_ON, REQUEST, ROOM, Compaction
from harness.agents.completions import CallParts, call_parts, text_parts
from harness.agents.conversation import Conversation, Turn
from harness.agents.offer import Offer
from harness.agents.tools import Arguments, ToolFailed
from harness.limits import Scope, exceeded
from harness.models.protocol import Json, Model, Request, Response
from harness.models.seeds import request_seed

if TYPE_CHECKING:
    from harness.session import Session

_RESULTS = frozenset({Purpose.ANSWER, Purpose.REWORK, Purpose.REPORT, Purpose.MERGE})
DELEGATING = frozenset({"dispatch_sub_agent", "create_agent", "delegate", "spawn_agent", "post_task"})
"""Names under which models know delegation. Calling one that is not offered is an attempt to delegate all the same."""


def hands_on(name: str, arguments: Mapping[str, Any] | None) -> bool:
    """Whether a call tries to hand work to another agent, by one of these tools or by a message."""
    return name in DELEGATING or (name == "send_message" and (arguments or {}).get("type") == "task")


class Returned(NamedTuple):
    """What one tool call came back with. ``unread``: its caller must read it before it goes on; ``failed``: it is a
    refusal or an error."""

    parts: tuple[Part, ...]
    unread: bool = True
    failed: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """One model call and what came of its tool calls.

    ``text``: the free text; ``parts``: the same with purposes; ``calls``: its tool calls; ``results``: what each of
    them returned.
    """

    text: str
    parts: tuple[Part, ...]
    calls: tuple[CallParts, ...]
    results: tuple[Returned, ...]

    @property
    def final(self) -> bool:
        """No tool was called: the model has said what it had to say."""
        return not self.calls

    @property
    def unread(self) -> bool:
        """Whether some call returned what its caller has to read before it can go on (not if it only sent messages)."""
        return any(r.unread for r in self.results)


@dataclass(slots=True)
class Agent:
    """One agent of one session. Made by ``Session.agent``."""

    caller: Caller
    session: Session
    model: Model
    conversation: Conversation
    offer: Offer
    scope: Scope
    compaction: Compaction | None = None
    on_result: Callable[[CallParts, Returned], None] | None = None
    """Told of each tool call as soon as it has ended, also when others of its completion have not."""
    product: Purpose | None = None
    """What its final texts are, whatever they restate (a plan, a verdict); None: told apart piece by piece."""
    markup: Callable[[str], Sequence[tuple[str, Purpose]] | None] | None = None
    """Cuts a text in which work is handed out into stretches of one purpose; None for a text that is none. Such a text
    is no product, with or without tool calls beside it."""
    _requests: int = 0
    _seen: int = 0
    _delivered: bool = False
    _marked: bool = False
    _own: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.caller.agent

    @property
    def in_team(self) -> bool:
        """Whether anything tells this agent of a team: a tool, its prompt, or another agent's text. Until then its
        prompts are a single agent's, and it is the same to the ledger."""
        return self.session.team and (
            any(t.coordination for t in self.offer.tools)
            or any(
                p.purpose == Purpose.SCAFFOLD or p.author not in (*OUTSIDE, self.name)
                for p in self.conversation.parts()
            )
        )

    @property
    def engine_purpose(self) -> Purpose:
        """What the engine's own texts are to this agent."""
        return Purpose.SCAFFOLD if self.in_team else Purpose.TASK

    def tell(self, *parts: Part) -> None:
        """Add a user message. Before the sample's statement come the turns that the sample says were earlier: whoever
        is given the statement as its own task is the one who answered then."""
        if parts[:1] == (self.session.statement(),):
            for asked, answered in self.session.sample.earlier:
                self.conversation.tell(Part(asked, TASK, Purpose.TASK))
                self.conversation.add(Turn("assistant", (Part(answered, self.name, Purpose.ANSWER),)))
        self.conversation.tell(*taken_apart(parts))

    def note(self, text: str) -> None:
        """Add a user message by the engine (a wake notice, a format correction, a compaction request)."""
        self.tell(Part(text, ENGINE, self.engine_purpose))

    async def run(self, intent: Purpose, max_steps: int) -> Step:
        """Step until an answer without tool calls; LimitExceeded ``max_steps`` when none comes in time."""
        for _ in range(max_steps):
            await self._compact_if_due()
            step = await self.step(intent)
            if step.final:
                return step
        raise exceeded("max_steps", max_steps, max_steps + 1, "agent")

    async def step(
        self, intent: Purpose, *, aside: Purpose | None = None, response_format: Json | None = None, tools: bool = True
    ) -> Step:
        """One model call, then its tool calls, all at once.

        ``intent``: what the call is for, if nothing visible comes back. ``aside``: the purpose of free text without a
        tool call that is not the JSON deliverable; None: it is treated as a product. ``tools=False`` offers none.
        Raises what ``Operator.operate`` raises.
        """
        offer = self.offer if tools else self.session.no_tools
        prompt = [*offer.parts, *self.conversation.parts()]
        request = Request(
            model=self.model.name,
            messages=self.conversation.wire(),
            tools=offer.wire,
            response_format=response_format,
            seed=self._seed(),
        )
        result_text: tuple[Part, ...] = ()
        result_calls: tuple[CallParts, ...] = ()

        def read(response: Response) -> Sequence[Part]:
            nonlocal result_text, result_calls
            result_text, result_calls = self._read(response, offer, intent, aside)
            return (*result_text, *(p for c in result_calls for p in (c.name, *c.arguments)))

        operation = f"{self.name}#{self._requests}"
        response = await self.session.operator.operate(
            self.model, self.caller, self.scope, operation, request, prompt, intent, read
        )
        turn = Turn("assistant", result_text, result_calls)
        self.conversation.add(turn)
        payloads = (q for c in result_calls if c.parsed for q in c.parsed.payload)
        self._own.extend(p.key for p in (*result_text, *payloads) if p.purpose in _RESULTS)
        if not (result_calls or self._marked) or any(_is_result(c) for c in result_calls):
            self._delivered = True
            self._seen = len(self.conversation.parts())
        try:
            results = self._fit(await self._execute_all(result_calls, offer))
        except BaseException:  # a timeout or the end of the run: providers refuse a call that has no result
            for call in result_calls:
                note = Part("error: interrupted", ENGINE, self.engine_purpose)
                self.conversation.add(Turn("tool", (note,), tool_call_id=call.id))
            raise
        for call, result in zip(result_calls, results, strict=True):
            self.conversation.add(Turn("tool", result.parts, tool_call_id=call.id))
        return Step(response.text, result_text, result_calls, tuple(results))

    async def _compact_if_due(self) -> None:
        """Go on from the agent's own notes when its context is nearly full."""
        rule, window = self.compaction, self.model.window_tokens
        if rule is None or not rule.due(self._prompt_tokens(), window):
            return
        self.note(REQUEST)
        step = await self.step(Purpose.ANSWER, tools=False)
        self.session.events.emit("compacted", self.name, {"tokens": self._prompt_tokens()})
        notes = Turn("assistant", step.parts)
        self.conversation.restart(rule.keep, notes)
        self.note(GO_ON)
        self._seen = len(self.conversation.parts())

    def _prompt_tokens(self) -> int:
        return sum(p.weight for p in (*self.offer.parts, *self.conversation.parts()))

    def _fit(self, results: Sequence[Returned]) -> list[Returned]:
        """With compaction on, leave out the results that would no longer fit the window together with a reply."""
        if self.compaction is None:
            return list(results)
        room = int(self.model.window_tokens * ROOM) - self._prompt_tokens()
        fitting = []
        for result in results:
            tokens = sum(p.weight for p in result.parts)
            if tokens > room:
                text = f"Left out: this result has {tokens:,} tokens and does not fit your context. Read it later."
                result, tokens = Returned((Part(text, ENGINE, self.engine_purpose),)), 0
            room -= tokens
            fitting.append(result)
        return fitting

    def _seed(self) -> int:
        self._requests += 1
        s = self.session
        return request_seed(s.seed, s.sample.id, s.epoch, s.topology, self.name, self._requests)

    # -- what was written ------------------------------------------------------------------------------------------

    def _read(
        self, response: Response, offer: Offer, intent: Purpose, aside: Purpose | None
    ) -> tuple[tuple[Part, ...], tuple[CallParts, ...]]:
        """The completion as parts: see docs/cost-model.md, "Completions" and "Restating"."""
        others = self._others()
        reading = Reading(others, self._own, self._fresh())
        tools = {t.name: t for t in offer.tools}
        calls = tuple(
            call_parts(
                call,
                self.name,
                tools[call.name].purpose_of if call.name in tools else self._not_offered(call.name),
                reading,
            )
            for call in response.tool_calls
        )
        stretches = None if self.markup is None else self.markup(response.text)
        self._marked = stretches is not None
        if stretches is not None:
            return tuple(Part(piece, self.name, p) for piece, p in stretches), calls
        purpose: Purpose | Reading
        if any(c.name.text not in tools or tools[c.name.text].coordination for c in calls):
            purpose = Purpose.PLAN if self.in_team else Purpose.ANSWER
        elif calls:
            purpose = Purpose.ANSWER
        elif self.product is not None:
            purpose = self.product
        elif aside is not None and not looks_like_json(response.text):
            purpose = aside
        else:
            purpose = reading if others else reading.fresh
        return text_parts(response.text, self.name, purpose), calls

    def _not_offered(self, name: str) -> Callable[[Mapping[str, Any]], Purpose] | None:
        if not self.in_team:
            return None
        return lambda arguments: Purpose.DISPATCH if hands_on(name, arguments) else Purpose.PLAN

    def _others(self) -> list[str]:
        """Results by other agents that stand in this agent's prompt."""
        return [
            p.key
            for p in self.conversation.parts()
            if p.purpose in _RESULTS and p.author not in OUTSIDE and p.author != self.name
        ]

    def _fresh(self) -> Purpose:
        """The purpose of a product that restates nothing: first written, or rewritten because of what came since the
        last one was delivered."""
        new = self.conversation.parts()[self._seen :]
        if any(p.purpose == Purpose.FEEDBACK and p.author != self.name for p in new):
            return Purpose.REWORK
        heard = [p for p in new if p.author not in OUTSIDE and p.author != self.name]
        if self._delivered and self.caller.stance == Stance.WORKER and heard and all(
            p.purpose in _RESULTS or p.purpose == Purpose.SYNC for p in heard
        ) and not any(p.author == TOOL for p in new):  # fmt: skip
            return Purpose.SYNC
        return Purpose.ANSWER

    # -- what was asked for ----------------------------------------------------------------------------------------

    async def _executed(self, call: CallParts, offer: Offer) -> Returned:
        result = await self._execute(call, offer)
        if self.on_result is not None:
            self.on_result(call, result)
        return result

    async def _execute_all(self, calls: Sequence[CallParts], offer: Offer) -> list[Returned]:
        if len(calls) == 1:  # most often, and then a task of its own would only cost
            return [await self._executed(calls[0], offer)]
        return await asyncio.gather(*(self._executed(c, offer) for c in calls))

    async def _execute(self, call: CallParts, offer: Offer) -> Returned:
        """Run one tool call."""
        name = call.name.text
        tool = next((t for t in offer.tools if t.name == name), None)
        events = self.session.events
        if tool is None:
            return Returned(self._refuse(name, call, offer))
        fault = offer.fault(tool, call.parsed)
        if fault is not None:
            if call.parsed is None:
                self.session.unparsable(self.name, fault)
            # badly written, and an attempt to hand work on all the same
            if hands_on(name, call.parsed) and (refusal := self.session.refuse_depth(self.caller, name)) is not None:
                self.session.refuse(self.name, refusal, tool=name)
                fault = refusal
            events.emit("tool_error", self.name, {"tool": name, "error": fault})
            return Returned((Part(fault, ENGINE, self.engine_purpose),))
        arguments = call.parsed or Arguments()
        try:
            result = await tool.run(arguments)
        except ToolFailed as failed:
            events.emit("tool_error", self.name, {"tool": name, "error": str(failed)})
            author, purpose = (ENGINE, self.engine_purpose) if tool.coordination else (TOOL, Purpose.TASK)
            told = f"error: {failed}" if failed.purpose is None else str(failed)
            return Returned((Part(told, author, failed.purpose or purpose),))
        except (SystemExit, KeyboardInterrupt) as ending:  # from a task of its own, either would end the event loop
            raise RuntimeError(f"tool {name} raised {type(ending).__name__}: {ending}") from ending
        parts = (Part(result, TOOL, Purpose.TASK),) if isinstance(result, str) else tuple(result)
        events.emit("tool", self.name, {"tool": name, "arguments": arguments, "chars": sum(len(p.text) for p in parts)})
        return Returned(parts, unread=not tool.coordination, failed=False)

    def _refuse(self, name: str, call: CallParts, offer: Offer) -> tuple[Part, ...]:
        names = ", ".join(t.name for t in offer.tools) or "none"
        text = f"There is no tool '{name}'. Your tools: {names}."
        if hands_on(name, call.parsed) and self.session.team:
            text = self.session.refuse_depth(self.caller, name) or text
        self.session.refuse(self.name, text, tool=name)
        return (Part(text, ENGINE, self.engine_purpose),)


def _is_result(call: CallParts) -> bool:
    """Whether a call hands over a product."""
    return call.parsed is not None and bool(call.parsed.payload) and call.parsed.get("type") == "result"
