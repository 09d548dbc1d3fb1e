"""The ledger: what each attempt becomes, and what is unknown, free, unused or read again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ledgers import Feeder
from support.texts import part, text_of_tokens

from harness.accounting.parts import ENGINE, TASK, Part
from harness.accounting.prices import CardPricing, PriceCard
from harness.accounting.purposes import Purpose, Stance
from harness.accounting.tokens import count_tokens
from harness.accounting.usage import MISSING, NOT_BILLED, AccountingError, Usage

CARD = CardPricing(PriceCard(input=1, output=4, cached_input=0.1))
"""A prompt token costs 1,000,000 pUSD, a cached one 100,000, a completion token 4,000,000."""
M = 10**6


def rows(feeder: Feeder) -> set[tuple[Any, ...]]:
    return {(s.direction, s.purpose, s.author, s.tokens, s.cost_pusd) for s in feeder.ledger.shares}


@pytest.mark.parametrize("n", [0, 1, 2, 500, 10_000])
def test_texts_of_a_known_size(n: int) -> None:
    assert count_tokens(text_of_tokens(n)) == n


def test_one_call_by_hand() -> None:
    f = Feeder(CARD)
    row = f.call(
        "alice",
        [("scaffold", 100, ENGINE), ("task", 300, TASK), ("answer", 50, "bob"), ("answer", 30, "alice")],
        [("answer", 20, "alice"), ("sync", 5, "alice")],
    )
    assert rows(f) == {
        ("prompt", "scaffold", ENGINE, 100, 100 * M),
        ("prompt", "task", TASK, 300, 300 * M),
        ("prompt", "sync", "bob", 50, 50 * M),  # a peer's product
        ("prompt", "answer", "alice", 30, 30 * M),  # one's own
        ("completion", "answer", "alice", 20, 80 * M),
        ("completion", "sync", "alice", 5, 20 * M),
    }
    assert (row.cost_pusd, row.fee_pusd, row.cost_usd) == (580 * M, 0, 0.00058)
    assert row.list_cost_usd == row.cost_uncached_usd == 0.00058
    assert (row.activity, row.counted_prompt_tokens) == ("answer", 480)
    assert (f.scope.tokens, f.scope.calls, f.scope.pusd) == (505, 1, 580 * M)


def test_template_overhead_spreads_and_cached_text_is_cheaper() -> None:
    """Counted 100 + 300, reported 800 with 250 cached: the parts get 200 + 600, the cache covers 200 + 50."""
    f = Feeder(CARD)
    prompt = [part("scaffold", 100, ENGINE), part("task", 300, TASK)]
    row = f.parts("alice", prompt, [part("answer", 10, "alice")], usage=Usage(800, 10, cached_tokens=250))
    scaffold, task, _ = f.ledger.shares
    assert (scaffold.tokens, scaffold.cached_tokens, scaffold.cost_pusd) == (200, 200, 20 * M)
    assert (task.tokens, task.cached_tokens, task.cost_pusd) == (600, 50, 5 * M + 550 * M)
    assert row.cost_uncached_usd == pytest.approx((800 * 1 + 10 * 4) / 1e6)


def test_reasoning_follows_the_visible_parts() -> None:
    f = Feeder(CARD)
    completion = [part("plan", 10, "lead"), part("dispatch", 30, "lead")]
    f.parts("lead", [part("task", 5, TASK)], completion, usage=Usage(5, 400, reasoning_tokens=360))
    plan, dispatch = (s for s in f.ledger.shares if s.direction == "completion")
    assert (plan.tokens, plan.reasoning_tokens) == (100, 90)
    assert (dispatch.tokens, dispatch.reasoning_tokens) == (300, 270)


@pytest.mark.parametrize("intent", ["answer", "plan", "merge"])
def test_nothing_visible_goes_to_the_intent(intent: str) -> None:
    """Reasoning until the length limit: no parts came back."""
    f = Feeder(CARD)
    row = f.parts(
        "lead", [part("task", 5, TASK)], [], intent=intent, usage=Usage(5, 90, reasoning_tokens=90),
        finish_reason="length",
    )  # fmt: skip
    assert f.tokens(direction="completion", purpose=intent) == 90
    assert row.activity == intent


@pytest.mark.parametrize(
    ("intent", "activity"), [("answer", "answer"), ("plan", "plan"), ("merge", "answer"), ("sync", "answer")]
)
def test_activity_ties_go_to_the_intent(intent: str, activity: str) -> None:
    """Two purposes of ten tokens each; an intent that holds less than the most decides nothing."""
    f = Feeder()
    writes = [("answer", 10, "lead"), ("plan", 10, "lead"), ("merge", 9, "lead")]
    assert f.call("lead", [("task", 5, TASK)], writes, intent=intent).activity == activity


def test_without_a_price_every_cost_is_null() -> None:
    f = Feeder()
    row = f.call("alice", [("task", 5, TASK)], [("answer", 5, "alice")])
    assert (row.cost_usd, row.cost_pusd, row.fee_pusd) == (None, None, None)
    assert (row.list_cost_usd, row.cost_uncached_usd) == (None, None)
    assert {s.cost_pusd for s in f.ledger.shares} == {None}
    assert f.scope.pusd == 0


def test_a_missing_usage_is_unknown_not_zero() -> None:
    f = Feeder(CARD)
    row = f.parts("alice", [part("task", 5, TASK)], [], usage=MISSING, status="timeout", used=False, error="no answer")
    assert (row.usage_status, row.cost_pusd, row.list_cost_usd, row.fee_pusd) == ("missing", None, None, None)
    assert f.ledger.shares == []
    assert row.activity == row.intent


def test_a_refused_request_is_known_to_cost_nothing() -> None:
    f = Feeder(CARD)
    row = f.parts("alice", [part("task", 5, TASK)], [], usage=NOT_BILLED, status="error", used=False)
    assert (row.usage_status, row.cost_pusd, row.fee_pusd) == ("reported", 0, 0)
    assert f.ledger.shares == []


def test_an_answer_from_the_journal_is_free_and_says_what_it_would_cost() -> None:
    f = Feeder(CARD)
    row = f.call("alice", [("task", 100, TASK)], [("answer", 10, "alice")], served_from="journal")
    assert (row.cost_pusd, row.fee_pusd, row.cost_uncached_usd) == (0, 0, 0)
    assert row.list_cost_usd == (100 * 1 + 10 * 4) / 1e6
    assert {s.cost_pusd for s in f.ledger.shares} == {0}
    assert f.scope.pusd == 0


def test_an_impossible_usage_is_kept_as_missing_and_raised() -> None:
    f = Feeder(CARD)
    with pytest.raises(AccountingError, match="more cached"):
        f.parts("alice", [part("task", 5, TASK)], [], usage=Usage(5, 1, cached_tokens=6))
    (row,) = f.ledger.calls
    assert (row.status, row.usage_status, row.used, row.cost_pusd) == ("error", "missing", False, None)
    assert row.error is not None
    assert "more cached" in row.error


def test_a_grader_s_calls_are_judge_and_are_spent_where_they_are_said_to_be() -> None:
    """In the experiment's scope (``harness.graders.judge``), never in a run's."""
    f = Feeder(CARD)
    row = f.call("grader", [("task", 100, TASK)], [("answer", 10, "grader")], judge=True)
    assert row.activity == "judge"
    assert {s.purpose_class for s in f.ledger.shares} == {"judge"}
    assert (f.scope.tokens, f.scope.calls, f.scope.pusd) == (110, 1, row.cost_pusd)


def test_rereading_self_and_cross() -> None:
    f = Feeder()
    mine, shared, news = (Part(t, TASK, Purpose.TASK) for t in ("first text", "second text", "third text"))
    f.parts("alice", [mine, shared], [])
    f.parts("bob", [shared, news], [])
    f.parts("alice", [mine, shared, news], [])

    def reread(n: int) -> dict[str, int]:
        operation = f.ledger.calls[n].operation_id
        return {s.reread: s.tokens for s in f.ledger.shares if s.operation_id == operation}

    two = count_tokens("first text")
    assert [reread(n) for n in range(3)] == [
        {"new": two + count_tokens("second text")},
        {"cross": count_tokens("second text"), "new": count_tokens("third text")},
        {"self": two + count_tokens("second text"), "cross": count_tokens("third text")},
    ]


def test_one_s_own_text_is_never_cross() -> None:
    """Bob read what alice wrote before she was sent it back: it is news to neither the communication tax nor her."""
    f = Feeder()
    written = Part("what alice wrote", "alice", Purpose.ANSWER)
    f.parts("bob", [written], [])
    f.parts("alice", [written], [])
    assert f.tokens(author="alice", reread="cross") == 0


def test_the_first_reading_of_an_order_is_new_whoever_calls_next() -> None:
    """The lead is sent its own order again before or after alice reads it: latency must not move the figure."""
    order = Part("look at the east wing", "lead", Purpose.DISPATCH)
    for first, second in (("lead", "alice"), ("alice", "lead")):
        f = Feeder()
        f.parts(first, [order], [])
        f.parts(second, [order], [])
        assert {s.reread for s in f.ledger.shares if s.direction == "prompt"} == {"new"}


def test_a_refused_request_was_not_sent_and_a_lost_one_was() -> None:
    brief = Part("a brief of some length", TASK, Purpose.TASK)
    for usage, reread in ((NOT_BILLED, "cross"), (MISSING, "self")):
        f = Feeder()
        f.parts("lead", [brief], [])
        f.parts("bob", [brief], [], usage=usage)
        f.parts("bob", [brief], [])
        assert [s.reread for s in f.ledger.shares if s.operation_id == "bob#2"] == [reread]


def test_the_same_text_in_another_encoding_is_the_same_text() -> None:
    f = Feeder()
    plain = Part('say "hi"', "lead", Purpose.DISPATCH)
    f.parts("alice", [plain], [])
    f.parts("bob", [plain.forwarded('say \\"hi\\"')], [])
    assert f.tokens(reread="cross") == f.ledger.calls[1].prompt_tokens


PARTS = st.lists(
    st.tuples(st.sampled_from([p.value for p in Purpose if p != Purpose.JUDGE]), st.integers(0, 50)), max_size=6
)


@given(
    PARTS,
    PARTS,
    st.integers(1, 5000),
    st.integers(0, 500),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from(list(Stance)),
    st.sampled_from(["provider", "journal"]),
)
def test_every_call_is_conserved(
    reads: list[tuple[str, int]],
    writes: list[tuple[str, int]],
    prompt: int,
    completion: int,
    cached: float,
    reasoning: float,
    stance: Stance,
    served_from: str,
) -> None:
    f = Feeder(CARD)
    usage = Usage(prompt, completion, int(cached * prompt), reasoning_tokens=int(reasoning * completion))
    row = f.parts(
        "alice",
        [part("scaffold", 1, ENGINE), *(part(p, n, "bob") for p, n in reads)],
        [part(p, n, "alice") for p, n in writes],
        usage=usage,
        stance=stance,
        served_from=served_from,
    )
    assert f.tokens(direction="prompt") == prompt
    assert f.tokens(direction="completion") == completion
    assert sum(s.cached_tokens for s in f.ledger.shares) == usage.cached_tokens
    assert sum(s.reasoning_tokens for s in f.ledger.shares) == usage.reasoning_tokens
    assert row.cost_pusd is not None
    assert row.fee_pusd is not None
    assert f.pusd() + row.fee_pusd == row.cost_pusd
