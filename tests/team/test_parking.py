"""A parked lead is always woken: whatever members do with their orders, and whatever a full inbox loses.

Each case once left, or could leave, the lead waiting for a reply that nobody was going to send. A run that ends well
before the run's wall-clock limit (1,800 s), with status ok, shows that it was woken.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import pytest
from support.models import ActingModel, Call, Say, heard, news, send, turn
from support.runs import check_invariants, events, run_once
from support.teams import TALK, talking_bus

from harness.accounting.parts import Part
from harness.accounting.purposes import Purpose
from harness.bus.protocol import INBOX_CAP
from harness.delegation.desk import Desk
from harness.models.protocol import Request
from harness.records import RunRecord
from harness.session import Session
from harness.suite import Sample
from harness.team.postbox import Postbox
from harness.team.roster import LEAD
from harness.topology import Answer

READ = Call("read_document", {"name": "a.txt"})
FINAL = Say('["done"]')


def patient(first: Say, results: int) -> Any:
    """A lead that opens with ``first`` and waits in text until it has read so many results."""

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return first
        return FINAL if heard(request).count("[inbox] result") >= results else Say("I await.")

    return lead


def ended(acts: Any, within_s: float = 200, **bus: Any) -> RunRecord:
    record = run_once(talking_bus(workers=3, **bus), ActingModel(acts))
    assert record.run.status == "ok", record.run.error
    assert record.run.wall_s < within_s
    check_invariants(record)
    return record


def test_one_result_for_two_orders_does_not_close_the_other() -> None:
    """Alice answers the first order by its id; the engine sees that she owes another and lets her go on."""

    def alice(request: Request) -> Say:
        if turn(request) == 0:
            return Say("", [READ])
        if turn(request) == 1:
            first = heard(request).split("[inbox] task ")[1].split()[0]
            return Say("", [send("lead", "result", "The first is done.", inReplyTo=first)])
        return Say("The second is done.")

    orders = Say("", [send("alice", "task", "First."), send("alice", "task", "Second.")])
    record = ended({"lead": patient(orders, 2), "alice": alice}, within_s=10)
    assert [m.content for m in record.messages if m.type == "result"] == ["The first is done.", "The second is done."]


def test_a_result_to_a_peer_is_no_result_for_the_lead() -> None:
    """Alice hands her result to bob and says no more; her idle exit at 62 s tells the lead."""

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return Say("", [send("alice", "task", "Work.")])
        return FINAL if "idle_timeout_s" in heard(request) else Say("I await.")

    record = ended({"lead": lead, "alice": [Say("", [send("bob", "result", "For you.")])], "bob": [Say("Thanks.")]})
    assert record.run.wall_s == 63
    assert [(e.agent, e.at_s) for e in events(record, "ax") if "idle_timeout" in e.data] == [("alice", 62)]


def test_an_order_to_a_member_that_was_sent_home_is_not_awaited() -> None:
    """The lead sends alice home at 2.5 s; her order will get no result, and the lead knows that it need not wait."""

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return Say("", [send("alice", "task", "Work."), READ])
        if turn(request) == 1:
            return Say("", [send("alice", "shutdown", "")], 0.5)
        return Say("Without alice.")

    record = ended({"lead": lead, "alice": [Say("", [READ], 5)]}, within_s=10)
    assert record.run.answer == "Without alice."


@pytest.mark.parametrize("gap_s", [0.0, 1.0, 4.0])
def test_an_order_after_a_shutdown_is_carried_out(gap_s: float) -> None:
    """Alice, in a call until 3 s, is sent home at 2.5 s together with a last reply, so that she has one more round,
    until 5 s. The new order comes in one step with that, during the round, or after she has left. It takes two rounds.
    """
    home = [send("alice", "clarify_resp", "Never mind."), send("alice", "shutdown", "")]
    again = send("alice", "task", "Work again.")

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return Say("", [send("alice", "task", "Work."), READ])
        if turn(request) == 1:
            return Say("", [*home, again] if gap_s == 0 else [*home, READ], 1.5)
        if turn(request) == 2 and gap_s:
            return Say("", [again], gap_s)
        return Say("All is well." if "All done." in heard(request) else "I await.")

    def alice(request: Request) -> Say:
        done = "Work again." in heard(request) and "Work again." not in news(request)
        return Say("All done.", latency_s=2) if done else Say("", [READ], 2)

    record = ended({"lead": lead, "alice": alice}, within_s=20)
    assert record.run.answer == "All is well."


def test_an_order_that_a_full_inbox_lost_is_not_awaited() -> None:
    """The lead writes 60 orders to alice at 1 s; she has taken the first, and 50 of the other 59 fit."""
    flood = Say("", [send("alice", "task", f"Order {n}.") for n in range(60)])
    record = ended({"lead": patient(flood, 1), "alice": [Say("", [READ]), Say("Did what I read.")]}, within_s=10)
    lost = [m.content for m in record.messages if m.delivery == "trimmed"]
    assert lost == [f"Order {n}." for n in range(1, 60 - INBOX_CAP)]
    assert len(events(record, "trimmed", "alice")) == 9


def test_a_lead_parked_on_an_order_that_is_lost_is_woken() -> None:
    """Bob, loaded by alice and not by the lead, owes nothing. At 3 s the lead orders from him while he is in a call;
    alice floods him, the order is lost, and he idles out in silence."""
    chatter = [send("bob", "progress", f"Note {n}.") for n in range(INBOX_CAP)]

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return Say("", [send("alice", "clarify_resp", "Talk to bob."), READ])
        if turn(request) == 1:
            return Say("", [send("bob", "task", "An order.")], 2)
        return Say("Went on.") if "A full inbox lost" in news(request) else Say("I await.")

    hello = Say("", [send("bob", "clarify", "Hello?"), READ])
    acts = {
        "lead": lead,
        "alice": [hello, Say("", chatter, 2), *[Say("", [READ], 29)] * 20],
        "bob": [Say("", [READ], 10), Say("", [send("alice", "progress", "Noted.")])],
    }
    record = ended(acts)
    assert record.run.answer == "Went on."
    assert next(m.content for m in record.messages if m.delivery == "trimmed") == "An order."


def test_a_result_that_the_lead_s_full_inbox_lost_is_not_awaited() -> None:
    """Alice's result waits while the lead is in a 20 s call; bob and carol push it out."""
    notes = [send("lead", "progress", f"Note {n}.") for n in range(30)]
    orders = Say("", [*[send(name, "task", "Work.") for name in ("alice", "bob", "carol")], READ])

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return orders
        if turn(request) == 1:
            return Say("", [READ], 20)
        return Say("This is what I have.")

    talker = [Say("", [*notes, READ], 5), Say("Result.", latency_s=25)]
    record = ended({"lead": lead, "alice": [Say("Lost result.")], "bob": talker, "carol": talker})
    assert record.run.answer == "This is what I have."
    assert "Lost result." in [m.content for m in record.messages if m.delivery == "trimmed"]


def test_a_peer_s_message_in_the_instant_of_the_answer_loads_nobody_and_breaks_nothing() -> None:
    """At 2 s the lead answers, and alice addresses bob and carol, who have not been loaded."""
    acts = {
        "lead": [Say("", [send("alice", "clarify_resp", "Hi."), READ]), FINAL],
        "alice": [Say("", [send("bob", "progress", "x"), send("carol", "progress", "x"), READ]), Say("Hm.")],
        "bob": [Say("Hm.")],
        "carol": [Say("Hm.")],
    }
    record = ended(acts, within_s=3)
    assert not [c for c in record.calls if c.started_s > 2]


@pytest.mark.parametrize("offset_s", [-0.000001, 0.0, 0.000001])
def test_a_message_in_the_instant_of_the_idle_exit_is_not_lost(offset_s: float) -> None:
    """Alice idles from 2 s; the second order leaves the lead a microsecond before, at, and after her exit at 12 s."""

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return Say("", [send("alice", "clarify_resp", "Wait for me."), READ])
        if turn(request) == 1:
            return Say("", [send("alice", "task", "Now.")], 11 + offset_s)
        return FINAL if "Result." in heard(request) else Say("I await.")

    acts = {
        "lead": lead,
        "alice": [Say("", [send("bob", "progress", "Idle.")]), Say("Result.")],
        "bob": [Say("Hm.")] * 9,
    }
    record = ended(acts, within_s=20, idle_timeout_s=10)
    (task,) = (m for m in record.messages if m.type == "task")
    assert task.delivery == "read"


def test_a_late_answer_reopens_no_order_that_has_been_answered() -> None:
    """Alice gives up waiting for an answer, which hands in an error for her first order. A second order, on its way
    already, loads her again, and she answers both before the lead has read the error. Then the lead's answer comes."""
    awaited: list[bool] = []

    class Script:
        family: ClassVar[Literal["single", "team"]] = "team"

        async def __call__(self, sample: Sample, session: Session) -> Answer:
            channel = await session.bus.join(session.run_id, session.time)
            box = Postbox(session, channel, "lead", ["alice"], Desk(session, TALK))
            say = [Part("text", "alice", Purpose.ANSWER)]
            await box.deliver(LEAD, "alice", "task", say)
            await box.read("alice")
            await box.give_up("alice", "idle")
            await box.deliver(LEAD, "alice", "task", say)
            await box.read("alice")
            await box.deliver("alice", LEAD, "result", say)
            await box.read(LEAD)
            awaited.append(box.orders.awaited())
            await box.deliver(LEAD, "alice", "clarify_resp", say)
            awaited.append(box.orders.awaited())
            await channel.close()
            return Answer('["done"]')

    assert run_once(Script(), ActingModel({})).run.status == "ok"
    assert awaited == [False, False]


@pytest.mark.parametrize("needs", ["clarify", "error"])
def test_a_patient_lead_is_woken_by_what_needs_it(needs: str) -> None:
    """Bob takes until 51 s; at 2 s alice asks, or at 31 s her round times out. The lead does not wait for bob."""
    at = {"clarify": 2.0, "error": 31.0}[needs]
    acts: Any = {
        "lead": [
            Say("", [send("alice", "task", "Work."), send("bob", "task", "Work.")]),
            Say("", [send("alice", "shutdown", "")]),
            FINAL,
        ],
        "alice": [Say("", [send("lead", "clarify", "Which?")]) if needs == "clarify" else Say("Late.", latency_s=40)],
        "bob": [Say("", [READ], 25), Say("Result of bob.", latency_s=25)],
    }
    record = ended(acts)
    assert [c.started_s for c in record.calls if c.agent == "lead"] == [0, at, 51]
