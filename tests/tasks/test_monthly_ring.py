"""What structured orders and the validation ring are worth on the suite, with the simulated model: what-if figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from statistics import fmean
from typing import Any

from harness.delegation.rules import Delegation
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Answering, Behaviour, Malformed, Relay
from harness.records import RunRecord
from harness.testing.runs import cell, records
from tasks.monthly_figures import MonthlyFigures
from topologies.bus import Bus

SAMPLES = 100
FEWER, POOR = 30, 0.75
FORM = ("wrong_unit", "wrong_decimals", "left_out", "not_marked")
"""Faults that the statement's rules name, so that code can check them."""
CONTENT = ("wrong_value", "invented", "overlooked")
"""Faults that only the papers can show."""


@cache
def runs(samples: int = SAMPLES, accuracy: float = Answering().accuracy, **rules: Any) -> Sequence[RunRecord]:
    """One run of each sample. The lead loses nothing as it restates a result, since nothing would check that."""
    suite = MonthlyFigures(samples=samples, pages=4)
    suite.load()
    behaviour = Behaviour(answering=Answering(accuracy), relay=Relay(drift=0), malformed=Malformed(rate=0))
    model = SimulatedModel(behaviour=behaviour)
    model.consult(suite.oracle())
    return records(cell(Bus(delegation=Delegation(**rules)), model, suite=suite))


def poor(**rules: Any) -> Sequence[RunRecord]:
    """Fewer samples and more errors."""
    return runs(FEWER, POOR, **rules)


def score(found: Sequence[RunRecord]) -> float:
    return fmean(record.run.score for record in found)


def counted(found: Sequence[RunRecord], outcomes: Sequence[str]) -> int:
    details = [event.data for record in found for event in record.events if event.type == "graded"]
    parsed = [json.loads(d) if isinstance(d, str) else d for d in details]
    assert len(parsed) == len(found)
    return sum(detail[outcome] for detail in parsed for outcome in outcomes)


def test_the_ring_mends_what_code_can_check_and_nothing_else() -> None:
    on, off = runs(), runs(validate=False)
    assert {record.run.status for record in (*on, *off)} == {"ok"}
    assert score(on) > score(off)
    assert counted(off, FORM) > 30 and counted(on, FORM) < counted(off, FORM) / 10
    assert counted(off, CONTENT) / 2 < counted(on, CONTENT) < counted(off, CONTENT) * 2


def test_results_come_back_for_what_the_statement_demands() -> None:
    errors = [json.loads(d.validation_errors) for record in runs() for d in record.delegations]
    told = [error for each in errors for error in each]
    assert any("no entry has the month" in error for error in told)
    assert any("does not match" in error for error in told)
    assert any("is none of" in error for error in told)
    assert not any(json.loads(d.validation_errors) for record in runs(validate=False) for d in record.delegations)
    assert sum(record.run.retries_validation for record in runs()) == sum(
        d.status == "returned" for record in runs() for d in record.delegations
    )


def test_feedback_that_names_the_fault_mends_more_than_a_vague_one() -> None:
    concrete, vague, none = (poor(**rules) for rules in ({}, {"feedback": "vague"}, {"validate": False}))
    assert counted(concrete, FORM) < counted(vague, FORM) < counted(none, FORM)
    assert score(concrete) > score(vague) > score(none)


def test_an_order_in_one_sentence_leaves_the_unit_open() -> None:
    """Nobody was shown the form, so now and then an entry has no unit; and there is nothing to check against."""
    plain, structured = poor(order="sentence"), poor(validate=False)
    assert score(plain) < score(structured)
    assert counted(plain, ("wrong_unit",)) > 2 * counted(structured, ("wrong_unit",))
    assert sum(record.run.retries_validation for record in plain) == 0
