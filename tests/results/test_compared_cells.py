"""What is compared: epochs averaged first, clusters, missing runs as failures, unknown costs unknown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from worlds import One, world

from harness.errors import StoreError
from results.comparison.cells import Scenario, scenarios
from results.frames import load
from results.tally import tallied


def read(root: Any) -> tuple[Scenario, ...]:
    results = load(root)
    return scenarios(results, tallied(results))


def test_epochs_are_averaged_before_anything_else(spool: Any) -> None:
    cells = {"single": [One(1.0)], "bus": [One(0.5, tokens=2000)]}
    again = {"single": [One(0.0)], "bus": [One(0.7, tokens=4000)]}
    (scenario,) = read(spool(*world(cells), *world(again, epoch=1)))
    assert scenario.cell("single").values["score"].tolist() == [0.5]
    assert scenario.cell("bus").values["score"].tolist() == [pytest.approx(0.6)]
    assert scenario.cell("bus").values["tokens"].tolist() == [3000]
    assert scenario.cell("bus").values["usd"].tolist() == [pytest.approx(0.009)]


def test_a_cluster_is_one_observation_however_many_samples_it_has(spool: Any) -> None:
    scores = [One(1.0), One(0.0), One(0.5)]
    (scenario,) = read(spool(*world({"single": scores}, cluster=lambda i: "ab"[i == 2])))
    assert scenario.by_cluster(scenario.cell("single").values["score"]).tolist() == [0.5, 0.5]


def test_a_missing_run_is_a_failure_whose_cost_nobody_knows(spool: Any) -> None:
    (scenario,) = read(spool(*world({"single": [One(1.0), One(1.0)], "bus": [One(1.0), None]})))
    bus = scenario.cell("bus")
    assert (bus.runs, bus.missing) == (1, 1)
    assert bus.values["score"].tolist() == [1.0, 0.0]
    assert bus.values["escaped"].tolist() == [0.0, 0.0], "what was not delivered cannot do harm"
    assert np.isnan(bus.values["usd"]).tolist() == [False, True]
    assert np.isnan(bus.values["wall_s"]).tolist() == [False, True]


def test_an_epoch_that_a_cell_never_ran_is_not_missing(spool: Any) -> None:
    cells = {"single": [One(1.0), One(1.0)], "bus": [One(0.5), One(0.5)]}
    (scenario,) = read(spool(*world(cells), *world({"single": [One(1.0), One(1.0)]}, epoch=1)))
    assert scenario.cell("bus").missing == 0
    assert scenario.cell("bus").values["score"].tolist() == [0.5, 0.5]


def test_a_sample_missing_in_one_epoch_counts_as_failed_there(spool: Any) -> None:
    first = {"single": [One(1.0), One(1.0)], "bus": [One(1.0), One(1.0)]}
    second = {"single": [One(1.0), One(1.0)], "bus": [One(1.0), None]}
    (scenario,) = read(spool(*world(first), *world(second, epoch=1)))
    assert scenario.cell("bus").values["score"].tolist() == [1.0, 0.5]
    assert np.isnan(scenario.cell("bus").values["usd"]).tolist() == [False, True]


def test_unknown_cost_is_not_zero(spool: Any) -> None:
    (scenario,) = read(spool(*world({"single": [One(1.0)], "bus": [One(1.0, priced=False)]})))
    assert np.isnan(scenario.cell("bus").values["usd"][0])
    assert scenario.cell("bus").values["score"].tolist() == [1.0]


def test_only_what_was_delivered_and_wrong_has_escaped(spool: Any) -> None:
    outcomes = [One(0.0), One(0.0, status="failed"), One(0.0, status="limit"), One(1.0)]
    (scenario,) = read(spool(*world({"single": outcomes})))
    assert scenario.cell("single").values["escaped"].tolist() == [1.0, 0.0, 1.0, 0.0]


def test_settings_and_the_simulated_are_scenarios_of_their_own(spool: Any) -> None:
    made = [
        *world({"single": [One(1.0)]}, params='{"topology": "single", "task.docs": 4}', cell="a"),
        *world({"single": [One(1.0)]}, params='{"topology": "single", "task.docs": 8}', cell="b"),
        *world({"single": [One(1.0)]}, params='{"topology": "single", "task.docs": 8}', cell="c", simulated=True),
    ]
    assert [(s.simulated, s.setting) for s in read(spool(*made))] == [
        (False, '{"task.docs": 4}'),
        (False, '{"task.docs": 8}'),
        (True, '{"task.docs": 8}'),
    ]


def test_what_something_was_left_out_of_is_no_team_and_no_baseline(spool: Any) -> None:
    made = [
        *world({"single": [One(1.0)], "bus": [One(1.0)]}),
        *world({"bus": [One(0.5)]}, cell="ablated", ablate="writer"),
    ]
    (scenario,) = read(spool(*made))
    assert [c.cell_id for c in scenario.teams] == ["bus"]
    assert scenario.cell("ablated").ablate == "writer"


def test_a_sample_twice_in_one_epoch_is_refused(spool: Any) -> None:
    first, second = world({"single": [One(1.0)]}), world({"single": [One(1.0)]})
    from run_builder import rename

    rename(second[0], "another")
    with pytest.raises(StoreError, match="more than once"):
        read(spool(*first, *second))
