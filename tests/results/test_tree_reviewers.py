"""The third question: somebody else's review against one's own, on the same frozen drafts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from grown import judged, with_event, with_settings
from worlds import TOKEN_USD, One

from harness.records import RunRecord
from results.verdict.roi import Worth
from results.verdict.tree.question import Answer, Outcome, Question

N = 24
DEFECTS = 4
OWN, OTHER = 0.25, 0.75
"""Of 4 defects the author finds one and somebody else three, and neither takes a clean draft for defective."""


def cells(
    setting: str, single: One, *, caught: int | None, extra: Mapping[str, One] | None = None, **more: Any
) -> list[RunRecord]:
    """``caught``: of the defects of each sample, in the ``graded`` event; None: rows without counts."""
    outcomes = {"single": [single] * N, **{name: [one] * N for name, one in (extra or {}).items()}}
    made = with_settings(outcomes, {"task.reviewer": setting}, **{"task": "review", **more})
    for one in made:
        if caught is not None and one.run.status == "ok":
            with_event(one, "graded", 9.0, {"caught": caught, "defective": DEFECTS, "score": one.run.score})
    return made


TEAM = {"resample": One(OWN, tokens=3000), "bus": One(OWN, tokens=5000)}


def store(
    fresh: One | None = None, *, team: Mapping[str, One] = TEAM, counted: bool = True, **more: Any
) -> list[RunRecord]:
    mine = cells("self", One(OWN), caught=1 if counted else None, extra=team, **more)
    other = cells("fresh", fresh or One(OTHER), caught=3 if counted else None, **more)
    return mine + other


def asked(records: list[RunRecord], **prices: Any) -> Question:
    return worth(records, **prices).tree.questions[2]


def worth(records: list[RunRecord], **prices: Any) -> Worth:
    """The scenario of the self-review: the only one with a team in it."""
    (found,) = judged(records, **prices).worths
    return found


def named(found: Question, name: str) -> Any:
    return next(f.found for f in found.figures if f.name == name)


def test_who_finds_more_for_no_more_money_is_worth_adding() -> None:
    found = worth(store())
    third = found.tree.questions[2]
    assert third.answer is Answer.YES
    assert named(third, "ΔJ against self").value == OTHER - OWN
    assert named(third, "fewer defects escape").value == 2.0
    assert found.tree.leaf == "single+reviewer"
    assert found.tree.team is True


DEARER = One(OTHER, tokens=1040)
"""40 tokens more for two defects fewer: 20 tokens a defect."""
AT = 20 * TOKEN_USD


@pytest.mark.parametrize(("price", "answer"), [(0.0, Answer.UNCLEAR), (AT * 0.99, Answer.NO), (AT * 1.01, Answer.YES)])
def test_for_more_money_the_price_of_a_defect_decides(price: float, answer: Answer) -> None:
    found = asked(store(DEARER), escape_usd=price)
    assert found.answer is answer
    assert "pays from USD 0.00006000 an escaped defect on" in found.why


def test_costs_that_differ_by_caching_alone_decide_nothing() -> None:
    mine, other = cells("self", One(OWN), caught=1, extra=TEAM), cells("fresh", One(OTHER), caught=3)
    for one in other:
        one.run.cost_uncached_usd = 1.0
    found = asked(mine + other, escape_usd=0.1)
    assert found.answer is Answer.UNCLEAR
    assert found.why.startswith("`fresh`: billed: ")


@pytest.mark.parametrize(("tokens", "equal"), [(1050, True), (1051, False), (950, True), (949, False)])
def test_equal_tokens_are_five_percent_apart_at_most(tokens: int, equal: bool) -> None:
    found = asked(store(One(OTHER, tokens=tokens)), escape_usd=1.0)
    assert found.answer is (Answer.YES if equal else Answer.UNCLEAR)
    assert ("not at equal tokens" in found.why) is not equal


def test_who_finds_no_more_is_not_worth_adding() -> None:
    found = asked(store(One(OWN)), escape_usd=1.0)
    assert (found.answer, found.predictions) == (Answer.NO, ())


@pytest.mark.parametrize(("score", "answer"), [(0.05, Answer.NO), (0.0625, Answer.YES)])
def test_simulated_means_decide_above_five_hundredths(score: float, answer: Answer) -> None:
    mine = cells("self", One(0.0), caught=0, extra=TEAM, simulated=True)
    found = asked(mine + cells("fresh", One(score), caught=1, simulated=True))
    assert found.answer is answer
    assert {f.found.found for f in found.figures} == {None}  # type: ignore[union-attr]


def test_five_groups_of_drafts_are_too_few() -> None:
    found = asked(store(cluster=lambda i: f"group{i % 5}"))
    assert (found.answer, "5 clusters of samples: too few" in found.why) == (Answer.UNCLEAR, True)


def test_rows_without_counts_are_read_by_the_score() -> None:
    """1 − J is 0.75 and 0.25 of a sample's defects at most."""
    found = asked(store(counted=False))
    assert named(found, "fewer defects escape").value == OTHER - OWN
    assert "the rows do not count defects" in found.why


def test_what_a_failed_review_does_not_look_at_escapes() -> None:
    """All four of every fourth sample: 18 samples at 4 − 3 and 6 at 4, against 3: 3 − 1.75 fewer."""
    made = store()
    for one in made:
        if "fresh" in one.run.params and int(one.run.sample_id[1:]) % 4 == 0:
            one.run.status, one.run.score, one.events = "failed", 0.0, []
    assert named(asked(made), "fewer defects escape").value == pytest.approx(3 - 1.75)


def test_a_judge_keeps_the_counts_of_the_rule() -> None:
    made = store(counted=False)
    for one in made:
        caught = 3 if "fresh" in one.run.params else 1
        with_event(one, "graded", 9.0, {"votes": [], "rule": {"caught": caught, "defective": DEFECTS}})
    assert named(asked(made), "fewer defects escape").value == 2.0


def test_one_of_two_reviewers_is_enough() -> None:
    made = store(One(OWN)) + cells("other_model", One(OTHER), caught=3)
    found = asked(made)
    assert found.answer is Answer.YES
    assert "`fresh`: ΔJ is not shown" in found.why


def test_only_the_same_drafts_are_compared() -> None:
    """Half of the fresh reviews are of other material."""
    made = store()
    for one in made:
        if "fresh" in one.run.params and int(one.run.sample_id[1:]) < N // 2:
            one.run.material_hash = "other"
    assert named(asked(made), "ΔJ against self").samples == N // 2


def test_another_setting_that_differs_too_is_no_comparison() -> None:
    made = cells("self", One(OWN), caught=1, extra=TEAM)
    made += with_settings({"single": [One(OTHER)] * N}, {"task.reviewer": "fresh", "task.drafts": 16}, task="review")
    found = asked(made)
    assert (found.answer, "task.reviewer=self,fresh" in found.why) == (Answer.NOT_ASKED, True)


def test_a_team_on_ones_own_drafts_holds_the_prediction() -> None:
    found = asked(store(team={**TEAM, "bus": One(OTHER, tokens=5000)}))
    (prediction,) = found.predictions
    assert "(task.reviewer=self), some team beats" in prediction.says
    assert prediction.outcome is Outcome.HELD


def test_a_team_that_is_no_better_does_not() -> None:
    assert [p.outcome for p in asked(store()).predictions] == [Outcome.UNCLEAR], "24 ties are within 0.05 or not"


def test_a_team_that_is_worse_refutes_it() -> None:
    found = asked(store(team={**TEAM, "bus": One(0.0, tokens=5000)}))
    assert [p.outcome for p in found.predictions] == [Outcome.REFUTED]


def test_the_answer_is_the_same_for_every_reviewer_of_the_suite() -> None:
    """Teams that ran with somebody else's drafts are asked the same question, and it is checked on one's own."""
    made = cells("self", One(OWN), caught=1) + cells("fresh", One(OTHER), caught=3, extra=TEAM)
    third = worth(made).tree.questions[2]
    assert third.answer is Answer.YES
    assert [p.outcome for p in third.predictions] == [Outcome.UNCLEAR]
    assert "no team ran there: run `python -m harness" in third.predictions[0].why
