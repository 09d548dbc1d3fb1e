"""Odd requests, settings, and the same request twice."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from omegaconf import OmegaConf

from harness.entry.schema import make
from harness.errors import ConfigError, HarnessError
from harness.models.protocol import Request
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Behaviour

from .chat import (
    CORPUS,
    NAMES,
    READ,
    SEND,
    Chat,
    HandClock,
    ask,
    document,
    entries,
    entry,
    inbox,
    lead_prompt,
    member_prompt,
    opened,
    order,
    question,
    seed,
    statement,
    system,
    user,
    with_reads,
)

CONF = Path(__file__).parents[2] / "conf" / "model"

PIECES = st.sampled_from(
    [
        "",
        " ",
        "\n\n",
        "问题：谁签了字？\n文档：合同.txt（1,200 tokens）",
        "[inbox]",
        "[inbox] task  from :\n",
        statement(),
        lead_prompt(),
        member_prompt(),
        order(NAMES[:3]),
        inbox("task", "x", order(NAMES[:2])),
        inbox("result", "bob", '[{"question": '),
        inbox("revision", "lead", question(NAMES[0])),
        inbox("clarify", "bob", "?", "msg_c"),
        "[error] nothing works",
        '{"question": {"question": 1}}',
        '[{"question": "' + question(NAMES[1]) + '", "answer": [1, {}]}]',
        "{" * 50,
        "Write notes now, without any tool call.",
        "Documents read: a.txt, , .txt",
        document(NAMES[0]),
        "\ud800 lone",
        "You may send messages to: (((,, )), .",
        "other members: none.",
        "a.txt (99999999999999999999 tokens)",
    ]
)
TEXTS = st.one_of(PIECES, st.lists(PIECES, max_size=3).map("\n".join), st.text(max_size=40))
ARGUMENTS = st.one_of(
    st.none(), st.integers(), st.just('{"document": '), st.just("[]"), st.just('{"document": 7}'), TEXTS,
    st.just(json.dumps({"to": "alice", "type": "task", "content": order(NAMES[:1])})),
)  # fmt: skip
CALLS = st.lists(
    st.one_of(
        st.none(),
        st.just({"function": None}),
        st.fixed_dictionaries(
            {"id": st.sampled_from(["a", "b", ""]), "function": st.fixed_dictionaries(
                {"name": st.sampled_from(["read_document", "send_message", "list_documents", "no_such_tool", ""]),
                 "arguments": ARGUMENTS})}
        ),
    ),
    max_size=3,
)  # fmt: skip
CONTENT = st.one_of(
    st.none(), TEXTS, st.integers(), st.lists(st.one_of(TEXTS.map(lambda t: {"type": "text", "text": t}), st.none()))
)
MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "developer", "user", "assistant", "tool", "weird"]), "content": CONTENT},
    optional={"tool_calls": st.one_of(st.none(), CALLS), "tool_call_id": st.sampled_from(["a", "b", ""])},
)
TOOLS = st.lists(
    st.sampled_from(
        [*CORPUS, SEND, {"type": "function"}, {"function": {"name": "bare_list"}}, {}, {"function": {"name": 3}}]
    ),
    max_size=5,
)  # fmt: skip
FORMS = st.sampled_from(
    [None, {"type": "json_object"}, {"json_schema": {"schema": {"properties": {"items": {"type": "array"}}}}}]
)


@settings(max_examples=1000, deadline=None)
@given(st.lists(MESSAGES, max_size=6), TOOLS, FORMS, st.integers(0, 2**63 - 1), st.sampled_from([None, 1, 30]))
def test_odd_requests_never_crash_it(
    messages: list[dict[str, Any]], tools: list[dict[str, Any]], form: Any, any_seed: int, most: int | None
) -> None:
    request = Request("m", tuple(messages), tuple(tools), form, any_seed, most)
    response = ask(opened(Behaviour()), request)
    response.usage.check()
    assert response.finish_reason in ("stop", "tool_calls", "length")
    assert response.latency_s is not None and response.latency_s > 0
    assert ask(opened(Behaviour()), request) == response  # and the same from another instance


def test_the_same_conversation_again_is_the_same() -> None:
    def play() -> list[Any]:
        chat = Chat(opened(Behaviour()), [system("Answer."), user(statement())])
        return [chat.step() for _ in range(2)]

    assert play() == play()


def test_requests_of_other_agents_change_no_answer() -> None:
    """Not the text, the calls, the usage (another prompt shares no prefix) or the latency."""
    model, crowded = opened(Behaviour()), opened(Behaviour())
    messages = (system("Answer."), user(statement()), *with_reads(NAMES))
    request = Request("m", messages, CORPUS, seed=seed(4, agent=1, ordinal=2))
    for i in range(20):
        ask(crowded, Request("m", (system(f"Other {i}"), user(statement())), CORPUS, seed=seed(4, agent=2, ordinal=i)))
    assert ask(model, request) == ask(crowded, request)


def test_entries_take_the_form_that_is_asked_for() -> None:
    form = {"type": "json_schema", "json_schema": {"schema": {"properties": {"rows": {"type": "array"}}}}}
    messages = (system("Answer."), user(statement(NAMES[:2])), *with_reads(NAMES[:2]))
    response = ask(opened(), Request("m", messages, CORPUS, form))
    assert json.loads(response.text) == {"rows": [entry(n) for n in NAMES[:2]]}


def test_ids_of_calls_are_unique_in_a_conversation() -> None:
    chat = Chat(opened(), [system("Answer."), user(statement(NAMES[:2]))], (READ,), seed=0)
    first = chat.step()
    chat.seed = 0  # a client that sends no seed
    chat.tell("Read gate.txt once more, then roof.txt.")
    assert len({c.id for c in first.tool_calls}) == 2
    assert entries(chat.step()) == [entry(n) for n in NAMES[:2]]


def test_the_yaml_holds_the_defaults_of_the_classes() -> None:
    data = OmegaConf.to_container(OmegaConf.load(CONF / "simulated.yaml"))
    assert isinstance(data, dict)
    model = make({str(k): v for k, v in data.items()}, "model")
    assert repr(model) == repr(SimulatedModel())
    assert_complete(data, model)


def assert_complete(data: dict[Any, Any], made: Any) -> None:
    """Every setting stands in the YAML, but for price rates that default to others."""
    assert set(data) - {"_target_"} == {
        f.metadata.get("key", f.name)
        for f in fields(made)
        if (f.init and getattr(made, f.name) is not None) or f.name in data
    }
    for name, node in data.items():
        if isinstance(node, dict) and name != "roles":
            assert_complete(node, getattr(made, name))


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"behaviour": {"relay": {"drift": 1.5}}}, "model.behaviour.relay.drift"),
        ({"behaviour": {"answering": {"omitted": 0.7, "misplaced": 0.4}}}, "model.behaviour.answering"),
        ({"behaviour": {"protocol": {"pretend": 0.7, "invent": 0.4}}}, "model.behaviour.protocol"),
        ({"behaviour": {"reading": {"parallel": 0}}}, "model.behaviour.reading.parallel"),
        ({"behaviour": {"relay": {"drfit": 0.1}}}, "Did you mean 'model.behaviour.relay.drift'"),
        ({"window_tokens": 0}, "model.window_tokens"),
        ({"latency": {"tokens_per_s": 0}}, "model.latency.tokens_per_s"),
        ({"cache": {"ttl_s": 6000}}, "model.cache.ttl_s"),
        ({"rate_limit": {"requests_per_minute": 0}}, "model.rate_limit.requests_per_minute"),
        ({"faults": {"stall": -1}}, "model.faults.stall"),
    ],
)
def test_values_that_cannot_be(data: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError, match=key.replace("(", r"\(")):
        make({"_target_": "harness.models.simulated.SimulatedModel", **data}, "model")


def test_it_needs_an_oracle_and_to_be_opened() -> None:
    model = SimulatedModel()
    model.consult(None)
    with pytest.raises(ConfigError, match="needs the task's oracle"):
        asyncio.run(model.open(HandClock()))
    with pytest.raises(HarnessError, match="not open"):
        ask(model, Request("m", ()))
    asyncio.run(model.close())
    asyncio.run(model.close())


def test_it_is_imported_lazily_and_without_a_provider_library() -> None:
    code = (
        "import sys, harness.models.simulated as s; assert 'harness.models.simulated.model' not in sys.modules; "
        "s.SimulatedModel(); assert 'litellm' not in sys.modules and 'tiktoken' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=CONF.parents[1])
