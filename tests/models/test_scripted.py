"""The scripted model: transcripts that play, and what is wrong with those that do not."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from harness.accounting.prices import PriceCard
from harness.accounting.tokens import count_tokens
from harness.errors import ScriptError
from harness.models.protocol import Model, Request
from harness.models.scripted import ScriptedModel, _filled

from .chat import SEND, Chat, HandClock, arguments, ask, inbox, seed, system, user

LEAD = """\
conversations:
  - when: {system_contains: [You lead, team], first_contains: the pump}
    steps:
      - last_contains: the pump
        text: I split the work.
        tool_calls:
          - name: send_message
            arguments: {to: alice, type: task, content: Read pump.txt.}
      - last_contains: ["[inbox] clarify", from alice]
        latency_s: 2.5
        tool_calls:
          - name: send_message
            arguments:
              {to: alice, type: clarify_resp, content: Go on., inReplyTo: "{{msg_id of last clarify from alice}}"}
      - text: '[{"question": "Q", "answer": "A"}]'
  - when: {system_contains: You are alice}
    steps:
      - text: Reply to {{ msg_id of last task }}.
        finish_reason: length
"""


def scripted(folder: Path, text: str, **settings: Any) -> ScriptedModel:
    path = folder / "script.yaml"
    path.write_text(text, encoding="utf-8")
    model = ScriptedModel(path, **settings)
    asyncio.run(model.open(HandClock()))
    return model


def lead(model: ScriptedModel, run: int = 1) -> Chat:
    return Chat(model, [system("You lead a team."), user("Report on the pump.")], (SEND,), seed(run))


def alice(model: ScriptedModel, run: int = 1) -> Chat:
    return Chat(model, [system("You are alice."), user(inbox("task", "lead", "Read.", "msg_t"))], (SEND,), seed(run, 4))


def play(model: ScriptedModel, run: int) -> None:
    chat = lead(model, run)
    first = chat.step()
    assert first.text == "I split the work." and first.finish_reason == "tool_calls" and first.latency_s == 1.0
    assert arguments(first.tool_calls[0]) == {"to": "alice", "type": "task", "content": "Read pump.txt."}
    chat.tell(inbox("clarify", "alice", "Sure?", "msg_a") + inbox("clarify", "bob", "Sure?", "msg_b"))
    second = chat.step()
    assert second.latency_s == 2.5 and arguments(second.tool_calls[0])["inReplyTo"] == "msg_a"
    assert json.loads(chat.step().text) == [{"question": "Q", "answer": "A"}]
    reply = alice(model, run).step()
    assert (reply.text, reply.finish_reason) == ("Reply to msg_t.", "length")


def test_it_plays_a_transcript_once_for_each_agent_of_each_run(tmp_path: Path) -> None:
    model = scripted(tmp_path, LEAD)
    for run in (1, 2):
        play(model, run)
    asyncio.run(model.close())
    asyncio.run(model.close())


def test_json_is_fine_and_arguments_may_be_raw(tmp_path: Path) -> None:
    calls = [{"name": "read_document", "arguments": '{"document": '}, {"name": "list_documents"}]
    model = scripted(tmp_path, json.dumps({"conversations": [{"steps": [{"tool_calls": calls}]}]}))
    response = ask(model, Request("m", (user("Hi."),)))
    assert [(c.name, c.arguments) for c in response.tool_calls] == [
        ("read_document", '{"document": '),
        ("list_documents", "{}"),
    ]


def test_usage_and_price(tmp_path: Path) -> None:
    text = "conversations: [{steps: [{text: Hello there.}]}]"
    model = scripted(tmp_path, text, price=PriceCard(input=1.0, output=2.0))
    usage = ask(model, Request("m", (user("Hi."),))).usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (count_tokens("Hi.") + 4 + 3, count_tokens("Hello there."))
    bill = model.pricing.bill(usage)
    assert bill is not None and bill.total_pusd == (usage.prompt_tokens + 2 * usage.completion_tokens) * 10**6
    assert ScriptedModel(tmp_path).pricing.bill(usage) is None
    assert asyncio.run(model.weigh(["Hello there.", ""])) == [count_tokens("Hello there."), 0]


def test_a_request_that_no_conversation_fits(tmp_path: Path) -> None:
    model = scripted(tmp_path, LEAD)
    with pytest.raises(ScriptError, match=r"no conversation fits the request. What came: 'You are bob.*Who are you\?'"):
        ask(model, Request("m", (system("You are bob."), user("Who are you?"))))
    asyncio.run(model.close())  # says nothing more: the error has been raised


def test_a_request_that_the_step_does_not_expect(tmp_path: Path) -> None:
    chat = lead(scripted(tmp_path, LEAD))
    chat.step()
    chat.tell(inbox("result", "alice", "Done."))
    with pytest.raises(ScriptError, match=r"step 2 of conversation 1 waits for '\[inbox\] clarify'.*sent msg_.*Done"):
        chat.step()


def test_a_request_after_the_last_step(tmp_path: Path) -> None:
    chat = alice(scripted(tmp_path, LEAD))
    chat.step()
    with pytest.raises(ScriptError, match="conversation 2 has 1 steps and a further request came"):
        chat.step()


def test_a_message_that_is_not_there(tmp_path: Path) -> None:
    model = scripted(tmp_path, LEAD)
    chat = lead(model)
    chat.step()
    chat.tell(inbox("clarify", "bob", "I got it from alice", "msg_b") + " from alice")
    with pytest.raises(
        ScriptError, match=r"step 2 of conversation 1: no message for \{\{msg_id of last clarify from alice"
    ):
        chat.step()
    odd = scripted(tmp_path, 'conversations: [{steps: [{text: "{{today}}"}]}]')
    with pytest.raises(ScriptError, match=r"unknown placeholder \{\{today\}\}"):
        ask(odd, Request("m", (user("Hi."),)))


def test_steps_left_over_are_an_error_at_the_end(tmp_path: Path) -> None:
    model = scripted(tmp_path, LEAD)
    play(model, run=1)
    lead(model, run=2).step()
    with pytest.raises(ScriptError, match=r"step 2 of conversation 1 was never played \(after step 1\)"):
        asyncio.run(model.close())
    asyncio.run(model.close())
    unheard = scripted(tmp_path, LEAD)
    with pytest.raises(ScriptError, match=r"step 1 of conversation 1 was never played \(no request fitted"):
        asyncio.run(unheard.close())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be a mapping with conversations"),
        ("conversations: []", "conversations is empty"),
        ("conversations: 3", "conversations: must be a list"),
        ("conversation: []", "Did you mean 'conversations'"),
        ("conversations: [{steps: [{txt: a}]}]", "conversation 1, step 1: unknown key 'txt'"),
        ("conversations: [{steps: [{text: 3}]}]", "conversation 1, step 1: text must be a text, not int"),
        ("conversations: [{steps: [{latency_s: -1}]}]", "latency_s=-1"),
        ("conversations: [{steps: [{tool_calls: [{arguments: {}}]}]}]", "step 1, call 1: needs a name"),
        ("conversations: [{steps: [{tool_calls: [{name: a, arguments: [1]}]}]}]", "step 1, call 1: needs a name"),
        ("conversations: [{when: {system_contains: 3}, steps: []}]", "system_contains: must be a text or a list"),
        ("conversations: [", "neither YAML nor JSON"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ScriptError, match=message):
        scripted(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match=r"model.path=.*nowhere.yaml: cannot be read"):
        asyncio.run(ScriptedModel(tmp_path / "nowhere.yaml").open(HandClock()))


def test_the_yaml_names_every_setting_but_asks_for_the_path() -> None:
    data = OmegaConf.load(Path(__file__).parents[2] / "conf" / "model" / "scripted.yaml")
    assert OmegaConf.missing_keys(data) == {"path"}
    assert set(data) == {"_target_", "path", "name", "window_tokens", "latency_s", "price", "roles"}


def test_a_megabyte_of_braces_is_read_in_linear_time() -> None:
    """As many steps as characters, not their square: this would take minutes."""
    assert _filled("{" * 1_000_000, ()) == "{" * 1_000_000


def test_models_beside_the_main_one_are_played_by_name_from_the_same_transcript(tmp_path: Path) -> None:
    dear = {"when": {"model": "scripted-strong"}, "steps": [{"text": "dear"}]}
    others = {"steps": [{"text": "cheap"}, {"text": "cheap again"}]}
    model = scripted(tmp_path, json.dumps({"conversations": [dear, others]}), also=["strong", "judge"])
    assert [m.name for m in model.roles.values()] == ["scripted-strong", "scripted-judge"]

    def said(by: Model, agent: int) -> str:
        return ask(by, Request(by.name, (user("Go."),), seed=seed(7, agent))).text

    assert [said(model, 1), said(model.roles["strong"], 2), said(model.roles["judge"], 1)] == [
        "cheap", "dear", "cheap again",
    ]  # fmt: skip
    asyncio.run(model.close())
    with pytest.raises(ScriptError, match="conversation 1: model must be a text"):
        scripted(tmp_path, json.dumps({"conversations": [{"when": {"model": 3}, "steps": [{"text": "x"}]}]}))
