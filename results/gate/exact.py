"""Simulated rows are the same, or they are not: every column of every run, to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import numpy as np

from results.columns import Columns
from results.gate.pairing import Pair
from results.gate.report import Difference, Judgement, Value, Verdict, first
from results.gate.rows import COMPARED
from results.gate.rules import SAME_ROWS, Rule, Rules


def differences(pair: Pair, rules: Rules) -> list[Difference]:
    """In the order of runs and columns, of the runs that can be compared."""
    if pair.candidate is None:
        return []
    covering = [rule for rule in rules.rules if rule.covers(pair.base)]
    before, after = pair.base.choose(pair.runs), pair.candidate.choose(pair.runs)
    columns = [c for c in COMPARED if c not in rules.exempt]
    old, new = ({c: _values(side, c) for c in columns} for side in (before, after))
    return [
        Difference(
            pair.base.key,
            sample,
            epoch,
            column,
            old[column][i],
            new[column][i],
            tuple(r.name for r in covering if column in r.judged.columns),
        )
        for i, (sample, epoch) in enumerate(pair.runs)
        for column in columns
        if old[column][i] != new[column][i]
    ]


def judged(pair: Pair, found: list[Difference], rules: Rules) -> Iterator[Judgement]:
    """All columns together, then each rule that covers the cell: its name for what differs."""
    yield _judgement(pair, SAME_ROWS, found)
    for rule in rules.rules:
        if rule.covers(pair.base):
            if rules.exempt.issuperset(rule.judged.columns):
                says = f"every column of {rule.metric} is exempt, so that it judges nothing"
                yield Judgement(rule.name, pair.base.key, True, Verdict.UNKNOWN, says)
            else:
                yield _judgement(pair, rule.name, _of(rule, found))


def _of(rule: Rule, found: list[Difference]) -> list[Difference]:
    return [d for d in found if rule.name in d.rules]


def _judgement(pair: Pair, rule: str, found: list[Difference]) -> Judgement:
    if found:
        runs = [
            f"sample '{sample}' (epoch {epoch}): {', '.join(d.change for d in some)}"
            for (sample, epoch), some in groupby(found, lambda d: (d.sample, d.epoch))
        ]
        says = f"{len(runs):,} of {len(pair.runs):,} runs differ: {first(runs)}"
        return Judgement(rule, pair.base.key, True, Verdict.FAIL, says)
    if pair.problems:
        return Judgement(rule, pair.base.key, True, Verdict.UNKNOWN, "; ".join(pair.problems))
    return Judgement(rule, pair.base.key, True, Verdict.PASS)


def _values(rows: Columns, name: str) -> list[Value]:
    """None for what is unknown, so that unknown equals unknown and nothing else."""
    values: list[Any] = rows.columns[name].tolist()
    if f"{name}_unknown" in rows.columns:
        unknown = rows.numbers(f"{name}_unknown").tolist()
        return [None if u else v for v, u in zip(values, unknown, strict=True)]
    column = rows.columns[name]
    if isinstance(column, np.ndarray) and column.dtype.kind == "f":
        return [None if v != v else v for v in values]
    return values
