"""What each rule of delegation is worth: leaving it out moves the figure that docs/delegation.md names, the way that it
names, over as many seeds of the simulated model as that takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from math import sqrt
from statistics import fmean, stdev

import pytest

from harness.delegation.rules import Delegation
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Answering, Behaviour
from harness.records import RunRecord
from harness.testing.runs import cell, records
from tasks.qa_corpus import QaCorpus
from topologies.bus import Bus
from topologies.sync import Sync

BOUND = 3.29
"""Standard errors of the mean difference of pairs with the same seed: one in a thousand if nothing has changed. Every
case has enough seeds for its smallest figure to lie at 4.5 standard errors or more (measured), beyond any accident."""

Figure = Callable[[RunRecord], float]
FIGURES: Mapping[str, Figure] = {
    "score": lambda r: r.run.score,
    "tokens": lambda r: r.run.prompt_tokens + r.run.completion_tokens,
    "copied": lambda r: sum(d.copied_tokens for d in r.delegations),
    "needs_person": lambda r: sum(d.status == "needs_person" for d in r.delegations),
    "retries": lambda r: r.run.retries_validation,
}
TOPOLOGIES = {"sync": Sync, "bus": Bus}


@cache
def suite() -> QaCorpus:
    made = QaCorpus(corpus="generated", docs=4, samples=1, questions=2)
    made.load()
    return made


@cache
def model() -> SimulatedModel:
    """It errs more often than by default, so that there is something to mend."""
    made = SimulatedModel(behaviour=Behaviour(answering=Answering(accuracy=0.8)))
    made.consult(suite().oracle())
    return made


@cache
def run(topology: str, rules: Delegation, seed: int) -> RunRecord:
    made = TOPOLOGIES[topology](delegation=rules)
    (found,) = records(cell(made, model(), suite=suite(), seed=seed))
    assert found.run.status == "ok"
    return found


def runs(topology: str, rules: Delegation, seeds: int) -> list[RunRecord]:
    return [run(topology, rules, seed) for seed in range(seeds)]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize(
    ("left_out", "seeds", "moves"),
    [
        ({"order": "sentence"}, 60, {"score": -1, "copied": 1}),
        ({"context": "history"}, 60, {"tokens": 1}),
        ({"feedback": "vague"}, 200, {"score": -1, "needs_person": 1, "retries": 1}),
        ({"output_gate": False}, 200, {"copied": 1, "score": -1}),
        ({"validate": False}, 100, {"score": -1, "tokens": -1, "retries": -1}),
    ],
    ids=["one-sentence-order", "full-history", "vague-feedback", "output-gate-off", "validation-off"],
)
def test_what_is_left_out_is_missed(
    topology: str, left_out: Mapping[str, object], seeds: int, moves: Mapping[str, int]
) -> None:
    whole, less = runs(topology, Delegation(), seeds), runs(topology, replace(Delegation(), **left_out), seeds)
    for name, direction in moves.items():
        figure = FIGURES[name]
        change = [figure(b) - figure(a) for a, b in zip(whole, less, strict=True)]
        error = stdev(change) / sqrt(len(change))
        assert direction * fmean(change) > BOUND * error, (name, fmean(change), error)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_card_is_cheaper_than_the_history_for_the_same_score(topology: str) -> None:
    card, history = runs(topology, Delegation(), 100), runs(topology, Delegation(context="history"), 100)
    assert fmean(FIGURES["tokens"](r) for r in history) > 1.2 * fmean(FIGURES["tokens"](r) for r in card)
    change = [b.run.score - a.run.score for a, b in zip(card, history, strict=True)]
    assert fmean(change) <= BOUND * stdev(change) / sqrt(len(change)), "all that context buys nothing"
