"""A tiny suite, and requests in the chat format built by hand, for the tests of the simulated model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harness.clock.protocol import Timeline
from harness.models.oracle import Item
from harness.models.protocol import Model, Request, Response, ToolCall
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import (
    Answering,
    Attention,
    Behaviour,
    Clarify,
    Malformed,
    Orders,
    Progress,
    Relay,
)
from harness.models.simulated.provider.provider import Latency

NAMES = ("pump.txt", "gate.txt", "roof.txt", "fence.txt", "well.txt", "mast.txt", "lift.txt", "tank.txt")
FLAWLESS = Behaviour(
    attention=Attention(dilution=0, middle=0),
    answering=Answering(accuracy=1, spread=0, mixup=0, guess=0, repeated=0),
    relay=Relay(drift=0),
    clarify=Clarify(rate=0),
    progress=Progress(rate=0),
    orders=Orders(loose=0, copy=0, widen=0),
    malformed=Malformed(rate=0),
)
"""A model that makes no mistake and says nothing unasked."""


def question(name: str) -> str:
    return f"Who signed for {name.removesuffix('.txt')} in March?"


def evidence(name: str) -> str:
    return f"Signed for {name.removesuffix('.txt')}: Person-{NAMES.index(name)} (March)."


def document(name: str) -> str:
    return f"{name}: sections 1 to 1 of 1\n\n[{name} §1]\nSite log. {evidence(name)} Nothing else was noted."


def entry(name: str, answer: str | None = None, ref: str | None = None) -> dict[str, Any]:
    right = f"Person-{NAMES.index(name)}"
    return {
        "question": question(name),
        "answer": right if answer is None else answer,
        "clause_ref": f"{name} §1" if ref is None else ref,
    }


def item(name: str) -> Item:
    """Right, three kinds of wrong, and a mix-up with the document that follows in ``NAMES``."""
    other = NAMES[(NAMES.index(name) + 1) % len(NAMES)]
    wrong = (entry(name, "Nobody"), entry(name, "Somebody"), entry(name, ref=f"{name} §2"))
    return Item(question(name), (evidence(name),), entry(name), wrong, ((evidence(other), entry(name, "Mixed up")),))


class Book:
    """The oracle of the tiny suite."""

    def __init__(self, *more: Item) -> None:
        self._items = {i.question: i for i in (*map(item, NAMES), *more)}

    def lookup(self, line: str) -> Item | None:
        text = line.strip()
        head, _, tail = text.partition(". ")
        return self._items.get(tail if head.isdigit() else text)


@dataclass
class HandClock:
    """A clock that is moved by hand, in microseconds."""

    now: int = 0
    kind: Any = "virtual"

    def ticks(self) -> int:
        return self.now

    def start(self) -> Timeline:
        raise NotImplementedError("the model starts no timeline")


def opened(behaviour: Behaviour = FLAWLESS, clock: HandClock | None = None, **settings: Any) -> SimulatedModel:
    """An open model; latency without jitter unless said otherwise."""
    model = SimulatedModel(behaviour=behaviour, **{"latency": Latency(jitter=0), **settings})
    model.consult(Book())
    asyncio.run(model.open(clock or HandClock()))
    return model


def tool_schema(name: str, properties: Mapping[str, Any], required: Sequence[str]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": dict(properties), "required": list(required)}
    return {"type": "function", "function": {"name": name, "description": f"{name}.", "parameters": parameters}}


TEXT = {"type": "string"}
READ = tool_schema("read_document", {"document": TEXT, "sections": TEXT}, ["document"])
LIST = tool_schema("list_documents", {}, [])
SEARCH = tool_schema("search_documents", {"query": TEXT}, ["query"])
SEND = tool_schema(
    "send_message", dict.fromkeys(("to", "type", "content", "context", "inReplyTo"), TEXT), ["to", "type", "content"]
)
CORPUS = (LIST, READ, SEARCH)

BRIEF = "Answer from the documents only. If they do not answer a question, give null."
PATIENCE = "After sending messages, go on with your own work and never wait for a reply: replies arrive in your inbox."


def lead_prompt(members: Sequence[str] = ("alice", "bob", "carol"), keep: bool = True, patience: str = PATIENCE) -> str:
    share = "Keep one part for yourself." if keep else "Keep no part for yourself."
    return f"{BRIEF}\n\nYou lead a team. You may send messages to: {', '.join(members)}.\n{share}\n{patience}"


def member_prompt(name: str = "alice", others: str = "bob, carol") -> str:
    return (
        f'{BRIEF}\n\nYou are {name}, a member of a team. The agent "lead" sends you work; other members: {others}.\n'
        f"{PATIENCE}\nLeave out what you could not find."
    )


def statement(names: Sequence[str] = NAMES, size: int = 60) -> str:
    documents = "\n".join(f"- {n} (site log; {size:,} tokens)" for n in names)
    questions = "\n".join(f"{i}. {question(n)}" for i, n in enumerate(names, 1))
    form = '[{"question": "word for word", "answer": "short", "clause_ref": "file name §section"}]'
    return f"Documents:\n{documents}\n\nQuestions:\n{questions}\n\nA JSON array:\n{form}"


def system(text: str) -> dict[str, Any]:
    return {"role": "system", "content": text}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def inbox(type: str, sender: str, content: str, msg_id: str = "msg_1", reply: str = "") -> str:
    return f"[inbox] {type} {msg_id} from {sender}{f', in reply to {reply}' if reply else ''}:\n{content}\n"


def order(names: Sequence[str]) -> str:
    return "Read:\n" + "\n".join(f"- {n}" for n in names) + "\n" + "\n".join(map(question, names))


def said(response: Response) -> dict[str, Any]:
    """A response as the message that the next request carries."""
    calls = [
        {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
        for c in response.tool_calls
    ]
    return {"role": "assistant", "content": response.text or None, **({"tool_calls": calls} if calls else {})}


def arguments(call: ToolCall) -> dict[str, Any]:
    value = json.loads(call.arguments)
    assert isinstance(value, dict)
    return value


def reads(response: Response) -> list[str]:
    """The documents that a response asks for."""
    return [arguments(c)["document"] for c in response.tool_calls if c.name == "read_document"]


def entries(response: Response) -> list[dict[str, Any]]:
    """The array that a response begins with."""
    value, _ = json.JSONDecoder().raw_decode(response.text)
    assert isinstance(value, list)
    return value


def ask(model: Model, request: Request) -> Response:
    """One completion; proves by the way that the model waits for nothing."""
    waiting = model.complete(request)
    try:
        waiting.send(None)
    except StopIteration as done:
        response: Response = done.value
        return response
    raise AssertionError("the model waits for something")


@dataclass
class Chat:
    """One agent's conversation, with the tools played by the book. ``seed``: of its first request."""

    model: Model
    messages: list[dict[str, Any]]
    tools: tuple[dict[str, Any], ...] = CORPUS
    seed: int = (7 << 32) + (3 << 12)
    sent: list[dict[str, Any]] = field(default_factory=list)

    def request(self) -> Request:
        return Request(self.model.name, tuple(self.messages), self.tools, seed=self.seed)

    def step(self) -> Response:
        """One completion, and the results of what it asks for."""
        response = ask(self.model, self.request())
        self.seed += 1
        self.messages.append(said(response))
        for call in response.tool_calls:
            self.messages.append({"role": "tool", "tool_call_id": call.id, "content": self._result(call)})
        return response

    def steps(self, most: int = 12) -> Response:
        """Until an answer without tool calls."""
        for _ in range(most):
            response = self.step()
            if not response.tool_calls:
                return response
        raise AssertionError(f"no answer in {most} steps")

    def tell(self, text: str) -> None:
        self.messages.append(user(text))

    def _result(self, call: ToolCall) -> str:
        try:
            given = arguments(call)
        except ValueError:
            return f"The arguments of {call.name} are not a JSON object. Call it again with valid JSON."
        if call.name == "send_message":
            self.sent.append(given)
            return f"sent msg_{len(self.sent):012}"
        if call.name == "list_documents":
            return "\n".join(f"- {n} (site log; 60 tokens)" for n in NAMES)
        name = given.get("document")
        return document(name) if name in NAMES else f"error: unknown document '{name}'."


def with_reads(names: Sequence[str]) -> list[dict[str, Any]]:
    """An assistant message that read documents, and the results."""
    calls = [
        {
            "id": f"r{i}",
            "type": "function",
            "function": {"name": "read_document", "arguments": f'{{"document": "{n}"}}'},
        }
        for i, n in enumerate(names)
    ]
    results = [{"role": "tool", "tool_call_id": f"r{i}", "content": document(n)} for i, n in enumerate(names)]
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *results]


def but(behaviour: Behaviour = FLAWLESS, **groups: Any) -> Behaviour:
    """A behaviour with some groups exchanged."""
    return replace(behaviour, **groups)


def seed(run: int, agent: int = 3, ordinal: int = 1) -> int:
    return (run << 32) + (agent << 12) + ordinal
