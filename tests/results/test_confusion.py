"""What the tree says against what the money says, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest
from grown import changed, judged
from worlds import One, world

from harness.records import RunRecord
from results.sheet import Sheet
from results.stats import wilson
from results.verdict.sheets import confusions, verdict_sheets
from results.verdict.tree.confusion import Confusion, Right, confusion
from results.verdict.tree.sheets import confusion_sheets

N = 40
TEAM, SINGLE, OPEN = "team", "single", "inconclusive"


def test_counted_by_hand() -> None:
    """Of nine scenarios six are decided by both: right on team-team twice and single-single once."""
    said = [(True, TEAM), (True, TEAM), (True, SINGLE), (False, SINGLE), (False, TEAM), (False, TEAM),
            (False, OPEN), (None, SINGLE), (None, OPEN)]  # fmt: skip
    found = confusion(said, simulated=False)
    assert dict(found.counts) == {("team", TEAM): 2, ("team", SINGLE): 1, ("single", SINGLE): 1, ("single", TEAM): 2,
                                  ("single", OPEN): 1, ("nothing", SINGLE): 1, ("nothing", OPEN): 1}  # fmt: skip
    assert (found.scenarios, found.decided) == (9, 6)
    assert found.tree == Right(3, 6, wilson(3, 6))
    assert found.always_single == Right(2, 6, wilson(2, 6))


def test_simulated_scenarios_have_no_interval() -> None:
    found = confusion([(True, TEAM), (False, TEAM)], simulated=True)
    assert (found.tree, found.always_single) == (Right(1, 2, None), Right(0, 2, None))


def test_where_nothing_is_decided_nobody_is_right() -> None:
    found = confusion([(True, OPEN), (None, SINGLE)], simulated=False)
    assert (found.decided, found.tree, found.always_single) == (0, None, None)


def suite(name: str, team: One, *, fits: bool, single: float = 0.5, **more: Any) -> list[RunRecord]:
    """Two members of the family at ``single`` and one team, on a task that divides, and fits a window or not."""
    cells = {"single": [One(single)] * N, "resample": [One(single, tokens=3000)] * N, "bus": [team] * N}
    made = world(cells, task=name, **more)
    for one in made:
        one.run.cell_id = f"{name}-{one.run.cell_id}"
        one.run.run_id = f"{name}/{one.run.run_id}"
        for rows in (one.calls, one.shares):
            for row in rows:  # type: ignore[attr-defined]
                row.run_id = one.run.run_id
    return changed(made, graph_work=[4.0] * N, material_tokens=[100 if fits else 10**6] * N)


GOOD, BAD = One(1.0, tokens=2000), One(0.0, tokens=9000)


def real() -> list[RunRecord]:
    made = suite("right-team", GOOD, fits=False) + suite("right-single", BAD, fits=True)
    return made + suite("wrong-team", BAD, fits=False) + suite("wrong-single", GOOD, fits=True)


def test_all_scenarios_of_an_analysis_are_counted() -> None:
    (found,) = judged(real(), score_usd=1.0).confusions
    assert dict(found.counts) == dict.fromkeys(
        [("team", TEAM), ("single", SINGLE), ("team", SINGLE), ("single", TEAM)], 1
    )
    assert (found.tree, found.always_single) == (Right(2, 4, wilson(2, 4)), Right(2, 4, wilson(2, 4)))


def test_real_and_simulated_ones_never_stand_in_one_table() -> None:
    sim = suite("sim", GOOD, fits=False, simulated=True, experiment="sim")
    found = judged([*real(), *sim], score_usd=1.0)
    assert [(c.simulated, c.scenarios) for c in found.confusions] == [(False, 4), (True, 1)]
    assert dict(found.confusions[1].counts) == {("team", TEAM): 1}
    shown = [s for s in confusions(found) if isinstance(s, Sheet)]
    assert [s.simulated for s in shown] == [False, True]
    said = [s for s in confusions(found) if isinstance(s, str)]
    assert "the tree is right on 2 (50.0 %, 95 % " in said[0]
    assert said[1] == (
        "sim: on 1 scenario both decide: there the tree is right on 1 (100.0 %), the rule `always single`, which it "
        "has to beat, on 0 (0.0 %)."
    )
    assert not [column for column in shown[1].columns if "use" in column], "simulated rows recommend nothing"
    assert shown[1].title.endswith("over 1 scenario")


def test_every_answer_and_prediction_of_simulated_rows_says_sim() -> None:
    (worth,) = judged(suite("sim", GOOD, fits=False, simulated=True), score_usd=1.0).worths
    tables = [s for s in verdict_sheets(worth) if isinstance(s, Sheet)][:2]
    lines = [s for s in verdict_sheets(worth) if isinstance(s, str)]
    assert all(t.heading.startswith("SIMULATED") for t in tables)
    assert {row[-1] for t in tables for row in t.rows} - {"as above"} == {"sim: no", "sim: yes", "sim: refuted"}
    assert all("sim: " in line for line in lines if line[:1] in "1234" or line.startswith("The tree's leaf"))
    assert not any("%" in column and "interval" in column for t in tables for column in t.columns)


@pytest.mark.parametrize("simulated", [False, True], ids=["real", "simulated"])
def test_nothing_decided_is_said(simulated: bool) -> None:
    found = Confusion(simulated, {("team", OPEN): 1}, None, None)
    *_, said = confusion_sheets(found)
    assert isinstance(said, str)
    assert "no scenario on which both the tree and the money decide" in said
