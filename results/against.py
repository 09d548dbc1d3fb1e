"""What a changed setting changed: each cell of a topology against the first one, on the same samples and epochs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from results.bridge import by_pair
from results.columns import Columns
from results.labels import place
from results.tally import Tally


@dataclass(frozen=True, slots=True)
class Change:
    """The mean over pairs of (this cell − the first). ``monte_carlo``: the standard error of that mean, of simulated
    runs only: how far another draw of the simulation might lie from it, and no more than that. The pairs of one cluster
    (the epochs of a sample) are not independent, so it is worked out over clusters where there are at least two."""

    mean: float
    monte_carlo: float | None


@dataclass(frozen=True, slots=True)
class Against:
    """One cell against the first cell of its topology that shares samples with it; failed runs count like all others.

    ``pairs``: (sample, epoch) present in both on the same material; ``left_out``: runs of either without a partner.
    ``percent``: Δ tokens of the first cell's tokens, sums over the pairs, None when that has none. The others are
    tokens, score and counts for each pair.
    """

    topology: str
    cell_id: str
    first_cell_id: str
    pairs: int
    left_out: int
    tokens: Change
    percent: float | None
    coordination: Change
    score: Change
    copied: Change
    retries: Change


def against_first(tally: Tally) -> tuple[Against, ...]:
    """The cells of one experiment and task, all simulated or all real, by topology and in the order of the sweep.

    A cell that shares no sample with the first (of another size of corpus, say) becomes a first of its own. Raises
    StoreError for a cell that holds a sample twice in the same epoch.
    """
    copied: dict[str, int] = {}
    for run, tokens in zip(tally.tries.texts("run_id").tolist(), tally.tries.numbers("copied").tolist(), strict=True):
        copied[run] = copied.get(run, 0) + tokens
    return tuple(_compared(tally.runs, copied))


def _compared(runs: Columns, copied: Mapping[str, int]) -> Iterator[Against]:
    for (topology,), mine in runs.groups("topology"):
        cells = sorted(((cell, rows) for (cell,), rows in mine.groups("cell_id")), key=lambda found: place(found[0]))
        firsts: list[_Cell] = []
        for cell_id, rows in cells:
            cell = _cell(cell_id, rows, copied)
            first = next((f for f in firsts if f.runs.keys() & cell.runs.keys()), None)
            if first is None:
                firsts.append(cell)
            else:
                yield _against(topology, cell, first, simulated=bool(rows.numbers("simulated")[0]))


@dataclass(frozen=True, slots=True)
class _Run:
    tokens: int
    coordination: int
    score: float
    copied: int
    retries: int
    cluster: str


@dataclass(frozen=True, slots=True)
class _Cell:
    """``runs``: by sample, epoch and material."""

    cell_id: str
    runs: Mapping[tuple[str, int, str], _Run]


def _cell(cell_id: str, rows: Columns, copied: Mapping[str, int]) -> _Cell:
    tokens = rows.numbers("prompt_tokens") + rows.numbers("completion_tokens")
    columns = (tokens, *(rows.numbers(c) for c in ("coordination_tokens", "score", "retries_validation")))
    ids = rows.texts("run_id").tolist()
    made = {
        run: _Run(t, c, s, copied.get(run, 0), r, cluster)
        for run, cluster, t, c, s, r in zip(
            ids, rows.texts("cluster_id").tolist(), *(c.tolist() for c in columns), strict=True
        )
    }
    return _Cell(cell_id, {pair: made[run] for pair, run in by_pair(rows).items()})


def _against(topology: str, cell: _Cell, first: _Cell, *, simulated: bool) -> Against:
    both = [(cell.runs[p], first.runs[p]) for p in sorted(cell.runs.keys() & first.runs.keys())]

    def change(of: str) -> Change:
        return _change([(mine.cluster, getattr(mine, of) - getattr(its, of)) for mine, its in both], simulated)

    before = sum(its.tokens for _, its in both)
    return Against(
        topology=topology,
        cell_id=cell.cell_id,
        first_cell_id=first.cell_id,
        pairs=len(both),
        left_out=len(cell.runs) + len(first.runs) - 2 * len(both),
        tokens=change("tokens"),
        percent=100 * sum(mine.tokens - its.tokens for mine, its in both) / before if before else None,
        coordination=change("coordination"),
        score=change("score"),
        copied=change("copied"),
        retries=change("retries"),
    )


def _change(differences: Sequence[tuple[str, float]], simulated: bool) -> Change:
    """``differences``: cluster and difference of each pair."""
    n = len(differences)
    mean = math.fsum(d for _, d in differences) / n
    clusters: dict[str, list[float]] = {}
    for cluster, d in differences:
        clusters.setdefault(cluster, []).append(d - mean)
    # of the mean of all pairs: each cluster's deviations added up, so that larger clusters weigh more
    parts = [math.fsum(own) for own in clusters.values()] if len(clusters) > 1 else [d - mean for _, d in differences]
    if not simulated or len(parts) < 2:
        return Change(mean, None)
    k = len(parts)
    return Change(mean, math.sqrt(k / (k - 1) * math.fsum(p * p for p in parts)) / n)
