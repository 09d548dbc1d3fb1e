"""Trees of stores that are made by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from held import held
from worlds import One, world

from harness.records import EventRow, RunRecord
from results.verdict.prices import Prices
from results.verdict.roi import Roi, roi
from results.verdict.tree.question import Prediction, Question
from results.verdict.tree.tree import Tree

MANY = 80
"""Clusters on which even ties are sure: 80 zeros and ±1 have a 95 % interval of 0 ± 0.035 (by hand: s² = 2/81)."""


def judged(records: Iterable[RunRecord], **prices: Any) -> Roi:
    return roi(held(records), None, Prices(**prices))


def tree(records: Iterable[RunRecord], **prices: Any) -> Tree:
    """Of a store with one scenario."""
    (worth,) = judged(records, **prices).worths
    return worth.tree


def question(number: int, records: Iterable[RunRecord], **prices: Any) -> Question:
    return tree(records, **prices).questions[number - 1]


def predicted(asked: Question, words: str) -> Prediction:
    """The one prediction that has these words in it."""
    (found,) = (p for p in asked.predictions if words in p.says)
    return found


def family(scores: Sequence[float], **more: Any) -> dict[str, list[One]]:
    """`single`, and another of its family that is as good for more."""
    return {"single": [One(s) for s in scores], "resample": [One(s, tokens=3000) for s in scores], **more}


def changed(records: Sequence[RunRecord], **columns: Sequence[Any]) -> list[RunRecord]:
    """Columns of the run rows, one value for each sample number (s000, …)."""
    for made in records:
        for name, values in columns.items():
            setattr(made.run, name, values[int(made.run.sample_id[1:])])
    return list(records)


def with_settings(cells: Mapping[str, Sequence[One]], settings: Mapping[str, Any], **more: Any) -> list[RunRecord]:
    """Cells with these settings in ``params`` beside their topology; ``ablate`` and others as run fields."""
    made = []
    for name, outcomes in cells.items():
        params = json.dumps({"topology": name, **settings})
        cell = f"{name}-{json.dumps(settings)}"
        made += world({name: outcomes}, params=params, **{"cell": cell, **more})
    return made


def with_event(made: RunRecord, kind: str, at_s: float, data: Any = None, agent: str = "agent") -> None:
    number = len(made.events)
    made.events.append(EventRow(made.run.run_id, number, at_s, kind, agent, json.dumps(data or {})))
