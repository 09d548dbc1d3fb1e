"""The fourth question: what is lost without a brief, on samples that need it and on samples that need none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from grown import judged, with_settings
from hypothesis import given
from hypothesis import strategies as st
from worlds import One, world

from harness.records import RunRecord
from results.verdict.tree.between import between
from results.verdict.tree.question import Answer, Outcome, Question

KINDS = ["clerk"] * 10 + ["untagged"] * 10 + ["mixed"] * 4
TAGS = {"clerk": ["tagged", "clerk"], "untagged": ["untagged", "general"], "mixed": ["mixed", "clerk", "general"]}
FULL = dict.fromkeys(TAGS, 1.0)
KNOWS = {"clerk": 0.0, "untagged": 1.0, "mixed": 0.8}
"""What a team scores without a brief that states the rules."""
PERSONA = dict.fromkeys(TAGS, 0.5)
"""And without one that states nothing: all is as much worse."""


def store(
    ablated: dict[str, float] = KNOWS, *, single: float = 0.5, role: str = "clerk", **more: Any
) -> list[RunRecord]:
    made = world({"single": [One(single)] * len(KINDS), "resample": [One(single, tokens=3000)] * len(KINDS)}, **more)
    made += with_settings(_cell(FULL), {"topology.ablate": None}, **more)
    made += with_settings(_cell(ablated), {"topology.ablate": role}, ablate=role, **more)
    for one in made:
        one.run.tags = json.dumps(TAGS[KINDS[int(one.run.sample_id[1:])]])
    return made


def _cell(by_kind: dict[str, float]) -> dict[str, list[One]]:
    return {"experts": [One(by_kind[kind], tokens=5000) for kind in KINDS]}


def asked(records: list[RunRecord]) -> Question:
    (worth,) = judged(records).worths
    return worth.tree.questions[3]


def test_a_brief_that_states_rules_is_worth_an_expert() -> None:
    """1 is lost on the ten samples that need it, 0 on the ten that need none; the four mixed ones are in neither."""
    (worth,) = judged(store()).worths
    found = worth.tree.questions[3]
    lost, gained = (f.found for f in found.figures)
    assert found.answer is Answer.YES
    assert (lost.value, lost.one, lost.other, lost.clusters) == (1.0, 1.0, 0.0, (10, 10))  # type: ignore[union-attr]
    assert (gained.value, gained.samples) == (0.5, 24)  # type: ignore[union-attr]
    assert worth.tree.leaf == "single+experts"
    assert [p.outcome for p in found.predictions] == [Outcome.HELD], "and at equal money as well"
    assert "without clerk +1.000 on its samples" in found.why


def test_what_is_lost_everywhere_is_no_expertise() -> None:
    found = asked(store(PERSONA))
    assert (found.answer, found.figures[0].found.value) == (Answer.NO, 0.0)  # type: ignore[union-attr]


def test_a_team_that_is_no_better_than_one_agent_with_all_briefs_is_none_either() -> None:
    assert asked(store(single=1.0)).answer is Answer.NO


def test_simulated_means_decide() -> None:
    found = asked(store(simulated=True))
    assert (found.answer, "by the means" in found.why) == (Answer.YES, True)
    assert found.figures[0].found.interval is None  # type: ignore[union-attr]


def test_five_samples_that_need_it_are_too_few() -> None:
    made = [m for m in store() if not 5 <= int(m.run.sample_id[1:]) < 10]
    found = asked(made)
    assert (found.answer, "fewer than 6 clusters of samples of either kind" in found.why) == (Answer.UNCLEAR, True)


@pytest.mark.parametrize("role", ["messages", "nobody"])
def test_what_is_not_a_role_of_the_samples_is_not_asked(role: str) -> None:
    found = asked(store(role=role))
    assert (found.answer, "python -m harness task=qa" in found.why) == (Answer.NOT_ASKED, True)


def test_a_suite_has_to_say_which_samples_need_no_field() -> None:
    made = store()
    for one in made:
        one.run.tags = '["clerk"]'
    found = asked(made)
    assert (found.answer, "no sample is tagged `untagged`" in found.why) == (Answer.NOT_ASKED, True)


def test_a_team_that_differs_in_more_than_its_brief_is_not_compared() -> None:
    made = [m for m in store() if not m.run.ablate]
    made += with_settings(_cell(KNOWS), {"topology.ablate": "clerk", "topology.rounds": 3}, ablate="clerk")
    for one in made:
        one.run.tags = json.dumps(TAGS[KINDS[int(one.run.sample_id[1:])]])
    assert asked(made).answer is Answer.NOT_ASKED


def test_welch_by_hand() -> None:
    """Ten ones and ten zeros, ±1 added to each: s² = 1/3 and 2/11 over 12 values, so the standard error is
    √(1/36 + 1/66) = 0.2072, the centre 10/12, and the degrees of freedom (1/36 + 1/66)² / ((1/36)² + (1/66)²) × 9."""
    found = between([1.0] * 10, [0.0] * 10, samples=(10, 10), simulated=False)
    assert found is not None and found.se is not None
    a, b = 1 / 36, 1 / 66
    assert (found.value, found.centre) == (1.0, pytest.approx(10 / 12))
    assert found.se**2 == pytest.approx(a + b)
    assert found.df == pytest.approx(9 * (a + b) ** 2 / (a**2 + b**2))
    interval = found.interval
    assert interval is not None
    assert interval.low + interval.high == pytest.approx(2 * found.centre)
    assert found.p_above(interval.low) == pytest.approx(0.025)


SCORES = st.lists(st.floats(-1, 1), min_size=6, max_size=20)


@given(SCORES, SCORES)
def test_the_other_way_round_it_is_the_same_difference_with_its_sign_turned(
    one: list[float], other: list[float]
) -> None:
    sizes = len(one), len(other)
    there = between(one, other, samples=sizes, simulated=False)
    back = between(other, one, samples=sizes[::-1], simulated=False)
    assert there is not None and back is not None
    assert there.value == pytest.approx(-back.value)
    assert there.interval is not None and back.interval is not None
    assert there.interval.low == pytest.approx(-back.interval.high)
