"""The state machine of an expert team against a table that was written down by hand, not taken from it."""

from __future__ import annotations

import random

import pytest

from harness.expert.state import ENDS, IllegalTransition, Machine, State

LEGAL = """
IDLE       PLANNING PLAN_READY
PLANNING   PLAN_READY FAILED
PLAN_READY GENERATING
GENERATING EVALUATING ESCALATING
EVALUATING GENERATING PLANNING ESCALATING COMPLETED DEGRADED FAILED
ESCALATING GENERATING COMPLETED DEGRADED FAILED
COMPLETED
DEGRADED
FAILED
"""
TABLE = {words[0]: set(words[1:]) for words in map(str.split, LEGAL.strip().splitlines())}


def test_there_are_nine_states() -> None:
    assert set(TABLE) == {str(s) for s in State} and len(TABLE) == 9
    assert {str(s) for s in ENDS} == {name for name, ways in TABLE.items() if not ways}


def test_ten_thousand_random_sequences_are_accepted_exactly_where_they_are_legal() -> None:
    chance, states = random.Random(6), list(State)
    accepted = refused = 0
    for _ in range(10_000):
        machine, at = Machine(), "IDLE"
        for _ in range(chance.randint(1, 12)):
            to = (
                State(chance.choice(sorted(TABLE[at])))
                if TABLE[at] and chance.random() < 0.7
                else chance.choice(states)
            )
            if str(to) in TABLE[at]:
                machine.to(to)
                at = str(to)
                accepted += 1
            else:
                with pytest.raises(IllegalTransition):
                    machine.to(to)
                refused += 1
            assert str(machine.state) == at, "an illegal event changes nothing"
    assert accepted > 10_000 and refused > 10_000


def test_an_illegal_transition_says_where_from_where_to_and_what_is_legal() -> None:
    with pytest.raises(IllegalTransition, match="from IDLE to GENERATING; after it comes PLANNING, PLAN_READY"):
        Machine().to(State.GENERATING)
