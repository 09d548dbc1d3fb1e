"""Repetitions that have names, as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.errors import CorpusError
from results.exchange.reading import Told
from results.labels import place


def epochs(told: Sequence[Told]) -> Mapping[str, int]:
    """Name → number: whole numbers are taken as they are, other names are numbered in natural order (``run2`` before
    ``run10``), over all rows, so that the same name is the same repetition for every agent. None is 0."""
    names = sorted({t.epoch for t in told}, key=place)
    if names == [""]:
        return {"": 0}
    for one in told:
        if not one.epoch:
            raise CorpusError(f"{one.row.file}, line {one.row.line}: no epoch, where other rows have one.")
    if all(n.isascii() and n.isdecimal() and len(n) < 10 for n in names):
        return {n: int(n) for n in names}
    return {n: i for i, n in enumerate(names)}
