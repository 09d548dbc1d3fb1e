"""Orders on the bus beyond one order and its result: revisions, several at once, idle members, lost messages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dispatch.stage import DONE, READ, ReferenceSuite, order, send_order, spent, told_errors, tries
from support.models import Acting, Say, heard, news, send, turn

from harness.bus.protocol import INBOX_CAP
from harness.delegation.rules import Delegation
from harness.models.protocol import Request
from harness.team.roster import Member

from .test_ring import FEW, PAIR, RIGHT, WRONG, patient, ran, sent

# -- revisions -----------------------------------------------------------------------------------------------------


def test_a_revision_goes_on_with_the_same_order() -> None:
    """A further try of the same subtask: its criteria still hold, and its retries go on from there."""

    def lead(request: Request) -> Say:
        if "[1, 2]" in news(request):
            return Say("", [send("alice", "revision", "In descending order.")])
        return patient(send_order("alice", order(**PAIR)), wanted=2)(request)

    record, model = ran(lead, [RIGHT, Say("[2]"), Say("[2, 1]")])
    assert tries(record) == [("d1", 1, "success"), ("d1", 2, "returned"), ("d1", 3, "success")]
    assert [json.loads(d.order)["feedback"] for d in record.delegations] == [[], ["In descending order."], [FEW]]
    assert {d.subtask_id for d in record.delegations} == {"subtask_1"}
    assert "[order subtask_1, try 3 of 3]" in heard(model.of("alice")[-1])
    assert (record.run.revisions, record.run.retries_validation) == (1, 1)


def test_a_revision_before_there_is_a_result() -> None:
    """The order and its revision are one subtask with one answer: the first try has none, the second is returned
    once."""

    def lead(request: Request) -> Say:
        if turn(request) == 1:
            return Say("", [send("alice", "revision", "Rather in descending order.")])
        return patient(send_order("alice", order(**PAIR)), READ)(request)

    alice = [Say("", [READ], 5), WRONG, RIGHT]
    record, _ = ran(lead, alice)
    assert tries(record) == [("d1", 1, "unanswered"), ("d1", 2, "returned"), ("d1", 3, "success")]
    assert [(d.raw_output, d.seconds) for d in record.delegations] == [("", 1), ("[1]", 5), ("[1, 2]", 1)]
    assert sent(record, "alice") == [("result", "[1, 2]")]
    assert record.run.retries_validation == 1
    assert sum(d.tokens for d in record.delegations) == spent(record, "alice")


@pytest.mark.parametrize("names", [True, False])
def test_a_revision_is_of_the_result_that_it_names(names: bool) -> None:
    """Else of what its recipient was sent last."""

    def lead(request: Request) -> Say:
        text = heard(request)
        if "[1]" in news(request):
            return Say("", [send_order("alice", order("two"))])
        if "[2]" in news(request):
            first = text.split("[inbox] result ")[1].split()[0]
            return Say("", [send("alice", "revision", "Once more.", **({"inReplyTo": first} if names else {}))])
        return patient(send_order("alice", order("one")), wanted=3)(request)

    record, _ = ran(lead, [Say("[1]"), Say("[2]"), Say("[3]")])
    again = "d1" if names else "d2"
    assert tries(record) == [("d1", 1, "success"), ("d2", 1, "success"), (again, 2, "success")]
    assert json.loads(record.delegations[2].order)["objective"] == ("one" if names else "two")


def test_without_a_name_it_is_of_what_came_last_revisions_included() -> None:
    """Two orders, then a revision of the first by name, then one that names nothing."""

    def lead(request: Request) -> Say:
        if "[1]" in news(request):
            return Say("", [send_order("alice", order("two"))])
        if "[2]" in news(request):
            first = heard(request).split("[inbox] result ")[1].split()[0]
            return Say("", [send("alice", "revision", "Once more.", inReplyTo=first)])
        if "[3]" in news(request):
            return Say("", [send("alice", "revision", "And again.")])
        return patient(send_order("alice", order("one")), wanted=4)(request)

    record, _ = ran(lead, [Say(f"[{n}]") for n in range(1, 5)])
    assert [(d, n) for d, n, _ in tries(record)] == [("d1", 1), ("d2", 1), ("d1", 2), ("d1", 3)]


def test_a_revision_to_somebody_without_an_order_is_one() -> None:
    record, _ = ran(patient(send("alice", "revision", "Do it again.")), [Say("Prose.")])
    (row,) = record.delegations
    assert (json.loads(row.order)["objective"], row.status, row.try_) == ("Do it again.", "success", 1)
    assert json.loads(row.order)["forbidden_actions"] == []


# -- several orders, idle members, lost messages -------------------------------------------------------------------


def two_orders(one: dict[str, Any], two: dict[str, Any]) -> Acting:
    """Both are there when alice, who reads until 6 s, reads her inbox."""

    def lead(request: Request) -> Say:
        if turn(request) == 1:
            return Say("", [send_order("alice", two)])
        return patient(send_order("alice", one), READ)(request)

    return lead


def test_one_result_for_two_orders_is_held_against_both() -> None:
    """The first asks for none, the second for two: the first goes to a person, and the lead reads why although the
    result comes only with the second's next try."""
    one = order("one", max_retries=0, acceptance_criteria=[{"check": "count", "max": 0}])
    record, _ = ran(two_orders(one, order("two", **PAIR)), [Say("", [READ], 5), WRONG, RIGHT])
    assert tries(record) == [("d1", 1, "needs_person"), ("d2", 1, "returned"), ("d2", 2, "success")]
    assert sent(record, "alice") == [
        ("result", "[needs_person] subtask_1: not accepted after 1 try: entries: 1, at most 0 are asked for\n[1, 2]")
    ]
    assert record.run.retries_validation == 1


def test_each_of_two_orders_by_its_id() -> None:
    def alice(request: Request) -> Say:
        if turn(request) == 0:
            return Say("", [READ], 5)
        if turn(request) == 1:
            first = heard(request).split("[inbox] task ")[1].split()[0]
            return Say("", [send("lead", "result", "[1]", inReplyTo=first)])
        return RIGHT

    record, _ = ran(two_orders(order("one"), order("two", **PAIR)), alice)
    assert tries(record) == [("d1", 1, "success"), ("d2", 1, "success")]
    assert [d.raw_output for d in record.delegations] == ["[1]", "[1, 2]"]


def test_an_idle_member_goes_on_where_it_was() -> None:
    """Gave up at 62 s; the answer at 63 s reopens the order: a further try, which is accepted."""

    def lead(request: Request) -> Say:
        if "idle_timeout_s" in news(request):
            return Say("", [send("alice", "clarify_resp", "The second one.")])
        return patient(send_order("alice", order(**PAIR)), wanted=2)(request)

    record, _ = ran(lead, [Say("", [send("lead", "clarify", "Which?")]), RIGHT])
    assert tries(record) == [("d1", 1, "failed"), ("d1", 2, "success")]
    assert [d.seconds for d in record.delegations] == [61, 1]
    assert told_errors(record.delegations[0]) == ["idle_timeout_s: no message in 60 s; write again to go on"]


def test_an_idle_member_with_an_order_and_its_revision_goes_on_with_one_subtask() -> None:
    def lead(request: Request) -> Say:
        if turn(request) == 1:
            return Say("", [send("alice", "revision", "In descending order.")])
        if "idle_timeout_s" in news(request):
            return Say("", [send("alice", "clarify_resp", "The second one.")])
        return patient(send_order("alice", order()), READ, wanted=2)(request)

    ask = Say("", [send("lead", "clarify", "Which?")], 4)
    record, _ = ran(lead, [ask, ask, RIGHT])
    assert tries(record) == [("d1", 1, "unanswered"), ("d1", 2, "failed"), ("d1", 3, "success")]


def test_an_order_that_a_full_inbox_lost() -> None:
    """Alice is busy until 31 s and gets one message more than her inbox holds; the first of them is lost."""
    many = [send_order("alice", order(f"job {n}")) for n in range(INBOX_CAP + 1)]

    def lead(request: Request) -> Say:
        if turn(request) == 1:
            return Say("", many)
        return patient(send_order("alice", order("first")), READ)(request)

    record, _ = ran(lead, [Say("", [READ], 29), Say("[]")])
    lost = [d for d in record.delegations if d.status == "failed"]
    assert [told_errors(d) for d in lost] == [["the order was lost: the inbox was full"]]
    assert json.loads(lost[0].order)["objective"] == "job 0"
    assert {d.status for d in record.delegations if d not in lost} == {"success"}


def test_an_order_whose_recipient_was_sent_home_stays_unanswered() -> None:
    lead = [
        Say("", [send_order("alice", order()), READ]),
        Say("", [send("alice", "shutdown", ""), READ]),
        DONE,
    ]
    record, _ = ran(lead, [Say("", [READ], 20)])
    assert tries(record) == [("d1", 1, "unanswered")]


def test_a_member_that_cannot_be_loaded() -> None:
    record, _ = ran(patient(send_order("alice", order())), [], roster=[Member("alice", active=False)])
    assert tries(record) == [("d1", 1, "failed")]
    assert told_errors(record.delegations[0]) == ["alice cannot be loaded: it is not active"]


def test_history_on_the_bus() -> None:
    """The member reads the lead's whole conversation before its order; with a card, nothing of it."""
    suite = ReferenceSuite(statement="Statement canary: aardvark.")
    with_card = order("hedgehog")
    without = {name: value for name, value in with_card.items() if name != "context_card"}

    def read_by_alice(written: dict[str, Any], context: str) -> str:
        def lead(request: Request) -> Say:
            if turn(request) == 0:
                return Say("Words canary: gazelle.", [READ])
            if turn(request) == 1:
                return Say("", [send_order("alice", written)])
            return DONE if "[inbox] result" in heard(request) else Say("I await.")

        _, model = ran(lead, [RIGHT], suite=suite, delegation=Delegation(context=context))
        return heard(model.of("alice")[0])

    text = read_by_alice(without, "history")
    assert all(word in text for word in ("aardvark", "gazelle", "The fee is 340 yuan.", "hedgehog"))
    assert text.index("aardvark") < text.index("gazelle") < text.index("[order subtask_1]")
    text = read_by_alice(with_card, "card")
    assert "hedgehog" in text
    assert not [word for word in ("aardvark", "gazelle", "The fee is") if word in text]
