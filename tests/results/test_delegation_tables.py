"""The tables about delegated subtasks and about changed settings, worked out by hand."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from run_builder import Call, Read, Tried, record, single, team

from harness.records import RunRecord
from results.against import Against, Change, against_first
from results.delegations import Delegations
from results.frames import load
from results.labels import labels, place
from results.render import print_summary
from results.summary import summarize
from results.tally import tallied


def printed(root: Path) -> list[str]:
    out = io.StringIO()
    print_summary(load(root), None, Console(file=out, width=100))
    assert max(map(len, out.getvalue().splitlines())) <= 100
    return [" ".join(line.split()) for line in out.getvalue().splitlines()]


def sized(tokens: int, **options: Any) -> RunRecord:
    """A run of so many tokens, all of them coordination."""
    return record([Call("lead", [Read("sync", tokens)], [])], **{"topology": "sync", "family": "team", **options})


def cell(name: str, order: str) -> dict[str, str]:
    return {"cell": name, "params": json.dumps({"topology.delegation.order": order})}


def found(root: Path) -> tuple[Against, ...]:
    return against_first(tallied(load(root)))


def test_a_subtask_ends_with_its_last_try_and_tokens_are_of_all_tries(fill: Any) -> None:
    tries = [
        Tried("returned", 1, "d1", tokens=100, copied=10, card=30, errors=["no"]),
        Tried("success", 1, "d2", tokens=50, card=60),
        Tried("needs_person", 2, "d1", tokens=70, copied=5, card=30, errors=["no"]),
        Tried("unanswered", 1, "d3", card=0),
    ]
    (group,) = summarize(load(fill(sized(500, delegations=tries), sized(500, sample="s2")))).groups
    ended = {"success": 1, "needs_person": 1, "unanswered": 1}
    assert group.rows[0].delegations == Delegations(3, 4, ended, 220, 15, 30.0)


def test_a_topology_without_delegations_has_no_row_in_their_table(fill: Any) -> None:
    root = fill(single())
    assert not any("Delegations" in line for line in printed(root))
    root = fill(team())
    lines = printed(root)
    assert "bus 1 2 1 0 0 0 0 0 0" in lines and "single 0 0 0 0 0 0 0 0 0" not in lines
    (group,) = summarize(load(root)).groups
    assert group.rows[0].delegations == Delegations(0, 0, {}, 0, 0, None)


def test_each_cell_against_the_first_by_hand(fill: Any) -> None:
    """Tokens 100 and 300 before, 150 and 310 after: +50 and +10, mean 30, 60 of 400 = 15 %. Deviations ±20: variance
    800, standard error √(800 / 2) = 20. Score 1 and 0 before, 0.5 and 0.25 after: −0.5 and 0.25, mean −0.125."""
    before, after = cell("c2", "structured"), cell("c10", "sentence")
    tries = [Tried("returned", 1, copied=4, errors=["no"]), Tried("success", 2, copied=2)]
    runs = [
        sized(100, sample="a", score=1.0, **before),
        sized(300, sample="b", score=0.0, status="error", **before),
        sized(150, sample="a", score=0.5, delegations=tries, **after),
        sized(310, sample="b", score=0.25, **after),
        sized(999, sample="alone", **after),
    ]
    (change,) = found(fill(*runs))
    assert (change.topology, change.cell_id, change.first_cell_id) == ("sync", "c10", "c2"), "2 comes before 10"
    assert (change.pairs, change.left_out, change.percent) == (2, 1, 15.0)
    assert change.tokens == change.coordination == Change(30.0, None), "no spread of real rows"
    assert (change.score, change.copied, change.retries) == (Change(-0.125, None), Change(3.0, None), Change(0.5, None))


def test_simulated_rows_have_a_monte_carlo_spread_and_say_so(fill: Any) -> None:
    before, after = cell("c0", "structured"), cell("c1", "sentence")
    tokens = {"a": (100, 150), "b": (300, 310)}
    root = fill(
        *(sized(t[0], sample=s, simulated=True, **before) for s, t in tokens.items()),
        *(sized(t[1], sample=s, simulated=True, **after) for s, t in tokens.items()),
    )
    (change,) = found(root)
    assert change.tokens.mean == 30 and change.tokens.monte_carlo is not None
    assert math.isclose(change.tokens.monte_carlo, 20)
    lines = printed(root)
    title = "SIMULATED · Against sync delegation.order=structured: means over pairs, failures included;"
    assert title in " ".join(lines) and "± Monte-Carlo" in " ".join(lines)
    row = next(i for i, line in enumerate(lines) if "+15.0 %" in line)
    assert lines[row].split() == [
        "delegation.order=sentence",
        "2",
        "+30",
        "+15.0",
        "%",
        "+30",
        "+0.000",
        "+0.0",
        "+0.00",
    ]
    assert "± 20 ± 20 ± 0.000 ± 0.0 ± 0.00" in lines[row + 1]


def test_one_pair_has_no_spread(fill: Any) -> None:
    pair = (sized(n, simulated=True, **cell(f"c{n}", str(n))) for n in (1, 2))
    (change,) = found(fill(*pair))
    assert change.tokens == Change(1.0, None) and change.percent == 100.0


def test_a_first_cell_without_tokens_has_no_percentage(fill: Any) -> None:
    (change,) = found(fill(*(sized(n, **cell(f"c{n}", str(n))) for n in (0, 2))))
    assert change.percent is None and change.tokens.mean == 2


def test_cells_that_share_no_sample_are_not_compared(fill: Any) -> None:
    """A sweep over two sizes of corpus and two orders: within each size, and within each topology."""
    made = [
        sized(10 * docs, sample=f"{docs}-docs", cell=f"c{n}", params=json.dumps({"task.docs": docs, "x": n % 2}))
        for n, docs in enumerate((4, 4, 16, 16))
    ]
    pairs = [(c.first_cell_id, c.cell_id) for c in found(fill(*made, single(sample="4-docs", cell="c9")))]
    assert pairs == [("c0", "c1"), ("c2", "c3")]


def test_experiments_and_simulated_rows_stay_apart(fill: Any) -> None:
    root = fill(sized(1, cell="c0"), sized(2, cell="c1", simulated=True))
    assert [g.changes for g in summarize(load(root)).groups] == [(), ()]


def test_every_table_names_the_cell(fill: Any) -> None:
    """Two cells of one topology beside a single agent: neither rows nor bridges may be taken for the other's."""
    root = fill(
        single(params='{"topology": "single"}'),
        team(**cell("c1", "structured")),
        team(**cell("c2", "sentence")),
    )
    titles = [line for line in printed(root) if line.startswith(("Bridge", "Against bus"))]
    assert titles[1:] == [
        "Bridge: bus delegation.order=structured − single, 1 pair",
        "Bridge: bus delegation.order=sentence − single, 1 pair",
    ]
    assert titles[0].startswith("Against bus delegation.order=structured:")


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        (["task.docs"], ["task.docs"]),
        (["seed", "task.seed"], ["seed", "task.seed"]),
        (["topology.workers"], ["workers"]),
        (["topology.delegation.order"], ["delegation.order"]),
        (["model.behaviour.answering.guess"], ["answering.guess"]),
        (["model.a.b.c", "task.a.b.c"], ["model.a.b.c", "task.a.b.c"]),
        (["model.a.b.c", "model.d.b.c"], ["a.b.c", "d.b.c"]),
    ],
)
def test_a_key_is_as_short_as_it_can_be_and_still_its_own(fill: Any, keys: list[str], shown: list[str]) -> None:
    root = fill(*(single(cell=f"c{n}", params=json.dumps(dict.fromkeys(keys, n))) for n in range(2)))
    found = labels(tallied(load(root)).runs)
    assert found == {f"c{n}": ("single", *(f"{key}={n}" for key in shown)) for n in range(2)}


def test_cells_are_in_the_order_of_their_numbers() -> None:
    assert sorted(["c10", "c9", "c100", "b", "c"], key=place) == ["b", "c", "c9", "c10", "c100"]


@pytest.mark.parametrize(("samples", "mean", "error"), [("ab", 40, 20), ("a", 60, 10)])
def test_epochs_of_one_sample_are_one_cluster(fill: Any, samples: str, mean: float, error: float) -> None:
    """Differences a: 50, 70; b: 10, 30; mean 40. Deviations add up to +40 in a and −40 in b, so the standard error over
    two clusters of four pairs is √(2 / 1 × (40² + 40²)) / 4 = 20. One sample alone: over its epochs, √(2 × 200) / 2."""
    before, after = cell("c0", "structured"), cell("c1", "sentence")
    differences = {"a": (50, 70), "b": (10, 30)}

    def runs(samples: str) -> list[RunRecord]:
        return [
            sized(100 + (d if after_it else 0), sample=s, epoch=e, simulated=True, **(after if after_it else before))
            for s in samples
            for e, d in enumerate(differences[s])
            for after_it in (False, True)
        ]

    (change,) = found(fill(*runs(samples)))
    assert change.tokens.mean == mean and math.isclose(change.tokens.monte_carlo or 0, error)


def test_late_calls_have_a_column_and_are_no_parallel_work(fill: Any) -> None:
    """Two calls of 0.5 s in a run of 10 s, one of which nobody waited for."""
    calls = [
        Call("lead", [Read("sync", 100)], []),
        Call("worker1", [Read("task", 40)], [("answer", 2, 0)], late=True),
    ]
    (group,) = summarize(load(fill(record(calls, topology="sync", family="team")))).groups
    assert (group.rows[0].tokens, group.rows[0].late_tokens) == (142, 42)
    assert group.rows[0].parallelism == 0.05
