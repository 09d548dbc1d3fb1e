"""Debate: rounds in which nobody sees what is being said, early ends, and debaters that fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.models import ActingModel, Call, Say, heard, news
from support.panels import DEAD, READ, Panel, entries, left_out
from support.runs import check_invariants, purposes, run_once, shares

from harness.errors import ConfigError
from harness.limits import Limits
from harness.records import RunRecord
from topologies.debate import OTHERS, RECONSIDER, Debate
from topologies.single import Single

NAMES = ("debater_1", "debater_2", "debater_3")


def debate(says: dict[str, list[Say]], *, limits: Limits | None = None, **options: Any) -> tuple[RunRecord, Panel]:
    model = Panel("debate", says)
    record = run_once(Debate(**options), model, limits=limits)
    check_invariants(record)
    return record, model


def stubborn(rounds: int, **changes: list[Say]) -> dict[str, list[Say]]:
    """Everybody says something of its own in each round, and it takes ever longer from the first to the third."""
    return {
        **{
            name: [Say(f"answer of {n} in round {r}", latency_s=n) for r in range(1, rounds + 1)]
            for n, name in enumerate(NAMES, 1)
        },
        **changes,
    }


def rounds(record: RunRecord) -> list[tuple[list[str], bool]]:
    """Who answered in each round, and whether all agreed."""
    told = [json.loads(e.data) for e in record.events if e.type == "round"]
    assert [t["round"] for t in told] == list(range(1, len(told) + 1))
    return [(t["answered"], t["agreed"]) for t in told]


def test_the_first_round_is_a_plain_vote() -> None:
    single = ActingModel({"solver": [READ, Say("yes")]})
    run_once(Single(), single)
    record, model = debate({name: [READ, Say("yes")] for name in NAMES})
    for name in NAMES:
        assert [(r.messages, r.tools) for r in model.of(name)] == [(r.messages, r.tools) for r in single.requests]
    assert rounds(record) == [(list(NAMES), True)] and record.run.coordination_tokens == 0


def test_each_reads_the_others_latest_answers_and_nothing_of_its_own_round() -> None:
    record, model = debate(stubborn(3), rounds=3)
    for n, name in enumerate(NAMES, 1):
        others = [m for m in (1, 2, 3) if m != n]
        for r, request in enumerate(model.of(name)[1:], 1):
            shown = "\n\n".join(f"Answer {i}:\nanswer of {m} in round {r}" for i, m in enumerate(others, 1))
            assert news(request) == f"{OTHERS}\n\n{shown}\n\n{RECONSIDER}"
            assert f"in round {r + 1}" not in heard(request)
        said = [m["role"] for m in model.of(name)[2].messages]
        assert said == ["system", "user", "assistant", "user", "assistant", "user"], "one conversation"
    assert [len({c.started_s for c in record.calls if c.agent == name}) for name in NAMES] == [3, 3, 3]
    assert sorted({c.started_s for c in record.calls}) == [0.0, 3.0, 6.0], "a round begins when all have answered"
    assert rounds(record) == [(list(NAMES), False)] * 3
    assert record.run.answer == "answer of 1 in round 3", "nobody agrees: the first"


def test_it_ends_when_all_agree_unless_it_is_told_not_to() -> None:
    says = {
        "debater_1": [Say(entries(a="1")), Say(entries(a="2")), Say(entries(a="2"))],
        "debater_2": [Say(entries(a="2")), Say(entries(a="2")), Say(entries(a="2"))],
        "debater_3": [Say(entries(a="2")), Say(entries(a=" 2")), Say(entries(a="2"))],
    }
    record, _ = debate(says)
    assert [agreed for _, agreed in rounds(record)] == [False, True] and record.run.calls == 6
    record, _ = debate(says, stop_on_agreement=False, rounds=3)
    assert [agreed for _, agreed in rounds(record)] == [False, True, True] and record.run.calls == 9
    assert json.loads(record.run.answer) == [{"question": "a", "answer": "2"}]


def test_with_one_round_nobody_debates() -> None:
    record, _ = debate(stubborn(1), rounds=1)
    assert (record.run.calls, record.run.coordination_tokens) == (3, 0)
    with pytest.raises(ConfigError, match=r"topology\.debaters=1: must be from 2 to 100"):
        Debate(debaters=1)


def test_a_debater_that_fails_later_is_heard_of_no_more_but_its_last_answer_counts() -> None:
    three = [Say("yes"), DEAD]
    says = stubborn(3, debater_1=[Say("no"), Say("no"), Say("yes")], debater_3=three)
    record, model = debate(says, rounds=3)
    assert left_out(record) == [("debater_3", "test: made to fail by a test")]
    assert [answered for answered, _ in rounds(record)] == [list(NAMES), list(NAMES[:2]), list(NAMES[:2])]
    assert "Answer 2:\nyes" in news(model.of("debater_1")[2]), "shown once more in the round after"
    assert len(model.of("debater_3")) == 2
    assert (record.run.status, record.run.answer) == ("ok", "yes"), "one says so now, and one had said so"


def test_one_that_takes_too_long_in_one_round() -> None:
    says = stubborn(3, debater_2=[Say("b"), Say("b", latency_s=60)])
    record, _ = debate(says, rounds=3, debater_timeout_s=50.0)
    assert left_out(record) == [("debater_2", "debater_timeout_s: not done after 50 s")]
    assert record.run.wall_s == 3 + 50 + 3, "its round lasts until nobody waits for it"


def test_with_fewer_than_two_left_it_ends() -> None:
    record, _ = debate(stubborn(5, debater_2=[Say("b"), DEAD], debater_3=[Say("b"), DEAD]))
    assert [answered for answered, _ in rounds(record)] == [list(NAMES), ["debater_1"]]
    assert (record.run.answer, record.run.left_out) == ("b", 2)
    record, _ = debate({name: [Say(text), DEAD] for name, text in zip(NAMES, "abb", strict=True)})
    assert [answered for answered, _ in rounds(record)] == [list(NAMES), []]
    assert (record.run.status, record.run.answer, record.run.left_out) == ("ok", "b", 3)


def test_the_first_round_needs_the_quorum() -> None:
    record, _ = debate(stubborn(5, debater_1=[DEAD], debater_3=[DEAD]))
    assert (record.run.status, record.run.error) == (
        "failed",
        "quorum: 1 of 3 debaters answered, and 2 are needed (test: made to fail by a test)",
    )
    record, _ = debate(stubborn(5, debater_1=[DEAD], debater_3=[DEAD]), quorum=1)
    assert (record.run.status, record.run.answer) == ("ok", "answer of 2 in round 1")


def test_a_limit_of_the_run_leaves_the_vote_so_far() -> None:
    says = {name: [Say(text), Say("c", latency_s=9)] for name, text in zip(NAMES, "abb", strict=True)}
    record, _ = debate(says, limits=Limits(run_wall_s=5.0))
    assert (record.run.status, record.run.answer) == ("timeout", "b")


def test_peers_answers_are_read_for_alignment_and_what_is_new_in_a_rewritten_answer_is_too() -> None:
    """In any round: also where the others' answers are in part restated themselves."""

    def own(r: int) -> str:
        return f"In round {r} I say something that nobody has ever said before, in more than eight words."

    quote = "The colour of the fence by the gate is slate grey, says the log of May."
    says = {
        "debater_1": [Say(own(1)), Say(own(2)), Say(own(3))],
        "debater_2": [Say(quote), Say(quote), Say(quote)],
        "debater_3": [Say("No."), Say(quote), Say(quote)],
    }
    record, _ = debate(says, rounds=3)
    written = [
        set(purposes(shares(record, operation=c.operation_id, direction="completion")))
        for c in sorted(record.calls, key=lambda c: (c.agent, c.started_s))
    ]
    assert written == [
        *({"answer"}, {"sync"}, {"sync"}),
        *({"answer"}, {"report"}, {"merge"}),  # its own once more; in the third round another says so too
        *({"answer"}, {"merge"}, {"merge"}),
    ]
    calls = {c.operation_id: c.started_s for c in record.calls if c.agent == "debater_1"}
    second, third = (
        purposes([s for s in shares(record, operation=o, direction="prompt") if s.author in NAMES[1:]])
        for o, at in sorted(calls.items(), key=lambda c: c[1])
        if at > 0
    )
    assert set(second) == {"sync"}
    assert set(third) == {"sync", "report", "merge"}, "what was a repetition stays one"


def test_a_correction_is_coordination_once_there_is_a_debate_and_the_task_s_before() -> None:
    stumble = Say(calls=(Call("open_file", {}),))
    says = {name: [stumble, Say(name), stumble, Say(name)] for name in NAMES}
    record, _ = debate(says, rounds=2)
    own = sorted((c for c in record.calls if c.agent == "debater_1"), key=lambda c: c.started_s)
    engine = [{s.purpose for s in shares(record, operation=c.operation_id) if s.author == "engine"} for c in own]
    assert engine == [set(), {"task"}, {"task", "scaffold"}, {"task", "scaffold"}]
    written = [set(purposes(shares(record, operation=c.operation_id, direction="completion"))) for c in own]
    assert written == [{"answer"}, {"answer"}, {"plan"}, {"report"}]
