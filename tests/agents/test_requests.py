"""Parts rebuild every request byte for byte, checked by reading the requests that the model really got."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.models import ActingModel, Call, Say, send
from support.runs import DeskSuite, LedgerSpy, check_invariants, events, run_once
from support.teams import talking_bus

from harness.accounting.parts import Part
from harness.models.protocol import Request
from topologies.single import Single

ODD = 'Größe 😀 中文，\u200b\t"quoted" \\ / \x7f <|endoftext|> {"a": [1, 2]}\n\n'


class Reader:
    """Takes text off a list of parts; whatever is taken must end where a part ends."""

    def __init__(self, parts: list[Part]) -> None:
        self._parts: Iterator[Part] = iter(parts)

    def take(self, text: str) -> None:
        got = ""
        while len(got) < len(text):
            got += next(self._parts).text
        assert got == text

    def end(self) -> None:
        rest = [p.text for p in self._parts]
        assert not any(rest)


def check_rebuilt(request: Request, parts: list[Part]) -> None:
    """Tools, then each message's content, tool names and arguments, in order; nothing more, nothing less."""
    reader = Reader(parts)
    for tool in request.tools:
        reader.take(json.dumps(tool, ensure_ascii=False))
    for message in request.messages:
        assert set(message) <= {"role", "content", "tool_calls", "tool_call_id"}
        if message["content"] is None:
            assert message["tool_calls"]  # nothing else may go without content
        reader.take(message["content"] or "")
        for call in message.get("tool_calls", ()):
            assert call["type"] == "function"
            reader.take(call["function"]["name"])
            reader.take(call["function"]["arguments"])
    reader.end()


def check_answered(request: Request) -> None:
    """Every tool call is followed by exactly one result each, in order: what providers insist on."""
    open_calls: list[str] = []
    for message in request.messages:
        if message["role"] == "tool":
            assert open_calls.pop(0) == message["tool_call_id"]
        else:
            assert not open_calls
            open_calls = [c["id"] for c in message.get("tool_calls", ())]
    assert not open_calls


def odd_suite(**more: Any) -> DeskSuite:
    return DeskSuite(statement=ODD, brief=f"Brief. {ODD}", documents={"a.txt": ODD, "empty.txt": ""}, **more)


SINGLE = {
    "solver": [
        Say(ODD, [Call("read_document", {"name": "a.txt"}), Call("read_document", '{"name"\n:"\\u0061.txt" }')]),
        Say("", [Call("read_document", {"name": "empty.txt"}), Call("read_document", "{broken")]),
        Say("", [Call("no_such_tool", ""), Call("read_document", {"name": "missing"}), Call("read_document", "[]")]),
        Say(json.dumps([{"answer": ODD}])),
    ]
}


def test_single(monkeypatch: pytest.MonkeyPatch) -> None:
    spy, model = LedgerSpy(monkeypatch), ActingModel(SINGLE)
    record = run_once(Single(), model, suite=odd_suite())
    assert record.run.status == "ok"
    assert len(spy.attempts) == len(model.requests) == 4
    for request, attempt in zip(model.requests, spy.attempts, strict=True):
        check_rebuilt(request, list(attempt.prompt))
        check_answered(request)
    check_invariants(record)


def result_of(raw_content: str) -> str:
    return f'{{"type": "result",\n "to": "lead", "content": {raw_content}, "context": "\\u00e9 😀"}}'


TEAM = {
    "lead": [
        Say(ODD, [send("alice", "task", ODD, context=ODD), send("bob", "task", "")]),
        Say("I await."),
        Say("Still nothing.", [send("alice", "clarify_resp", "中文。" * 5)]),
        Say("", [send("alice", "revision", ODD)]),
        Say("I await."),
        Say(json.dumps([{"answer": ODD}], ensure_ascii=True)),
    ],
    "alice": [
        Say("", [send("lead", "clarify", ODD, inReplyTo="x"), send("bob", "progress", ODD)]),
        Say("", [Call("read_document", {"name": "a.txt"})]),
        Say(f"First sentence. {ODD}"),
        Say("", [Call("send_message", result_of('"caf\\u00e9 \\ud83d\\ude00 \\/ done"'))]),
        Say("Nothing to add."),
    ],
    "bob": [Say(""), Say("", [Call("send_message", "{"), send("lead", "progress", "")]), Say("ok"), Say("ok")],
}


def test_bus(monkeypatch: pytest.MonkeyPatch) -> None:
    spy, model = LedgerSpy(monkeypatch), ActingModel(TEAM)
    record = run_once(talking_bus(workers=2, idle_timeout_s=5), model, suite=odd_suite())
    assert record.run.status == "ok", record.run.error
    assert len(spy.attempts) == len(model.requests)
    for agent in ("lead", "alice", "bob"):
        own = [a for a in spy.attempts if a.caller.agent == agent]
        for request, attempt in zip(model.of(agent), own, strict=True):
            check_rebuilt(request, list(attempt.prompt))
            check_answered(request)
    assert {c.agent for c in record.calls} == {"lead", "alice", "bob"}
    assert events(record, "ar", "alice")
    check_invariants(record)
