"""A sub-agent's context holds its order and nothing else of the lead's conversation; with history it holds all of it.

Canary words, each planted in one place of a run with two dispatches; what is looked up is every prompt, as the ledger
got it.
"""

from __future__ import annotations

import json

import pytest
from support.models import Act, Call, Say, heard, text_of
from support.runs import LedgerSpy, check_invariants, events, run_once

from harness.accounting.ledger import Attempt
from harness.accounting.parts import TASK, TOOL
from harness.accounting.purposes import Purpose, read_as
from harness.delegation.rules import Delegation
from harness.models.protocol import Request
from harness.records import RunRecord
from topologies.sync import Sync

from .stage import READ, RING, Cast, ReferenceSuite, dispatch, order, sub_type, task_text

SUITE = ReferenceSuite(
    statement="Statement canary: aardvark.",
    brief="Brief canary: badger.",
    documents={"a.txt": "Document canary: cormorant stood in the reeds for an hour.", "b.txt": "Other: dugong."},
)
RESULT = "Result canary: the dormouse slept through the whole winter without waking once."
SECOND = "Second canary: the flamingo balanced on its left leg beside the shallow salt lake."
ONE = order(
    "Objective canary: hedgehog.",
    input_ref=["a.txt"],
    context_card={
        "background": "Background canary: ibex.",
        "local_facts": ["Fact canary: jackal."],
        "excluded": ["Excluded canary: kestrel."],
    },
    constraints=["Constraint canary: lemur."],
    acceptance_criteria=[{"check": "text", "text": "Criterion canary: marmot."}],
)
IN_ONE = ("hedgehog", "ibex", "jackal", "kestrel", "lemur", "marmot")
TWO = order("Objective of the second: narwhal.")
LEAD = [
    Say("First words: gazelle.", [Call("read_document", {"name": "b.txt"})]),
    Say("Plan canary: ocelot.", [dispatch(ONE)]),
    Say("", [dispatch(TWO, "general_purpose")]),
    Say(
        json.dumps([{"a": "the dormouse slept through the whole winter without waking once."}, {"a": "Own: mongoose."}])
    ),
]
WORKERS: dict[str, Act] = {"hedgehog": [Say("Aside: panther.", [READ]), Say(RESULT)], "narwhal": [Say(SECOND)]}


def played(monkeypatch: pytest.MonkeyPatch, rules: Delegation) -> tuple[LedgerSpy, RunRecord, Cast]:
    spy = LedgerSpy(monkeypatch)
    model = Cast(LEAD if rules.context == "card" else without_cards(), WORKERS)
    record = run_once(Sync(delegation=rules), model, suite=SUITE)
    assert record.run.status == "ok", record.run.error
    check_invariants(record)
    return spy, record, model


def without_cards() -> list[Say]:
    """The same lead where orders have no card."""
    bare = [{k: v for k, v in o.items() if k != "context_card"} for o in (ONE, TWO)]
    return [LEAD[0], Say(LEAD[1].text, [dispatch(bare[0])]), Say("", [dispatch(bare[1], "general_purpose")]), LEAD[3]]


def landings(spy: LedgerSpy, word: str) -> set[tuple[str, str, str]]:
    """(agent, direction, purpose as the ledger counts it) of every part that holds a word."""
    found = set()
    for attempt in spy.attempts:
        agent, stance = attempt.caller.agent, attempt.caller.stance
        found |= {
            (agent, "prompt", str(read_as(p.purpose, p.author, agent, stance)))
            for p in attempt.prompt
            if word in p.text
        }
        found |= {(agent, "completion", str(p.purpose)) for p in attempt.completion if word in p.text}
    return found


def test_nothing_of_the_lead_s_conversation_but_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, model = played(monkeypatch, Delegation(validate=False))
    (first, second) = model.worked("hedgehog"), model.worked("narwhal")
    for request in first:
        assert all(word in heard(request) for word in ("badger", *IN_ONE))
        assert not [
            w for w in ("aardvark", "gazelle", "ocelot", "dugong", "narwhal", "flamingo") if w in heard(request)
        ]
    for request in second:
        assert "badger" in heard(request) and "narwhal" in heard(request)
        others = (*IN_ONE, "aardvark", "gazelle", "ocelot", "dugong", "cormorant", "dormouse", "panther")
        assert not [w for w in others if w in heard(request)]
    assert "cormorant" not in heard(first[0]), "material comes by reference"
    assert "cormorant" in heard(first[1])
    assert not [r for r in model.led() if "panther" in heard(r) or "cormorant" in heard(r)], "and back comes the result"


def test_every_canary_lands_where_it_should(monkeypatch: pytest.MonkeyPatch) -> None:
    spy, _, _ = played(monkeypatch, Delegation(validate=False))
    order_words = {
        ("lead", "completion", "dispatch"),
        ("lead", "prompt", "dispatch"),
        ("research_1", "prompt", "dispatch"),
    }
    assert {word: landings(spy, word) for word in IN_ONE} == dict.fromkeys(IN_ONE, order_words)
    assert landings(spy, "aardvark") == {("lead", "prompt", "task")}
    assert landings(spy, "ocelot") == {("lead", "completion", "plan"), ("lead", "prompt", "plan")}
    assert landings(spy, "gazelle") == {("lead", "completion", "answer"), ("lead", "prompt", "answer")}
    assert landings(spy, "cormorant") == {("research_1", "prompt", "task")}
    assert landings(spy, "panther") == {("research_1", "completion", "answer"), ("research_1", "prompt", "answer")}
    assert landings(spy, "Result canary") == {("research_1", "completion", "answer"), ("lead", "prompt", "merge")}
    assert landings(spy, "slept") == {
        ("research_1", "completion", "answer"),
        ("lead", "prompt", "merge"),
        ("lead", "completion", "merge"),
    }
    assert landings(spy, "mongoose") == {("lead", "completion", "answer")}
    assert landings(spy, "[SUCCESS] subtask") == {("lead", "prompt", "report")}
    assert landings(spy, "You are a sub-agent of the type") == {
        ("research_1", "prompt", "scaffold"),
        ("general_purpose_2", "prompt", "scaffold"),
    }


def rebuilt(attempt: Attempt, request: Request) -> str:
    return "".join(p.text for p in attempt.prompt[len(request.tools) :])


@pytest.mark.parametrize("context", ["card", "history"])
def test_parts_rebuild_every_request(monkeypatch: pytest.MonkeyPatch, context: str) -> None:
    spy, _, model = played(monkeypatch, Delegation(context=context, validate=False))
    assert len(spy.attempts) == len(model.requests) == 7
    for attempt, request in zip(spy.attempts, model.requests, strict=True):
        assert rebuilt(attempt, request) == "".join(map(text_of, request.messages))


def test_history_holds_the_whole_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the lead was told and has said and got back, the dispatch itself included; the system prompt is the
    sub-agent's own."""
    _, _, model = played(monkeypatch, Delegation(context="history", validate=False))
    (second,) = model.worked("narwhal")
    text = task_text(second)
    for word in ("aardvark", "gazelle", "dugong", "ocelot", "hedgehog", "lemur", "dormouse", "narwhal"):
        assert word in text, word
    assert "You may hand parts of the task" not in heard(second)
    assert "panther" not in text and "cormorant" not in text, "another's own context is not the lead's conversation"
    assert text.index("aardvark") < text.index("gazelle") < text.index("dormouse") < text.index("[order subtask_2]")
    assert all("context_card" not in json.dumps(t["function"]["parameters"]) for r in model.led() for t in r.tools)


def test_history_keeps_authors_and_purposes(monkeypatch: pytest.MonkeyPatch) -> None:
    spy, _, _ = played(monkeypatch, Delegation(context="history", validate=False))
    (attempt,) = (a for a in spy.attempts if a.caller.agent == "general_purpose_2")
    found = {
        word: {(p.author, p.purpose) for p in attempt.prompt if word in p.text}
        for word in ("aardvark", "gazelle", "dugong", "ocelot", "hedgehog", "dormouse")
    }
    assert found == {
        "aardvark": {(TASK, Purpose.TASK)},
        "gazelle": {("lead", Purpose.ANSWER)},
        "dugong": {(TOOL, Purpose.TASK)},
        "ocelot": {("lead", Purpose.PLAN)},
        "hedgehog": {("lead", Purpose.DISPATCH)},
        "dormouse": {("research_1", Purpose.ANSWER)},
    }
    assert landings(spy, "dormouse") >= {("general_purpose_2", "prompt", "sync")}, "a peer's product"


def test_a_card_costs_less_than_a_history(monkeypatch: pytest.MonkeyPatch) -> None:
    """By exactly the history: the same sub-agents are asked the same."""
    tokens = {}
    for context in ("card", "history"):
        _, record, _ = played(monkeypatch, Delegation(context=context, validate=False))
        tokens[context] = [d.tokens for d in record.delegations]
        assert [d.card_tokens > 0 for d in record.delegations] == [context == "card", False]
    assert all(card < history for card, history in zip(tokens["card"], tokens["history"], strict=True))


@pytest.mark.parametrize(
    ("type", "product", "read", "tool_text"),
    [("plan", "plan", "plan", "task"), ("reviewer", "review", "review", "review")],
)
def test_what_a_plan_and_a_review_are(
    monkeypatch: pytest.MonkeyPatch, type: str, product: str, read: str, tool_text: str
) -> None:
    spy = LedgerSpy(monkeypatch)
    lead = [Say("", [dispatch(ONE, type)]), Say('["done"]')]
    record = run_once(Sync(), Cast(lead, WORKERS), suite=SUITE)
    assert landings(spy, "Result canary") == {(f"{type}_1", "completion", product), ("lead", "prompt", read)}
    assert landings(spy, "cormorant") == {(f"{type}_1", "prompt", tool_text)}
    assert ("review" in {p for _, _, p in landings(spy, "hedgehog")}) == (type == "reviewer"), (
        "its order is a criterion"
    )
    check_invariants(record)


def test_returned_orders_are_feedback_and_what_follows_rework(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = LedgerSpy(monkeypatch)
    lead = [Say("", [dispatch(order(acceptance_criteria=[{"check": "count", "min": 2}]))]), Say('["done"]')]
    workers = [Say('["dormouse"]'), Say('["elephant", "fox"]')]
    record = run_once(Sync(delegation=RING), Cast(lead, workers), suite=SUITE)
    assert record.run.status == "ok", record.run.error
    assert landings(spy, "at least 2 are asked for") == {("research_1", "prompt", "feedback")}
    assert landings(spy, "elephant") == {("research_1", "completion", "rework"), ("lead", "prompt", "merge")}
    assert landings(spy, "dormouse") == {("research_1", "completion", "answer"), ("research_1", "prompt", "answer")}


def test_a_blocker_s_envelope_is_report(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = LedgerSpy(monkeypatch)
    lead = [Say("", [dispatch()]), Say('["done"]')]
    run_once(Sync(), Cast(lead, [Say("BLOCKED: the vole ate it.")]), suite=SUITE)
    assert landings(spy, "[FAILED] subtask") == {("lead", "prompt", "report")}


def test_sub_agents_see_no_document_that_the_lead_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does an order lead to reading by the engine that anybody pays for."""
    _, record, model = played(monkeypatch, Delegation(validate=False))
    assert not [r for r in model.requests if sub_type(r) and "dugong" in heard(r)]
    assert [e.agent for e in events(record, "tool") if "read_document" in e.data] == ["lead", "research_1"]
