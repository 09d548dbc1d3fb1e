"""The bridge and the two views, against figures worked out by hand in ``run_builder``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_builder import Call, Experiment, Read, record, records, rename, single, team

from harness.errors import StoreError
from harness.records import RunRecord
from results.bridge import TERMS, Terms, bridges
from results.frames import load
from results.isolation import compression
from results.purposes import by_purpose
from results.store import Store
from results.tally import tallied

MILLIONTH = 1_000_000  # pUSD in a millionth of a USD


def test_the_bridge_by_hand(pair: Path) -> None:
    (bridge,) = bridges(tallied(load(pair)))
    assert (bridge.topology, bridge.pairs, bridge.team_only, bridge.single_only) == ("bus", 1, 0, 0)
    # work: team 1,500 of which 300 duplicated task text; single 1,000
    assert bridge.tokens == Terms(
        single_total=1_000,
        team_total=2_500,
        coordination=800,
        verification=200,
        duplicated_task=300,
        other_work=200,
        unknown=0,
        fees=0,
        resent_work=-100,
    )
    # coordination: (200+100+150) × 3 + (100+50+50+150) × 15; verification: 150 × 3 + 50 × 15;
    # work: 1,000 × 3 + 500 × 15 = 10,500 against single's 5,400
    assert bridge.pusd == Terms(
        single_total=5_400 * MILLIONTH,
        team_total=18_301 * MILLIONTH,
        coordination=6_600 * MILLIONTH,
        verification=1_200 * MILLIONTH,
        duplicated_task=900 * MILLIONTH,
        other_work=4_200 * MILLIONTH,
        unknown=0,
        fees=MILLIONTH,
        resent_work=-300 * MILLIONTH,
    )
    assert bridge.uncached_usd == (0.0054, 0.018301)
    assert bridge.wall_s == (10.0, 10.0) and bridge.speedup == 1.0
    assert bridge.tokens.percent("coordination") == 80.0
    assert bridge.tokens.percent("delta") == 150.0


def test_only_pairs_count_and_what_is_left_out_is_said(fill: Any) -> None:
    root = fill(
        single(sample="both"),
        single(sample="both", epoch=1),
        single(sample="changed"),
        team(sample="both"),
        team(sample="alone"),
        team(sample="changed", material_hash="another"),
    )
    (bridge,) = bridges(tallied(load(root)))
    assert (bridge.pairs, bridge.team_only, bridge.single_only) == (1, 2, 2)
    assert bridge.tokens.team_total == 2_500 and bridge.tokens.single_total == 1_000


def test_failed_runs_are_in_the_bridge(fill: Any) -> None:
    root = fill(single(), team(status="error", score=0.0))
    (bridge,) = bridges(tallied(load(root)))
    assert bridge.tokens.delta == 1_500


def test_an_unknown_cost_makes_the_usd_side_none(fill: Any) -> None:
    unpriced = record([Call("lead", [Read("task", 10)], [("plan", 5, 0)], priced=False)], topology="bus")
    (bridge,) = bridges(tallied(load(fill(single(), unpriced))))
    assert bridge.pusd is None
    assert (bridge.tokens.team_total, bridge.tokens.coordination) == (15, 5)


def test_a_cell_is_compared_with_the_single_cell_of_its_own_setting(fill: Any) -> None:
    made = []
    for docs in ("4", "16"):
        for topology, build in (("single", single), ("bus", team)):
            params = f'{{"topology": "{topology}", "task.docs": "{docs}"}}'
            made.append(build(cell=f"{topology}-{docs}", params=params))
    made.append(single(cell="strong", params='{"topology": "single", "task.docs": "4"}', model="stronger"))
    found = bridges(tallied(load(fill(*made))))
    assert [(b.cell_id, b.single_cell_id) for b in found] == [("bus-16", "single-16"), ("bus-4", "single-4")]


def test_simulated_is_never_compared_with_real(fill: Any) -> None:
    assert bridges(tallied(load(fill(single(simulated=True), team())))) == ()


def test_other_members_of_the_single_family_are_no_teams(fill: Any) -> None:
    assert bridges(tallied(load(fill(single(), single(topology="resample", cell="r"))))) == ()


def test_a_bridge_that_does_not_close_is_refused(fill: Any) -> None:
    bad = team()
    del bad.shares[0]
    with pytest.raises(StoreError, match=r"bridge of bus .* does not close: .* 1,500 .* explain 800"):
        bridges(tallied(load(fill(single(), bad))))


def test_the_same_sample_twice_is_refused(fill: Any) -> None:
    twice = team()
    rename(twice, "again")
    with pytest.raises(StoreError, match="holds sample 's1' more than once"):
        bridges(tallied(load(fill(single(), team(), twice))))


def test_a_run_stored_twice_is_refused(fill: Any) -> None:
    with pytest.raises(StoreError, match="run 'exp/bus-cell/s1/0' is stored more than once"):
        tallied(load(fill(team(), team())))


@given(st.lists(st.tuples(records("single"), records("bus")), min_size=1, max_size=3))
@settings(max_examples=15, deadline=None)
def test_the_identity_holds_for_any_runs(
    tmp_path_factory: pytest.TempPathFactory, made: list[tuple[RunRecord, RunRecord]]
) -> None:
    root = tmp_path_factory.mktemp("store")
    store = Store(str(root))
    store.open(Experiment("exp"))
    totals = {"single": 0, "bus": 0}
    for n, both in enumerate(made):
        for any_run in both:
            rename(any_run, f"{any_run.run.topology}{n}")
            any_run.run.sample_id = any_run.run.material_hash = f"s{n}"
            totals[any_run.run.topology] += any_run.run.prompt_tokens + any_run.run.completion_tokens
            store.write(any_run)
    store.close()
    (bridge,) = bridges(tallied(load(root)))
    assert (bridge.tokens.single_total, bridge.tokens.team_total) == (totals["single"], totals["bus"])
    for side in (bridge.tokens, bridge.pusd):
        if side is not None:
            assert sum(getattr(side, term) for term in TERMS) == side.team_total - side.single_total
    known = all(run.run.cost_complete for both in made for run in both)
    assert (bridge.pusd is not None) == known


def test_both_views(pair: Path) -> None:
    sums = tallied(load(pair))
    found = by_purpose(sums.of(["exp/bus-cell/s1/0"]))
    assert found.content.tokens == {
        "task": 1_000,
        "scaffold": 200,
        "plan": 100,
        "dispatch": 150,
        "answer": 500,
        "report": 50,
        "merge": 300,
        "review": 200,
    }
    # whole calls: plan 900 + 150, answer 400 + 550, merge 300 + 200
    assert found.activity.tokens == {"plan": 1_050, "answer": 950, "merge": 500}
    assert found.content.coordination_share == 800 / 2_500
    assert found.activity.coordination_share == 1_550 / 2_500
    assert found.content.pusd is not None and found.activity.pusd is not None and found.fee_pusd == MILLIONTH
    assert sum(found.content.pusd.values()) + found.fee_pusd == sum(found.activity.pusd.values()) == 18_301 * MILLIONTH
    assert found.content.coordination_share_usd == 6_600 / 18_300


def test_one_round_of_coordination_tax(fill: Any) -> None:
    """Five agents, each reading an order of 500 and 4,000 of peers' summaries, writing 2,000 of work and a report of
    500: 7,000 each, of which 5,000 is coordination; the team 35,000, of which 25,000 (docs/cost-model.md)."""
    calls = [
        Call(f"agent{i}", [Read("dispatch", 500), Read("sync", 4_000)], [("answer", 2_000, 0), ("report", 500, 0)])
        for i in range(5)
    ]
    found = by_purpose(tallied(load(fill(record(calls, topology="bus")))))
    assert sum(found.content.tokens.values()) == 35_000
    assert found.content.class_tokens("coordination") == 25_000
    assert found.content.coordination_share == pytest.approx(5_000 / 7_000)
    assert found.activity.coordination_share == 0.0


def test_an_unknown_cost_is_not_zero_in_the_views(fill: Any) -> None:
    unpriced = record([Call("lead", [Read("task", 10)], [("plan", 5, 0)], priced=False)], topology="bus")
    found = by_purpose(tallied(load(fill(unpriced))))
    assert found.content.pusd is None and found.activity.pusd is None and found.fee_pusd is None
    assert found.content.coordination_share_usd is None


def test_compression_is_source_read_by_sub_agents_over_results_sent(fill: Any) -> None:
    """The isolation example of docs/cost-model.md: 50,000 tokens of source read, 500 handed back; what is read again,
    by the lead, or is no source does not count."""
    calls = [
        Call("lead", [Read("task", 4_000, author="tool")], [("plan", 10, 0)]),
        Call("worker1", [Read("task", 30_000, author="tool"), Read("task", 900)], [("answer", 10, 0)]),
        Call("worker1", [Read("task", 30_000, "self", "tool"), Read("task", 20_000, "cross", "tool")], []),
    ]
    made = record(calls, topology="bus", messages=[("m1", None), ("m2", "m1")])
    made.messages[0].type, made.messages[0].tokens = "task", 80
    made.messages[1].type, made.messages[1].tokens = "result", 500
    assert compression(load(fill(single(), made))) == {"bus": 100.0}


def test_as_if_uncached_is_unknown_where_any_cost_is(fill: Any) -> None:
    """One attempt of the team whose usage is missing: what is known of the run is a lower bound, and no figure."""
    lost = Call("lead", [], [], operation="lost", priced=False, status="timeout")
    known = Call("lead", [Read("task", 10)], [("plan", 5, 0)])
    team_run = record([known, lost], topology="bus", cell="team")
    sums = tallied(load(fill(single(), team_run)))
    (bridge,) = bridges(sums)
    assert bridge.uncached_usd is None and bridge.pusd is None
    found = by_purpose(sums.of([team_run.run.run_id]))
    assert found.content.coordination_share_usd is None and found.activity.coordination_share_usd is None
    assert found.content.coordination_share == 5 / 15
