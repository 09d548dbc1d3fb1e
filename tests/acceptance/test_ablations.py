"""What each rule of delegation is worth: leaving it out moves the figure that docs/delegation.md names, the way that it
names, over 200 seeds of the simulated model."""

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

SEEDS = range(200)
BOUND = 3.29
"""Standard errors of the mean difference of pairs with the same seed: one in a thousand if nothing has changed."""

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
def runs(topology: str, rules: Delegation) -> list[RunRecord]:
    """One run a seed. The model errs more often than by default, so that there is something to mend."""
    model = SimulatedModel(behaviour=Behaviour(answering=Answering(accuracy=0.8)))
    model.consult(suite().oracle())
    made = TOPOLOGIES[topology](delegation=rules)
    found = [r for seed in SEEDS for r in records(cell(made, model, suite=suite(), seed=seed))]
    assert all(r.run.status == "ok" for r in found)
    return found


@pytest.mark.timeout(300)
@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize(
    ("left_out", "moves"),
    [
        ({"order": "sentence"}, {"score": -1, "copied": 1}),
        ({"context": "history"}, {"tokens": 1}),
        ({"feedback": "vague"}, {"score": -1, "needs_person": 1, "retries": 1}),
        ({"output_gate": False}, {"copied": 1, "score": -1}),
        ({"validate": False}, {"score": -1, "tokens": -1, "retries": -1}),
    ],
    ids=["one-sentence-order", "full-history", "vague-feedback", "output-gate-off", "validation-off"],
)
def test_what_is_left_out_is_missed(topology: str, left_out: Mapping[str, object], moves: Mapping[str, int]) -> None:
    whole, less = runs(topology, Delegation()), runs(topology, replace(Delegation(), **left_out))
    for name, direction in moves.items():
        figure = FIGURES[name]
        change = [figure(b) - figure(a) for a, b in zip(whole, less, strict=True)]
        error = stdev(change) / sqrt(len(change))
        assert direction * fmean(change) > BOUND * error, (name, fmean(change), error)


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_card_is_cheaper_than_the_history_for_the_same_score(topology: str) -> None:
    card, history = runs(topology, Delegation()), runs(topology, Delegation(context="history"))
    assert fmean(FIGURES["tokens"](r) for r in history) > 1.2 * fmean(FIGURES["tokens"](r) for r in card)
    change = [b.run.score - a.run.score for a, b in zip(card, history, strict=True)]
    assert fmean(change) <= BOUND * stdev(change) / sqrt(len(change)), "all that context buys nothing"
