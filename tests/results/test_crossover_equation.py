"""The terms of the cost equation, from calls of known sizes (COST_MODEL, section 5; seed document 004)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from run_builder import Call, Read, record

from harness.accounting.purposes import CLASS_OF, Purpose
from harness.errors import StoreError
from harness.records import RunRecord
from results.crossover import Equation, Terms, crossovers
from results.crossover.equation import PARTS, term_of
from results.frames import load


def call(agent: str, purpose: str, tokens: int, **options: Any) -> Call:
    """One call of so many tokens for one purpose: a tenth of it written, if anything."""
    return Call(agent, [Read("task", tokens - tokens // 10)], [(purpose, tokens // 10, 0)], intent=purpose, **options)


def row(topology: str, calls: list[Call], size: int, **options: Any) -> RunRecord:
    params = json.dumps({"topology": topology, "task.steps": size})
    family = "single" if topology == "single" else "team"
    return record(calls, topology=topology, cell=f"{topology}-{size}", params=params, family=family, **options)


def single(size: int) -> RunRecord:
    """So many steps of 3,000."""
    return row("single", [call("solver", "answer", 3_000) for _ in range(size)], size)


def team(size: int, steps: int) -> RunRecord:
    """A plan of 8,000, three workers with ``steps`` of 3,000 and as much talk of 1,000, merging of 10,000."""
    calls = [call("lead", "plan", 8_000)]
    for worker in ("worker1", "worker2", "worker3"):
        calls += [call(worker, purpose, n) for _ in range(steps) for purpose, n in (("answer", 3_000), ("sync", 1_000))]
    return row("crew", [*calls, call("lead", "merge", 10_000)], size)


def told(found: Any, label: str) -> Equation:
    (crossover,) = crossovers(load(found))
    (equation,) = [e for e in crossover.equations if e.choice == label]
    return equation


def at(equation: Equation, size: int) -> Terms:
    (terms,) = [t for t in equation.terms if t.size == size]
    return terms


def test_the_twenty_step_refactoring(spool: Any) -> None:
    """single 20 · 3,000 = 60,000; three agents 8,000 + 72,000 + 24,000 + 10,000 = 114,000, foretold by 5 and 10 steps
    of two and four steps a worker: 8,000 + 3·8·(3,000 + 1,000) + 10,000."""
    root = spool(*(single(n) for n in (5, 10, 20)), *(team(n, m) for n, m in ((5, 2), (10, 4), (20, 8))))
    one, crew = told(root, "single"), told(root, "crew")
    terms = at(one, 20)
    assert (terms.workers, terms.steps, terms.step, terms.total) == (1, 20, 3_000, 60_000)
    assert (terms.plan, terms.talk, terms.merge, terms.verification, terms.unknown) == (0, 0, 0, 0, 0)
    for size, steps in ((5, 2), (10, 4), (20, 8)):
        terms = at(crew, size)
        assert (terms.workers, terms.steps) == (3, steps)
        assert (terms.step, terms.plan, terms.sync, terms.merge) == (3_000, 8_000, 1_000, 10_000)
    assert (at(crew, 20).talk, at(crew, 20).total) == (24_000, 114_000)
    for equation, total in ((one, 60_000), (crew, 114_000)):
        (forecast,) = equation.forecasts
        assert (forecast.size, forecast.measured) == (20, total)
        assert forecast.constant == pytest.approx(total)
    assert crew.forecasts[0].growing == pytest.approx(18_000 + 96_000), "each term on a line of its own"


def test_what_no_constant_foretells_is_off_by_what_it_grows(spool: Any) -> None:
    """Steps of 100, 200 and 400 tokens, one each: the mean of the smaller is 150 against 400, the line
    of 100 a size meets it."""
    rows = [row(t, [call("solver", "answer", 100 * n)], n) for t in ("single", "crew") for n in (1, 2, 4)]
    (forecast,) = told(spool(*rows), "crew").forecasts
    assert (forecast.measured, forecast.constant) == (400, 150)
    assert forecast.growing == pytest.approx(400)


def test_every_purpose_of_a_call_has_its_term(spool: Any) -> None:
    """Each activity once, of 100 tokens: what the terms add up to is the run's total."""
    purposes = [p.value for p in Purpose if CLASS_OF[p] in ("work", "coordination", "verification")]
    calls = [call("a", purpose, 100) for purpose in purposes]
    root = spool(*(row(t, calls, n) for t in ("single", "crew") for n in (1, 2, 3)))
    terms = at(told(root, "crew"), 1)
    assert terms.unknown == 0 and {term_of(p) for p in purposes} == set(PARTS) - {"unknown"}
    assert terms.total == 100 * len(purposes)
    assert terms.workers and terms.steps and terms.step
    parts = terms.workers * terms.steps * terms.step + terms.plan + terms.talk + terms.merge + terms.verification
    assert parts == pytest.approx(terms.total)


def test_a_step_that_was_tried_twice_is_one_step_and_costs_both(spool: Any) -> None:
    tries = [
        call("a", "answer", 100, operation="x", attempt=1, status="error"),
        call("a", "answer", 300, operation="x", attempt=2),
        call("b", "answer", 200, operation="y"),
    ]
    terms = at(told(spool(*(row(t, tries, n) for t in ("single", "crew") for n in (1, 2, 3))), "crew"), 1)
    assert (terms.workers, terms.steps, terms.step, terms.total) == (2, 1, 300, 600)


def test_a_team_that_never_steps_has_no_step_price(spool: Any) -> None:
    rows = [row("crew", [call("lead", "plan", 100)], n) for n in (1, 2, 3)]
    equation = told(spool(*rows, *(single(n) for n in (1, 2, 3))), "crew")
    terms = at(equation, 1)
    assert (terms.steps, terms.step, terms.sync, terms.plan) == (None, None, None, 100)
    assert equation.forecasts[0].constant is None and equation.forecasts[0].growing == pytest.approx(100)


def test_the_judge_is_no_part_of_it(spool: Any) -> None:
    judged = [call("a", "answer", 100), Call("judge", [Read("judge", 500)], [("judge", 50, 0)], intent="judge")]
    terms = at(told(spool(*(row(t, judged, n) for t in ("single", "crew") for n in (1, 2, 3))), "crew"), 1)
    assert terms.total == terms.step == 100


def test_calls_that_do_not_add_up_are_refused(spool: Any) -> None:
    rows = [single(n) for n in (1, 2, 3)] + [team(n, n) for n in (1, 2, 3)]
    rows[-1].run.prompt_tokens += 1
    with pytest.raises(StoreError, match=r"cell 'crew-3'.*its calls have 54,000 tokens, its runs 54,001"):
        crossovers(load(spool(*rows)))
