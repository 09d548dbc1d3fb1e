"""What an expert team is there for: briefs that only one of its members has, and decisions that travel by message."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import pytest

from harness.accounting.purposes import Purpose
from harness.blocks import blocks_in
from harness.cell import Cell
from harness.graders.grader import Graded
from harness.models.protocol import Model
from harness.models.simulated import SimulatedModel
from harness.records import RunRecord
from harness.session import Session
from harness.suite import Sample, Suite
from harness.testing.models import faultless
from harness.testing.runs import cell, records
from tasks.qa_corpus import QaCorpus
from tasks.refactor import Refactor
from tasks.specialists import Specialists
from tasks.specialists.briefs import NAMES
from topologies.expert import ExpertTeam

IDS = [f"specialists-s0-{n:02d}" for n in (0, 1, 2, 3, 5, 7)]
"""One sample of each trade, one that needs none, and one that needs all (tasks/specialists/material.py)."""


def ran(team: ExpertTeam, suite: Suite, model: SimulatedModel) -> list[RunRecord]:
    suite.load()
    model.consult(suite.oracle())
    found = records(cell(team, model, name="expert", suite=suite), concurrency=4)
    assert {r.run.status for r in found} == {"ok"}
    return found


def scores(ablate: str | None) -> dict[str, float]:
    """Score of each kind of sample: by the trade that it needs, or its own word."""
    found = ran(ExpertTeam(ablate=ablate), Specialists(only=IDS), faultless())
    return {_kind(r): r.run.score for r in found}


def _kind(record: RunRecord) -> str:
    kind, *trades = (word.strip('" []') for word in record.run.tags.split(","))
    return trades[0] if kind == "tagged" else kind


@pytest.mark.parametrize("role", [None, *NAMES])
def test_without_one_brief_just_what_needs_it_is_lost(role: str | None) -> None:
    """Without its own rules an expert knows none of the answers, and says so: of a mixed sample a fifth is lost, of
    whatever needs another expert or none nothing."""
    whole = {**dict.fromkeys(NAMES, 1.0), "untagged": 1.0, "mixed": 1.0}
    assert scores(role) == (whole if role is None else {**whole, role: 0.0, "mixed": 0.8})


def refactored(*, messages: bool) -> list[RunRecord]:
    """By a model that makes no mistakes, whose planner decides nothing and whose experts tell each other everything."""
    model = faultless()
    planning = replace(model.behaviour.planning, decides=0)
    model.behaviour = replace(model.behaviour, planning=planning)
    return [r for seed in range(3) for r in ran(ExpertTeam(messages=messages), Refactor(seed=seed, samples=2), model)]


def test_agreed_names_travel_by_message_and_without_messages_the_seams_break() -> None:
    talking, silent = refactored(messages=True), refactored(messages=False)
    assert {r.run.score for r in talking} == {1.0}
    for record in talking:
        told = {m.content.partition(": ")[2] for m in record.messages if m.type == "progress" and m.delivery == "read"}
        agreed = [text for text in told if "contract: " in text]
        assert agreed and any(text.partition("contract: ")[2] in record.run.answer for text in agreed)
    assert all(not r.messages for r in silent)
    assert sum(r.run.score for r in silent) < len(silent), "nobody has told anybody"
    assert min(r.run.score for r in silent) < 1.0


def test_files_are_merged_by_code_and_no_model_writes_them_twice() -> None:
    """The planner orders files as files, so its own call is the plan and nothing else: every file of the answer is as
    the expert wrote it, and costs its tokens once."""
    (record,) = ran(ExpertTeam(), Refactor(samples=1), faultless())
    assert record.run.score == 1.0
    assert [call.intent for call in record.calls if call.role == "planner"] == [Purpose.PLAN]


@dataclass(frozen=True)
class Fits:
    """Scores 1 if all files were written under one and the same decision, by comparing them with what the suite would
    write itself: what the hidden tests come to for files without other errors, without running any."""

    rubric_hash: str | None = None
    models: tuple[str, ...] = ()

    def check(self, model: Model, suite: Suite, /) -> None:
        """Nothing to check."""

    async def grade(self, cell: Cell, sample: Sample, session: Session, answer: str, /) -> Graded:
        assert isinstance(cell.suite, Refactor)
        project = cell.suite.problem(sample.id)
        given = {name: text.strip() for name, text in blocks_in(answer)}
        whole = [{file: text.strip() for file, text in project.new(d).items()} for d in project.decisions]
        return Graded(float(given in whole))


def fitting(*, messages: bool, seeds: Collection[int]) -> float:
    """Share of the shipped model's answers in which all files fit together."""
    suite, model = Refactor(samples=1), SimulatedModel()
    suite.load()
    model.consult(suite.oracle())
    team = ExpertTeam(messages=messages)
    found = [r for seed in seeds for r in records(cell(team, model, suite=suite, seed=seed, grader=Fits()))]
    return sum(r.run.score for r in found) / len(found)


def test_of_the_shipped_models_answers_more_fit_together_where_experts_talk() -> None:
    """20 seeds of one sample. Over 200 seeds of two, graded by the hidden tests, talk is worth 0.35 of the score with a
    standard error of 0.02 (tasks/refactor/README.md). Here the error is about 0.1, and the direction is three away."""
    assert fitting(messages=True, seeds=range(20)) > fitting(messages=False, seeds=range(20))


def test_right_answers_pass_the_checks_of_a_plan() -> None:
    """By rules alone: an answer need not be a quotation to be right."""
    found = ran(ExpertTeam(evaluator="simple"), QaCorpus(limit=1), faultless())
    assert [(r.run.score, r.run.revisions, r.run.escalations) for r in found] == [(1.0, 0, 0)]
