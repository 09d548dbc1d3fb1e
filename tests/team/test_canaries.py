"""Canary words: text planted in one place of a team run lands in exactly the purposes that the cost model says.

One scenario holds them all. Each canary is a word that occurs nowhere else, planted by one author in one place; what is
looked up is every prompt and completion of the run that holds it, as the ledger got it.
"""

from __future__ import annotations

import json

import pytest
from support.models import ActingModel, Call, Say, heard, news, send, turn
from support.runs import DeskSuite, LedgerSpy, check_invariants, run_once
from support.teams import talking_bus

from harness.accounting.purposes import read_as
from harness.models.protocol import Request
from harness.records import RunRecord
from harness.team.roster import Member

SUITE = DeskSuite(
    statement="Statement canary: aardvark.",
    brief="Brief canary: badger.",
    documents={"a.txt": "Document canary: cormorant stood in the reeds for an hour."},
)
RESULT = "Result canary: the dormouse slept through the whole winter without waking once."
REWRITTEN = "Rework canary: the elephant walked along the river until the sun had set again."
PEER = "Peer canary: the flamingo balanced on its left leg beside the shallow salt lake."

READ = Call("read_document", {"name": "a.txt"})


def lead(request: Request) -> Say:
    new = news(request)
    if turn(request) == 0:
        order = send("alice", "task", "Order canary: hedgehog.", context="Order context canary: ibex.")
        return Say("Plan canary: gazelle.", [order, send("bob", "task", "Look at the lake.")])
    if "pangolin" in new:
        return Say("", [send("alice", "clarify_resp", "Reply canary: kestrel.")])
    if "dormouse" in new:
        return Say("", [send("alice", "revision", "Revision canary: lemur.")])
    if "elephant" in new:
        restated = RESULT.removeprefix("Result canary: ")
        return Say(json.dumps([{"a": restated}, {"a": "My own finding: the mongoose left."}]))
    return Say("Waiting canary: jackal.")


def alice(request: Request) -> Say:
    if turn(request) == 0:
        return Say("", [READ, send("lead", "progress", "Progress canary: narwhal.")])
    if turn(request) == 1:
        return Say("Aside canary: ocelot.", [send("lead", "clarify", "Clarify canary: pangolin.")])
    if "lemur" in heard(request):
        return Say("", [READ]) if "lemur" in news(request) else Say(REWRITTEN)
    if "kestrel" in heard(request):
        return Say("", [send("lead", "result", RESULT, context="Result context canary: quokka.")])
    return Say("", [READ])


BOB = [Say("", [READ, send("alice", "result", PEER)]), Say("Raven result.")]

EXPECTED = {
    # task text: never changes for lead and worker
    "aardvark": {("lead", "prompt", "task")},
    "badger": {(agent, "prompt", "task") for agent in ("lead", "alice", "bob")},
    "cormorant": {("alice", "prompt", "task"), ("bob", "prompt", "task")},
    # a member's specialty is in prompts only because there is a team
    "salamander": {("lead", "prompt", "scaffold"), ("alice", "prompt", "scaffold")},
    # decomposition, orders and their context
    "gazelle": {("lead", "completion", "plan"), ("lead", "prompt", "plan")},
    "jackal": {("lead", "completion", "sync"), ("lead", "prompt", "sync")},
    "hedgehog": {("lead", "completion", "dispatch"), ("lead", "prompt", "dispatch"), ("alice", "prompt", "dispatch")},
    "ibex": {("lead", "completion", "dispatch"), ("lead", "prompt", "dispatch"), ("alice", "prompt", "dispatch")},
    # talk
    "narwhal": {("alice", "completion", "sync"), ("alice", "prompt", "sync"), ("lead", "prompt", "sync")},
    "pangolin": {("alice", "completion", "sync"), ("alice", "prompt", "sync"), ("lead", "prompt", "sync")},
    "kestrel": {("lead", "completion", "sync"), ("lead", "prompt", "sync"), ("alice", "prompt", "sync")},
    "ocelot": {("alice", "completion", "plan"), ("alice", "prompt", "plan")},
    # a peer's product, read by a worker
    "flamingo": {("bob", "completion", "answer"), ("bob", "prompt", "answer"), ("alice", "prompt", "sync")},
    # a result: its payload is the work, what surrounds it is the report; the lead reads it, then restates it
    "dormouse": {("alice", "completion", "answer"), ("alice", "prompt", "answer"), ("lead", "prompt", "merge")},
    "slept": {
        ("alice", "completion", "answer"),
        ("alice", "prompt", "answer"),
        ("lead", "prompt", "merge"),
        ("lead", "completion", "merge"),
    },
    "quokka": {("alice", "completion", "report"), ("alice", "prompt", "report"), ("lead", "prompt", "report")},
    "mongoose": {("lead", "completion", "answer")},
    # verification: the instruction and the product that follows it, also after a look at the source
    "lemur": {("lead", "completion", "feedback"), ("lead", "prompt", "feedback"), ("alice", "prompt", "feedback")},
    "elephant": {("alice", "completion", "rework"), ("lead", "prompt", "merge")},
}
EXPECTED["dormouse"].add(("lead", "completion", "merge"))


@pytest.fixture
def scenario(monkeypatch: pytest.MonkeyPatch) -> tuple[LedgerSpy, RunRecord]:
    spy = LedgerSpy(monkeypatch)
    roster = [Member("alice", brief="Specialty canary: salamander."), Member("bob")]
    record = run_once(
        talking_bus(roster=roster, wake="each"), ActingModel({"lead": lead, "alice": alice, "bob": BOB}), suite=SUITE
    )
    assert record.run.status == "ok", record.run.error
    return spy, record


def landings(spy: LedgerSpy, word: str) -> set[tuple[str, str, str]]:
    """(agent, direction, purpose as the ledger counts it) of every part that holds a word."""
    found = set()
    for attempt in spy.attempts:
        agent, stance = attempt.caller.agent, attempt.caller.stance
        for p in attempt.prompt:
            if word in p.text:
                found.add((agent, "prompt", str(read_as(p.purpose, p.author, agent, stance))))
        for p in attempt.completion:
            if word in p.text:
                found.add((agent, "completion", str(p.purpose)))
    return found


def test_every_canary_lands_where_it_should(scenario: tuple[LedgerSpy, RunRecord]) -> None:
    spy, record = scenario
    assert {word: landings(spy, word) for word in EXPECTED} == EXPECTED
    check_invariants(record)


def test_the_rows_hold_what_landed(scenario: tuple[LedgerSpy, RunRecord]) -> None:
    """Each (agent, direction, purpose) that a canary landed in has tokens in the shares."""
    _, record = scenario
    agents = {c.operation_id: c.agent for c in record.calls}
    held = {(agents[s.operation_id], s.direction, s.purpose) for s in record.shares if s.tokens}
    assert set().union(*EXPECTED.values()) <= held


def test_forwarded_text_keeps_its_author(scenario: tuple[LedgerSpy, RunRecord]) -> None:
    spy, _ = scenario
    authors = {p.author for a in spy.attempts for p in a.prompt if "flamingo" in p.text or "elephant" in p.text}
    assert authors == {"bob", "alice"}


def test_revisions_are_counted(scenario: tuple[LedgerSpy, RunRecord]) -> None:
    assert scenario[1].run.revisions == 1


def test_a_product_rewritten_only_because_of_a_peer_is_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alice has delivered; then bob's product reaches her and nothing else does, and she delivers again."""
    spy = LedgerSpy(monkeypatch)
    acts = {
        "lead": [
            Say("", [send("alice", "task", "Count the boats."), send("bob", "task", "Count the boats.")]),
            Say("I await."),
            Say("I await."),
            Say('["done"]'),
        ],
        "alice": [Say("Seventeen vessels lie in the harbour today."), Say("After all it may be eighteen of them.")],
        "bob": [
            Say("", [Call("read_document", {"name": "a.txt"})]),
            Say("", [send("alice", "result", "My own count of the boats gives eighteen.")]),
            Say("Eighteen boats are what I have counted in all."),
        ],
    }
    record = run_once(talking_bus(workers=2, idle_timeout_s=3), ActingModel(acts))
    assert record.run.status == "ok", record.run.error
    assert landings(spy, "vessels") >= {("alice", "completion", "answer")}
    assert landings(spy, "After all") >= {("alice", "completion", "sync")}
