"""The record of tries: tokens and seconds by hand, and that the first word about a try stands."""

from __future__ import annotations

import json

from support.ledgers import Feeder

from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.delegation.log import DelegationLog
from harness.delegation.order import ContextCard, TaskOrder
from harness.records import DelegationRow

ORDER = TaskOrder("subtask_1", "Count.", context_card=ContextCard("team"), unchecked=("Be kind.",))


def logged(play: str = "") -> list[DelegationRow]:
    """One worker with two tries of one subtask, another with one that is never answered."""

    async def main(clock: Clock) -> list[DelegationRow]:
        time, feeder = clock.start(), Feeder()
        log = DelegationLog("run", feeder.ledger, time)
        feeder.call("alice", [("task", 900, "task")], [("answer", 90, "alice")])  # before any order: nobody's
        await time.sleep(1, "alice")
        first = log.begin(ORDER, "alice", "member")
        feeder.call("alice", [("dispatch", 10, "lead")], [("answer", 5, "alice")])
        feeder.call("bob", [("dispatch", 1000, "lead")], [("answer", 100, "bob")])
        feeder.call("alice", [("dispatch", 20, "lead")], [("answer", 7, "alice")])
        await time.sleep(2.5, "alice")
        log.end(first, "returned", "[1]", validated=True, errors=("too few",), copied_tokens=3)
        second = log.begin(ORDER.again(("too few",)), "alice", "member", after=first)
        feeder.call("alice", [("feedback", 40, "engine")], [("rework", 9, "alice")])
        await time.sleep(0.25, "alice")
        log.end(second, "success", "[1, 2]", validated=True)
        log.end(second, "failed", "", errors=("later word",))
        log.begin(TaskOrder("subtask_2", "Wait."), "carol", "research")
        await time.sleep(10, "alice")
        return log.rows()

    return run("virtual", main)


def test_tokens_of_a_worker_s_calls_from_one_try_to_the_next() -> None:
    first, second, third = logged()
    assert (first.tokens, second.tokens, third.tokens) == (10 + 5 + 20 + 7, 40 + 9, 0)


def test_seconds_from_the_order_to_the_end_or_the_run_s() -> None:
    assert [d.seconds for d in logged()] == [2.5, 0.25, 10]


def test_a_row_a_try() -> None:
    rows = logged()
    assert [(d.delegation_id, d.try_, d.subtask_id, d.worker, d.type) for d in rows] == [
        ("d1", 1, "subtask_1", "alice", "member"),
        ("d1", 2, "subtask_1", "alice", "member"),
        ("d2", 1, "subtask_2", "carol", "research"),
    ]
    first, second, third = rows
    assert (first.status, first.raw_output, first.validated, first.copied_tokens) == ("returned", "[1]", True, 3)
    assert (json.loads(first.validation_errors), json.loads(first.unchecked)) == (["too few"], ["Be kind."])
    assert (first.card_tokens, third.card_tokens) == (1, 0)
    assert json.loads(second.order)["feedback"] == ["too few"]
    assert (third.status, third.raw_output, third.validated) == ("unanswered", "", False)


def test_the_first_word_about_a_try_stands() -> None:
    second = logged()[1]
    assert (second.status, second.raw_output, second.validation_errors) == ("success", "[1, 2]", "[]")


def test_a_try_that_another_follows_has_ended() -> None:
    """A lead may ask for changes before there is an answer: the first try then has none."""

    async def main(clock: Clock) -> list[DelegationRow]:
        time = clock.start()
        log = DelegationLog("run", Feeder().ledger, time)
        first = log.begin(ORDER, "alice", "member")
        await time.sleep(3, "lead")
        log.begin(ORDER.again(("Rather so.",)), "alice", "member", after=first)
        log.end(first, "success", "[1]")
        await time.sleep(4, "lead")
        return log.rows()

    rows = run("virtual", main)
    assert [(d.delegation_id, d.try_, d.status, d.raw_output, d.seconds) for d in rows] == [
        ("d1", 1, "unanswered", "", 3),
        ("d1", 2, "unanswered", "", 4),
    ]
