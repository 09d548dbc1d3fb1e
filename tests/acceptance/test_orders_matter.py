"""What an order does not say, a worker makes up its mind about, at just the rates that conf/model/simulated.yaml gives:
each line that is taken out of the orders on their way to the model raises its own failure, and no other."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import sqrt
from typing import Any

from harness.delegation.order import IF_BLOCKED
from harness.delegation.rules import Delegation
from harness.models.protocol import Model, Request, Response
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Answering, Behaviour, Malformed, Orders
from harness.testing.models import Wrapped
from harness.testing.runs import cell, records
from tasks.qa_corpus import QaCorpus
from topologies.sync import Sync

BOUND = 3.29
"""Standard errors of a share: one in a thousand if the model does what it says. The seeds are fixed."""
SCHEMA_LINE = re.compile(r"^Output schema: .*\n", re.M)
FORM_LINES = re.compile(r"^Output schema: .*\n(?:Acceptance criteria:\n(?:- .*\n)*)?", re.M)
BLOCKED_LINE = re.compile(rf"^{re.escape(IF_BLOCKED)}$", re.M)
HABITS = Orders()


class Without(Wrapped):
    """Sends every request on without what a pattern matches in its messages."""

    def __init__(self, model: SimulatedModel, line: re.Pattern[str] | None) -> None:
        super().__init__(model)
        self._line = line

    async def answer(self, model: Model, request: Request) -> Response:
        if self._line is None:
            return await super().answer(model, request)
        cut = [
            {**m, "content": self._line.sub("", m["content"])} if isinstance(m["content"], str) else m
            for m in request.messages
        ]
        return await super().answer(model, replace(request, messages=tuple(cut)))


@cache
def suite() -> QaCorpus:
    made = QaCorpus(corpus="generated", docs=6, samples=1, questions=2)
    made.load()
    return made


@cache
def products(line: re.Pattern[str] | None) -> Sequence[Sequence[dict[str, Any]]]:
    """What each worker of 200 runs handed in."""
    model = SimulatedModel(behaviour=Behaviour(answering=Answering(accuracy=1, spread=0), malformed=Malformed(rate=0)))
    model.consult(suite().oracle())
    topology = Sync(delegation=Delegation(validate=False))
    found = [
        d.raw_output
        for seed in range(200)
        for r in records(cell(topology, Without(model, line), suite=suite(), seed=seed))
        for d in r.delegations
    ]
    assert len(found) == 400, "six documents, three to a part"
    return [json.loads(text) for text in found]


def loose(product: Sequence[dict[str, Any]]) -> bool:
    return not any("clause_ref" in entry for entry in product)


def entries(line: re.Pattern[str] | None) -> list[dict[str, Any]]:
    return [entry for product in products(line) for entry in product]


def assert_share(hits: int, of: int, declared: float) -> None:
    assert abs(hits / of - declared) <= BOUND * sqrt(declared * (1 - declared) / of), (hits / of, declared)


def made_up(line: re.Pattern[str] | None) -> tuple[int, int]:
    """(entries for questions of the documents that a worker was not given, such questions)."""
    asked = len(suite().sample(suite().sample_ids()[0]).statement.split("Questions:\n")[1].split("\n\n")[0].split("\n"))
    extra = sum(len({e["question"] for e in product}) for product in products(line)) - 200 * asked
    return extra, 200 * asked  # each question belongs to the documents of one of the two workers


def test_a_whole_order_leaves_nothing_open() -> None:
    assert not any(map(loose, products(None)))
    assert not any("source" in e for e in entries(None))
    extra, asked = made_up(None)
    assert_share(extra, asked, Answering().guess)


def test_without_schema_and_criteria_entries_lack_fields() -> None:
    assert_share(sum(map(loose, products(FORM_LINES))), len(products(FORM_LINES)), HABITS.loose)


def test_without_the_schema_entries_carry_their_source() -> None:
    assert not any(map(loose, products(SCHEMA_LINE))), "the criteria still name the fields"
    real = [e for e in entries(SCHEMA_LINE) if e.get("answer") is not None]
    copied = sum("source" in e for e in real)
    assert_share(copied, len(real), HABITS.copy)
    texts = [e["source"] for e in real if "source" in e]
    assert all(0 < len(text) <= 600 for text in texts)
    extra, asked = made_up(SCHEMA_LINE)
    assert_share(extra, asked, Answering().guess)


def test_without_the_sentence_on_blockers_the_task_is_widened() -> None:
    extra, asked = made_up(BLOCKED_LINE)
    assert_share(extra, asked, Answering().guess + HABITS.widen)
    assert not any(map(loose, products(BLOCKED_LINE))) and not any("source" in e for e in entries(BLOCKED_LINE))
