"""What the decision tree and the cost equation of seed document 004 say of returns, measured over suites.

Nothing here is an interval or a test: over simulated rows these are counts of what-if figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from results.claims.claim import Measure, Measured, Params
from results.claims.picture import CellRows

FAMILY = ("single", "strong", "resample")
"""The single family: one agent, the same on the stronger model, the best of three attempts."""
MARGIN = 0.05
"""How much a mean score must differ to be called higher or lower: by one entry of twenty."""
SPEEDUP = 2.0
"""From which speed-up in wall-clock time saved counts (004, the third of its legitimate scenes)."""
RISK = frozenset({"review"})
"""Suites in which somebody's work is checked for the defects that it may have."""
WINDOW, TIME, ADVERSARIAL, NONE = "window", "time saved", "risk avoided", "none of the three"
Cells = Mapping[str, CellRows]


def grid(topologies: Sequence[str], suites: Mapping[str, Params]) -> dict[str, Params]:
    """A cell for each suite with each topology, called ``suite/topology``."""
    return {f"{s}/{t}": {"topology": t, **params} for s, params in suites.items() for t in topologies}


def first_question(cells: Cells) -> Measured:
    """Percent of samples that fit the context window: declared material and the run's longest completion together,
    and no run of ``single`` that the window ended."""
    fit: dict[str, int] = {}
    of: dict[str, int] = {}
    most, window = 0, 0
    for name, rows in cells.items():
        longest = rows.calls.groupby("run_id")["completion_tokens"].max()
        needed = rows.runs["material_tokens"] + rows.runs["run_id"].map(longest).fillna(0).astype("int64")
        ended = rows.runs["limit"].fillna("").str.startswith("window_tokens")
        suite = name.partition("/")[0]
        fit[suite] = int(((needed <= rows.runs["window_tokens"]) & ~ended).sum())
        of[suite] = rows.count
        most, window = max(most, int(needed.max())), int(rows.runs["window_tokens"].max())
    total = sum(of.values())
    parts = {suite: 100 * fit[suite] / total for suite in of}
    ledger = (
        f"{sum(fit.values())} of {total} samples of {len(of)} suites; the largest needs {most:,} of {window:,} tokens"
    )
    return Measured(100 * sum(fit.values()) / total, parts, ledger)


def elsewhere(teams: Sequence[str]) -> Measure:
    """Pairs of suite and team in which the team pays in none of the three cases.

    It pays where its mean score is more than ``MARGIN`` above the best of the single family, or no more than that below
    it in half of the wall-clock time of ``single``."""

    def measure(cells: Cells) -> Measured:
        found: dict[str, list[str]] = {WINDOW: [], TIME: [], ADVERSARIAL: [], NONE: []}
        suites = dict.fromkeys(name.partition("/")[0] for name in cells)
        for suite in suites:
            single = cells[f"{suite}/single"]
            best = _best(cells, [f"{suite}/{name}" for name in FAMILY])
            for team in teams:
                rows = cells[f"{suite}/{team}"]
                gain, faster = round(_score(rows) - best, 9), _wall(single) / _wall(rows)
                quick = faster >= SPEEDUP and gain >= -MARGIN
                if gain > MARGIN or quick:
                    case = WINDOW if _too_large(single) else TIME if quick else ADVERSARIAL if suite in RISK else NONE
                    found[case].append(f"{team} on {suite}")
        told = "; ".join(f"{case}: {', '.join(pairs) or 'no pair'}" for case, pairs in found.items())
        return Measured(float(len(found[NONE])), {}, f"of {len(suites) * len(teams)} pairs pay by {told}")

    return measure


def too_small(teams: Sequence[str], alone: Sequence[str]) -> Measure:
    """By how many points of score (0 to 100) the best team is above the best of those that work alone."""

    def measure(cells: Cells) -> Measured:
        each = {name: 100 * _score(rows) for name, rows in cells.items()}
        best = max(each[name] for name in alone)
        told = ", ".join(f"{name} {score:.3g}" for name, score in each.items())
        row = cells[alone[0]].runs.iloc[0]
        ledger = (
            f"material of {row['material_tokens']:,} tokens for a window of {row['window_tokens']:,}; scores: {told}"
        )
        return Measured(max(each[name] for name in teams) - best, {}, ledger)

    return measure


def _best(cells: Cells, names: Sequence[str]) -> float:
    return max(_score(cells[name]) for name in names)


def _score(rows: CellRows) -> float:
    return float(rows.runs["score"].mean())


def _wall(rows: CellRows) -> float:
    return float(rows.runs["wall_s"].sum())


def _too_large(rows: CellRows) -> bool:
    return bool((rows.runs["material_tokens"] > rows.runs["window_tokens"]).any())
