"""``grader=judge``: its score, its verdicts, its failures, and that it costs the topology nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.models import Say
from support.runs import check_invariants

from harness.accounting.prices import CardPricing, PriceCard, UnpricedModel
from harness.accounting.usage import Usage
from harness.clock.protocol import Clock
from harness.clock.runner import run as run_clock
from harness.errors import ConfigError
from harness.graders.judge import Judge
from harness.limits import Limits, Scope
from harness.models.protocol import TransportError
from harness.models.simulated import SimulatedModel
from harness.records import RunRecord
from harness.run import run_sample
from harness.session import Session
from harness.suite import Grade, Sample
from harness.testing.models import faultless
from harness.testing.runs import bare, cell, faults, records
from harness.testing.toy import Toy
from harness.topology import Answer

from .court import HALF, RIGHT, WRONG, Says, asked, court, judging, verdict

ONE = Toy(samples=1)


def judged(model: Any, answer: str = RIGHT, grader: Judge | None = None, **more: Any) -> RunRecord:
    (record,) = records(cell(Says(answer), model, grader=grader or Judge(), **{"suite": ONE, **more}))
    return record


def detail(record: RunRecord) -> dict[str, Any]:
    (event,) = [e for e in record.events if e.type == "graded"]
    found: dict[str, Any] = json.loads(event.data)
    return found


# -- the score -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("said", "scale", "score"), [(0, 10, 0), (7, 10, 0.7), (10, 10, 1), (1, 1, 1), (1, 2, 0.5)])
def test_the_score_is_the_share_of_the_scale(said: int, scale: int, score: float) -> None:
    record = judged(court([verdict(said)]), grader=Judge(scale=scale))
    assert (record.run.status, record.run.score, record.run.passed) == ("ok", score, score >= 0.5)


def test_the_rule_is_run_beside_it_and_kept() -> None:
    """Half right by the rule, 8 of 10 by the judge: both pass at 0.5. The rule's own detail is there too."""
    record = judged(court([verdict(8, "mostly")]), HALF)
    assert (record.run.score, record.run.rule_score, record.run.grader) == (0.8, 0.5, "judge")
    found = detail(record)
    assert found["rule"] == {"right": 2} and found["rule_score"] == 0.5 and found["agrees"] is True
    assert found["votes"] == [{"score": 8, "reason": "mostly"}]
    assert found["rubric_hash"] == record.run.rubric_hash == Judge().rubric_hash
    assert detail(judged(court([verdict(8)]), WRONG))["agrees"] is False


def test_votes_are_independent_and_their_mean_is_the_score() -> None:
    """4, 5 and 9 of 10: 0.6 in the mean, on both sides of the threshold of 0.5."""
    model = court([verdict(4), verdict(5), verdict(9)])
    record = judged(model, grader=Judge(votes=3))
    assert record.run.score == 0.6 and detail(record)["straddles"] is True
    requests = [r for r in model.requests if judging(r)]
    assert len({r.seed for r in requests}) == 3 and len({r.messages for r in map(_hashable, requests)}) == 1
    assert [c.operation_id for c in record.calls if c.activity == "judge"] == ["grader#1", "grader#3", "grader#5"]
    assert detail(judged(court([verdict(5), verdict(9)]), grader=Judge(votes=2)))["straddles"] is False


def _hashable(request: Any) -> Any:
    return replace(request, messages=json.dumps(request.messages))


def test_a_run_without_a_judge_says_so() -> None:
    (record,) = records(cell(Says(RIGHT), faultless(), suite=ONE))
    assert (record.run.grader, record.run.rubric_hash, record.run.rule_score) == ("suite", None, None)
    assert (record.run.judge_tokens, record.run.judge_cost_usd) == (0, 0)
    assert detail(record) == {"right": 4, "score": 1.0}


def test_another_model_judges_and_is_billed_at_its_own_price() -> None:
    main, other = court([]), court([verdict(10)], name="other", pricing=CardPricing(PriceCard(input=100, output=0)))
    main.roles = {"referee": other}
    record = judged(main, grader=Judge(model="referee"))
    (call,) = [c for c in record.calls if c.activity == "judge"]
    assert (call.model, call.cost_pusd) == ("other", call.prompt_tokens * 100_000_000)
    assert record.run.judge_cost_usd == pytest.approx(call.prompt_tokens * 100e-6)
    assert json.loads(record.run.warnings) == [], "that it is no agent's role is as it should be"


# -- apart from the topology ---------------------------------------------------------------------------------------

TOTALS = (
    "status", "wall_s", "working_s", "cost_usd", "cost_pusd", "cost_complete", "cost_uncached_usd", "prompt_tokens",
    "cached_tokens", "completion_tokens", "reasoning_tokens", "work_tokens", "coordination_tokens",
    "verification_tokens", "calls", "attempts", "retries_transport", "parse_failures", "peak_prompt_tokens", "answer",
)  # fmt: skip


def test_nothing_of_it_is_the_topologys(tmp_path: Path) -> None:
    """Against the same run without it: every total and every row of the topology is the same, though the judge is
    refused, waited for, misunderstood and asked again, and has the longest prompt."""
    trouble = TransportError("slow down", kind="rate_limited", retry_after_s=30, usage=Usage(0, 0))
    model = court([Say(fault=trouble), Say("well", latency_s=50), verdict(10)])
    record = judged(model, "x" * 5000)
    (plain,) = records(cell(Says("x" * 5000), court([]), suite=ONE))
    assert [getattr(record.run, t) for t in TOTALS] == [getattr(plain.run, t) for t in TOTALS]
    mine = [c for c in record.calls if c.activity != "judge"]
    assert mine == plain.calls and plain.shares == [s for s in record.shares if s.purpose != "judge"]
    judge = [c for c in record.calls if c.activity == "judge"]
    assert [(c.status, c.operation_id, c.attempt) for c in judge] == [
        ("error", "grader#1", 1), ("ok", "grader#1", 2), ("ok", "grader#2", 1),
    ]  # fmt: skip
    assert all(c.started_s >= record.run.wall_s and c.used is (c.status == "ok") and not c.late for c in judge)
    assert record.run.judge_tokens == sum(c.prompt_tokens + c.completion_tokens for c in judge) > 5000 / 8
    assert {s.author for s in record.shares if s.purpose == "judge"} == {"engine", "task", "topology", "grader"}
    check_invariants(record)
    assert faults([record], tmp_path) == []


def test_no_limit_of_the_run_knows_of_it() -> None:
    used = judged(court([verdict(10)])).run
    limits = Limits(run_calls=1, run_tokens=used.prompt_tokens + used.completion_tokens, run_wall_s=2, run_usd=1e-3)
    record = judged(
        court([Say(verdict(3), latency_s=99), Say(verdict(3), latency_s=99)]), "y" * 999, Judge(votes=2), limits=limits
    )
    assert (record.run.status, record.run.score) == ("ok", 0.3)


def test_an_unpriced_judge_is_unknown_and_never_free(tmp_path: Path) -> None:
    main, other = court([]), court([verdict(10)], name="other", pricing=UnpricedModel())
    main.roles = {"referee": other}
    record = judged(main, grader=Judge(model="referee"))
    assert record.run.judge_cost_usd is None and record.run.judge_tokens > 0 and record.run.cost_complete
    assert faults([record], tmp_path) == []


def under(scope: Scope, model: Any, answer: str = RIGHT, grader: Judge | None = None) -> RunRecord:
    async def main(clock: Clock) -> RunRecord:
        one = cell(Says(answer), model, suite=ONE, grader=grader or Judge())
        await one.bus.open(clock)
        return await run_sample(one, "toy-0", 0, clock, scope)

    return run_clock("virtual", main)


def test_it_counts_towards_the_experiments_limits() -> None:
    scope = Scope("experiment")
    record = under(scope, court([verdict(10)]))
    assert scope.tokens == sum(c.prompt_tokens + c.completion_tokens for c in record.calls)
    assert scope.tokens > record.run.prompt_tokens + record.run.completion_tokens > 0
    assert scope.pusd == sum(c.cost_pusd or 0 for c in record.calls)


def test_a_judge_that_the_experiments_limit_cuts_off_leaves_no_score(tmp_path: Path) -> None:
    """The answer alone passes the bound: it would count without a judge; with one it has to be run again."""
    record = under(Scope("experiment", tokens=10), court([verdict(10)]))
    run = record.run
    assert (run.status, run.score, run.passed, run.rule_score) == ("error", 0, False, None)
    assert (run.error or "").startswith("grader: experiment_tokens: ")
    assert (run.limit or "").startswith("experiment_tokens: "), "by this the command knows that it is missing"
    assert faults([record], tmp_path) == []


# -- verdicts that are none ----------------------------------------------------------------------------------------

MALFORMED = {
    "": "empty",
    "7": '"reason" and "score"',
    "Score: 7": "must be one JSON value",
    '{"score": 7}': '"reason" and "score"',
    verdict(7) + " I am sure.": "more after its end",
    verdict(11): "from 0 to 10; it is 11",
    verdict(-1): "it is -1",
    verdict(7.0): "it is 7.0",
    verdict(True): "it is true",
    verdict("7"): 'it is "7"',
    verdict(None): "it is null",
    '{"reason": 1, "score": 7}': '"reason" must be a text',
    '{"reason": "", "score": 7, "more": 1}': "and nothing else",
    '{"reason": "", "score": NaN}': "NaN is no JSON value",
    verdict(7)[:-1]: "must be one JSON value",
    "[" * 3000: "nested",
}


@pytest.mark.parametrize("text", MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_no_verdict_is_asked_for_once_more_and_told_why(text: str) -> None:
    model = court([text, verdict(6)])
    record = judged(model)
    assert (record.run.status, record.run.score, record.run.parse_failures) == ("ok", 0.6, 0)
    *_, before, said, again = (m["content"] for m in model.requests[-1].messages)
    assert said == text and MALFORMED[text] in again and 'with "reason" and "score" and nothing else.' in again
    assert before == asked(model.requests[-2])
    (event,) = [e for e in record.events if e.type == "unreadable_verdict"]
    assert MALFORMED[text] in json.loads(event.data)["fault"]


def test_a_verdict_may_stand_in_a_code_fence() -> None:
    assert judged(court([f"```json\n{verdict(6)}\n```"])).run.score == 0.6


def test_two_texts_that_are_no_verdict_are_an_error_and_no_score(tmp_path: Path) -> None:
    record = judged(court(["good", "very good"]))
    run = record.run
    assert (run.status, run.error_type, run.score, run.passed) == ("error", "Unreadable", 0, False)
    assert (run.error or "").startswith("grader: no verdict that can be read from model 'acting', asked 2 times. The")
    assert run.judge_tokens > 0, "and it has been paid for"
    assert faults([record], tmp_path) == []


@pytest.mark.parametrize("votes", [1, 3])
def test_a_judge_that_fails_is_an_error_and_no_score(votes: int, tmp_path: Path) -> None:
    fault = TransportError("no such model", kind="not_found", retryable=False)
    record = judged(
        court([Say(fault=fault), *[Say(verdict(10), latency_s=9)] * (votes - 1)]), grader=Judge(votes=votes)
    )
    run = record.run
    assert (run.status, run.error_type, run.error) == ("error", "TransportError", "grader: no such model")
    assert (run.score, run.passed, run.limit) == (0, False, None)
    assert faults([record], tmp_path) == []


def test_a_judge_that_does_not_answer_is_an_error_in_the_end() -> None:
    record = judged(court(lambda _: Say(latency_s=1e6)), limits=Limits(call_timeout_s=5, transport_attempts=2))
    assert record.run.error == "grader: call_timeout_s: no answer in 5 s"
    assert [c.status for c in record.calls if c.activity == "judge"] == ["timeout"] * 2
    assert record.run.judge_cost_usd is None, "what a call without an answer has cost, nobody knows"


def test_an_answer_that_the_judges_window_does_not_hold_is_an_error_and_no_limit_of_the_run() -> None:
    record = judged(court([], window_tokens=2000), "word " * 4000)
    assert (record.run.status, record.run.limit) == ("error", None)
    assert (record.run.error or "").startswith("grader: window_tokens: ")


def test_a_rule_that_raises_is_an_error_and_no_judge_is_asked() -> None:
    class Broken(Toy):
        async def grade(self, sample: Sample, answer: str) -> Grade:
            raise KeyError("gone")

    record = judged(court([]), suite=Broken(samples=1))
    assert (record.run.status, record.run.error, record.run.judge_tokens) == ("error", "grader: 'gone'", 0)


def test_a_run_that_failed_is_not_judged() -> None:
    class Fails(Says):
        async def __call__(self, sample: Sample, session: Session) -> Answer:
            raise RuntimeError("gave up")

    (record,) = records(cell(Fails(""), court([]), suite=ONE, grader=Judge()))
    assert (record.run.status, record.run.judge_tokens, record.run.grader) == ("error", 0, "judge")


# -- the simulated model as a judge --------------------------------------------------------------------------------


@pytest.mark.parametrize(("answer", "score"), [(RIGHT, 1.0), (HALF, 0.5), (WRONG, 0.0), ("", 0.0), ("[]", 0.0)])
def test_a_faultless_judge_that_reads_the_key_says_what_the_rule_says(
    answer: str, score: float, tmp_path: Path
) -> None:
    record = judged(faultless(), answer)
    assert (record.run.score, record.run.rule_score) == (score, score)
    assert faults([record], tmp_path) == []


def test_the_same_answer_gets_the_same_verdict_whoever_gave_it_and_at_any_concurrency() -> None:
    """A judge that errs: its draws know the sample and the epoch, and no topology; and the topology's none of it."""
    suite = Toy(samples=12)

    def scores(name: str, concurrency: int) -> list[RunRecord]:
        model = SimulatedModel()
        model.consult(suite.oracle())
        one = cell(Says(WRONG), model, name=name, suite=suite, grader=Judge(votes=2))
        return records(one, concurrency=concurrency, epochs=(0, 1))

    a, b = scores("single", 1), scores("bus", 8)
    assert [r.run.score for r in a] == [r.run.score for r in b]
    assert len({r.run.score for r in a}) > 3 and [r.run.score for r in a[::2]] != [r.run.score for r in a[1::2]]
    assert list(map(bare, a)) == list(map(bare, scores("single", 8)))


# -- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"scale": 0}, "grader.scale=0: must be from 1 to 100"),
        ({"votes": 101}, "grader.votes=101: must be from 1 to 100"),
        ({"rubric": " \n"}, "grader.rubric is empty"),
        ({"rubric": "@rubric.md"}, "a rubric is text, so that it is stored with the rows"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        Judge(**settings)


def test_a_model_or_a_key_that_is_not_there() -> None:
    class Keyless:
        name = "keyless"
        key = "a setting"

    suite: Any = Keyless()
    with pytest.raises(ConfigError, match=r"grader\.model needs a stronger model"):
        Judge(model="strong").check(court([]), ONE)
    with pytest.raises(ConfigError, match=r"unknown model in grader\.model 'referee'"):
        Judge(model="referee").check(court([]), ONE)
    with pytest.raises(ConfigError, match=r"grader\.key_shown=true: task 'keyless' offers no key"):
        Judge(key_shown=True).check(court([]), suite)
    Judge().check(court([]), suite)
    assert Judge().key(suite, ONE.sample("toy-0")) is None


def test_no_agent_may_call_itself_a_grader() -> None:
    class Grades(Says):
        async def __call__(self, sample: Sample, session: Session) -> Answer:
            session.agent("grader", role="r", stance=None)  # type: ignore[arg-type]
            return Answer("")

    (record,) = records(cell(Grades(""), court([]), suite=ONE))
    assert "agent name 'grader' is taken" in (record.run.error or "")
