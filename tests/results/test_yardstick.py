"""What one agent does for a team's money, against figures worked out by hand."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from run_builder import Call, Read, record

from harness.records import RunRecord
from results.frames import load
from results.render import print_summary
from results.summary import summarize
from results.tally import tallied
from results.yardstick import Yardstick, yardsticks


def run(topology: str, tokens: int, score: float, sample: str = "a", *, priced: bool = True, **more: Any) -> RunRecord:
    """A run of one call of so many prompt tokens, 3 USD a million."""
    family = {"family": "team" if topology == "bus" else "single"}
    call = Call("agent", [Read("task", tokens)], [], priced=priced)
    return record([call], topology=topology, cell=more.pop("cell", topology), sample=sample, score=score,
                  **{**family, **more})  # fmt: skip


def of(root: Path) -> dict[str, Yardstick]:
    return {y.cell_id: y for y in yardsticks(tallied(load(root)).runs)}


def test_the_best_that_one_agent_does_for_no_more_money(fill: Any) -> None:
    made = []
    for sample in ("a", "b"):
        made += [
            run("single", 100, 0.5, sample),
            run("resample", 300, 0.75, sample),
            run("strong", 400, 0.75, sample),  # as good, dearer
            run("escalate", 900, 1.0, sample),  # better, and too dear for the team
            run("bus", 500, 0.625, sample, wall_s=30.0),
        ]
    found = of(fill(*made))
    assert set(found) == {"bus", "resample", "strong", "escalate"}, "single is what they are held against"
    bus = found["bus"]
    assert (bus.single_cell_id, bus.pairs, bus.tokens, bus.usd, bus.wall) == ("single", 2, 5.0, 5.0, 3.0)
    assert bus.score == 0.125
    assert bus.best is not None and (bus.best.cell_id, bus.best.cost_ratio) == ("resample", 0.6)
    assert (bus.best.score, bus.best.its_score) == (0.625, 0.75)
    resample = found["resample"].best
    assert resample is not None and resample.cell_id == "single", "never itself"


def test_what_turns_when_nothing_is_cached_is_said(fill: Any) -> None:
    """A team that is billed 200 for what would cost 900 uncached: the strong agent at 400 is then within its budget."""
    root = fill(
        run("single", 100, 0.5),
        run("strong", 400, 0.75, cost_uncached_usd=400 * 3e-6),
        run("bus", 200, 0.625, cost_uncached_usd=900 * 3e-6),
    )
    bus = of(root)["bus"]
    assert bus.best is not None and bus.best_uncached is not None
    assert (bus.best.cell_id, bus.best.cost_ratio) == ("single", 0.5)
    assert (bus.best_uncached.cell_id, bus.best_uncached.its_score) == ("strong", 0.75)
    assert bus.best_uncached.cost_ratio == pytest.approx(4 / 9)
    out = io.StringIO()
    print_summary(load(root), None, Console(file=out, width=120))
    assert "single †" in out.getvalue() and "† as if nothing had been cached: bus: strong (0.750)" in out.getvalue()


def test_only_what_both_have_counts(fill: Any) -> None:
    made = [run("single", 100, 0.0, s) for s in "ab"] + [run("bus", 200, 1.0, s) for s in "bc"]
    made.append(run("resample", 150, 1.0, "c"))
    bus = of(fill(*made))["bus"]
    assert (bus.pairs, bus.tokens, bus.score) == (1, 2.0, 1.0)
    assert bus.best is not None and (bus.best.cell_id, bus.best.pairs) == ("resample", 1)


def test_nobody_costs_as_little(fill: Any) -> None:
    assert of(fill(run("single", 100, 0.5), run("bus", 90, 0.5)))["bus"].best is None


def test_tokens_do_not_stand_in_for_money(fill: Any) -> None:
    bus = of(fill(run("single", 100, 0.5, priced=False), run("bus", 200, 0.5)))["bus"]
    assert (bus.usd, bus.tokens, bus.best) == (None, 2.0, None), "what the only member costs is unknown"


def test_a_member_of_unknown_cost_is_no_candidate_and_no_obstacle(fill: Any) -> None:
    made = [run("single", 100, 0.5), run("strong", 10, 0.9, priced=False), run("bus", 200, 0.5)]
    best = of(fill(*made))["bus"].best
    assert best is not None and best.cell_id == "single"


def test_another_cell_of_single_has_a_row_too(fill: Any) -> None:
    reviews = '{"topology": "single", "topology.reviews": 1}'
    found = of(fill(run("single", 100, 0.5, cell="c0"), run("single", 180, 0.75, cell="c1", params=reviews)))
    assert set(found) == {"c1"} and found["c1"].tokens == 1.8


def test_a_failed_run_counts_with_its_cost_and_its_zero(fill: Any) -> None:
    bus = of(fill(run("single", 100, 0.5), run("bus", 200, 0.0, status="error")))["bus"]
    assert (bus.pairs, bus.score) == (1, -0.5)


@pytest.mark.parametrize("other", [{"model": "another"}, {"params": '{"topology": "bus", "task.docs": 4}'}])
def test_other_models_and_settings_are_not_compared(fill: Any, other: dict[str, str]) -> None:
    assert of(fill(run("single", 100, 0.5), run("bus", 200, 0.5, **other))) == {}


def test_members_of_the_family_differ_by_their_own_settings(fill: Any) -> None:
    made = [run("single", 100, 0.5), run("bus", 500, 0.5)]
    for n in (2, 4, 6):
        params = f'{{"topology": "resample", "topology.attempts": {n}}}'
        made.append(run("resample", 100 * n, n / 10, cell=f"r{n}", params=params))
    best = of(fill(*made))["bus"].best
    assert best is not None and best.cell_id == "single", "0.4 for four attempts is less than 0.5 for one"


def test_simulated_and_real_are_apart(fill: Any) -> None:
    groups = summarize(load(fill(run("single", 100, 0.5, simulated=True), run("bus", 200, 0.5)))).groups
    assert [len(g.yardsticks) for g in groups] == [0, 0]
