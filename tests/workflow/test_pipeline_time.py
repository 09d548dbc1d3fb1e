"""A pipeline has no barrier: its wall-clock is its slowest chain, not the sum of its slowest stages (004)."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import results
from harness.records import RunRecord
from harness.testing.runs import faults

from .stage import main, most_at_once, ran

LATENCIES = st.integers(2, 4).flatmap(
    lambda stages: st.lists(st.lists(st.integers(1, 5000), min_size=stages, max_size=stages), min_size=1, max_size=16)
)
"""Milliseconds of each item at each stage; not more items than places."""
PIPELINE = main(
    "def stage(number):",
    "    return lambda _, item: agent(f'latency_ms={item[1][number]}', label=f'{item[0]}-{number}')",
    "items = list(enumerate(args['latencies']))",
    "await pipeline(items, *(stage(n) for n in range(len(args['latencies'][0]))))",
    "return 'done'",
)
BARRIER = main(
    "latencies = args['latencies']",
    "call = lambda ms: lambda: agent(f'latency_ms={ms}')",
    "for number in range(len(latencies[0])):",
    "    await parallel([call(item[number]) for item in latencies])",
    "return 'done'",
)


def timed(body: str, latencies: list[list[int]], **options: int) -> RunRecord:
    with tempfile.TemporaryDirectory() as folder:
        record = ran(Path(folder), body, args={"latencies": latencies}, **options)
    assert record.run.status == "ok"
    return record


def slowest_chain_s(record: RunRecord) -> float:
    """From the rows alone: the longest sum of one item's calls."""
    chains: dict[str, float] = {}
    for call in record.calls:
        item = call.agent.split("-")[0]
        chains[item] = chains.get(item, 0.0) + call.ended_s - call.started_s
    return max(chains.values())


@settings(max_examples=40, deadline=None)
@given(LATENCIES)
def test_the_slowest_chain_is_the_wall_clock(latencies: list[list[int]]) -> None:
    record = timed(PIPELINE, latencies)
    assert record.run.wall_s == max(sum(item) for item in latencies) / 1000
    assert abs(record.run.wall_s - slowest_chain_s(record)) < 1e-6


@settings(max_examples=15, deadline=None)
@given(LATENCIES)
def test_with_a_barrier_it_is_the_sum_of_the_slowest_stages(latencies: list[list[int]]) -> None:
    record = timed(BARRIER, latencies)
    assert record.run.wall_s == sum(max(stage) for stage in zip(*latencies, strict=True)) / 1000


def test_stored_rows_alone_show_it(tmp_path: Path) -> None:
    """Each stage of an item begins when the one before has ended, and the longest chain is the run's wall-clock."""
    latencies = [[900, 100, 400], [100, 1200, 300], [250, 250, 250]]
    record = timed(PIPELINE, latencies)
    assert faults([replace(record, run=replace(record.run, experiment_id="test"))], tmp_path) == []
    stored = results.load(tmp_path)
    calls = stored.frame("calls").sort_values("started_s")
    ends = {}
    for item, chain in calls.groupby(calls["agent"].str.split("-").str[0]):
        assert list(chain["started_s"][1:]) == list(chain["ended_s"][:-1]) and chain["started_s"].iloc[0] == 0
        ends[item] = chain["ended_s"].iloc[-1]
    assert ends == {"0": 1.4, "1": 1.6, "2": 0.75}
    assert list(stored.runs["wall_s"]) == [1.6], "the sum of the slowest stages would be 2.5"


def test_the_two_differ_where_each_item_is_slow_at_another_stage() -> None:
    latencies = [[5000, 1000, 1000], [1000, 5000, 1000], [1000, 1000, 5000]]
    assert timed(PIPELINE, latencies).run.wall_s == 7.0
    assert timed(BARRIER, latencies).run.wall_s == 15.0


@settings(max_examples=15, deadline=None)
@given(LATENCIES, st.integers(1, 4))
def test_fewer_places_bound_it_from_both_sides(latencies: list[list[int]], places: int) -> None:
    record = timed(PIPELINE, latencies, max_concurrency=places)
    chain, work = max(map(sum, latencies)) / 1000, sum(map(sum, latencies)) / 1000
    assert most_at_once(record) <= places
    assert max(chain, work / places) - 1e-9 <= record.run.wall_s <= work + 1e-9
    assert record.run.wall_s <= work / places + chain  # no place stands empty while somebody waits (Graham, 1966)
