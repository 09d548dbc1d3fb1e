"""Simulated rows are the same, or they are not: every column of every run, to the last bit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import numpy as np

from results.columns import Columns
from results.gate.declared import COMPARED, PRINTS
from results.gate.pairing import Pair
from results.gate.report import Difference, Judgement, Value, Verdict, first
from results.gate.rules import SAME_ROWS, Rule, Rules


def differences(pair: Pair, rules: Rules) -> tuple[list[Difference], Counter[str]]:
    """In the order of runs and columns, of the runs that can be compared; and of each exempt column, in how many runs
    it differs. The fingerprints of a table that differ in a run are one difference."""
    if pair.candidate is None:
        return [], Counter()
    covering = [rule for rule in rules.rules if rule.covers(pair.base)]
    before, after = pair.base.choose(pair.runs), pair.candidate.choose(pair.runs)
    hidden: Counter[str] = Counter()
    found: dict[int, list[Difference]] = {}
    prints: dict[int, dict[str, list[str]]] = {}
    for column in COMPARED:
        old, new = _values(before, column), _values(after, column)
        if old == new:
            continue
        at = [i for i, (one, other) in enumerate(zip(old, new, strict=True)) if one != other]
        names = tuple(r.name for r in covering if column in r.judged.columns)
        for i in at:
            if column in rules.exempt:
                hidden[column] += 1
            elif column in PRINTS:
                table, _, part = column.partition(".")
                prints.setdefault(i, {}).setdefault(table, []).append(part)
            else:
                one = Difference(pair.base.key, *pair.runs[i], column, old[i], new[i], names)
                found.setdefault(i, []).append(one)
    for i, tables in prints.items():
        for table, parts in tables.items():
            one = Difference(pair.base.key, *pair.runs[i], table, None, None, (), tuple(parts))
            found.setdefault(i, []).append(one)
    return [d for i in sorted(found) for d in found[i]], hidden


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
