"""The table of claims: figures worked out by hand, and nothing in it that nobody runs."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import pytest
import yaml
from omegaconf import OmegaConf
from rich.console import Console
from run_builder import Call, Read, record

from harness.entry.overrides import spread, varied
from harness.errors import StoreError
from harness.records import RunRecord
from results.claims.claim import Claim
from results.claims.measures import calls, channels, isolated, share, times_single
from results.claims.picture import CellRows, Picture
from results.claims.registry import CLAIMS
from results.claims.render import print_claims
from results.claims.report import compare
from results.frames import load
from results.isolation import compression

ROOT = Path(__file__).parents[2]
EXPERIMENT = ROOT / "conf" / "experiment" / "claims.yaml"


def run(topology: str, made: list[Call], params: str | None = None, *, sample: str = "a", **more: Any) -> RunRecord:
    cell = more.pop("cell", topology)
    return record(made, topology=topology, cell=cell, sample=sample, params=params, simulated=True, **more)


def picture(root: Path) -> Picture:
    return Picture(load(root))


def rows(root: Path, topology: str) -> CellRows:
    found = picture(root).find({"topology": topology})
    assert found is not None
    return found


SINGLE = [Call("solver", [Read("task", 80)], [("answer", 20, 0)])]
MOA = [
    *(Call(f"proposer_{n}", [Read("task", 80)], [("answer", 20, 0)]) for n in (1, 2, 3)),
    Call("aggregator", [Read("merge", 60, author="proposer_1")], [("merge", 40, 0)], intent="merge"),
]


def with_roles(made: RunRecord) -> RunRecord:
    for call in made.calls:
        call.role = call.agent.split("_")[0]
    return made


def test_a_ratio_and_its_parts_by_hand(fill: Any) -> None:
    root = fill(run("single", SINGLE), with_roles(run("moa", MOA)))
    measure = times_single("moa", {"proposers": ("proposer",), "aggregator": ("aggregator",)})
    found = measure({"single": rows(root, "single"), "moa": rows(root, "moa")})
    assert found.value == 4.0 and found.parts == {"proposers": 3.0, "aggregator": 1.0}
    assert "single spends 100 tokens a sample, 80 % of them" in found.ledger
    assert "60 % task, 25 % merge, 15 % answer" in found.ledger


def test_a_share_by_hand(fill: Any) -> None:
    root = fill(with_roles(run("moa", MOA)))
    found = share("x", {"read": ("merge",), "work": ("task", "answer")}, ("read",))({"x": rows(root, "moa")})
    assert found.value == 25.0 and found.parts == {"read": 25.0, "work": 75.0}


def test_isolation_by_hand(fill: Any) -> None:
    """5,000 tokens of source over 100 that come back: what is read again, by the lead, or is no source does not count,
    and neither does what the lead reads of its own or for the second time."""
    alone = [Call("solver", [Read("task", 6_000)], [("answer", 20, 0)])]
    team = [
        Call("lead", [Read("task", 900), Read("task", 70, author="tool")], [("dispatch", 30, 0)]),
        Call("worker", [Read("dispatch", 30, author="lead"), Read("task", 4_000, author="tool")], [("answer", 5, 0)]),
        Call("worker", [Read("task", 4_000, "self", "tool"), Read("task", 1_000, author="tool")], [("answer", 90, 0)]),
        Call("lead", [Read("dispatch", 30, "self", "lead"), Read("merge", 100, author="worker")], [("merge", 9, 0)]),
        Call("lead", [Read("merge", 100, "self", "worker"), Read("merge", 9, author="lead")], [("merge", 9, 0)]),
    ]
    root = fill(run("single", alone), run("sync", team), run("bus", team[:3]))
    found = isolated("sync")({"single": rows(root, "single"), "sync": rows(root, "sync")})
    assert found is not None and found.value == 50
    assert found.ledger.startswith("5,000 tokens of source read for 100 handed back, a sample; the largest prompt of ")
    assert "the lead has 970 tokens and single's 6,000" in found.ledger
    assert compression(load(root)) == {"sync": 50.0}
    assert isolated("bus")({"single": rows(root, "single"), "bus": rows(root, "bus")}) is None, "nothing came back"


def test_calls_are_operations_not_attempts(fill: Any) -> None:
    twice = [Call("lead", [Read("task", 5)], [("answer", 5, 0)], operation="op1", attempt=n) for n in (1, 2)]
    root = fill(run("nested", [*twice, Call("bottom", [Read("task", 5)], [("answer", 5, 0)])]))
    found = calls("x")({"x": rows(root, "nested")})
    assert found.value == 2.0


@pytest.mark.parametrize("agents", [3, 5])
def test_channels_by_hand(fill: Any, agents: int) -> None:
    """Each reads all others; a reading in one direction is enough, and what the task or a tool wrote is no channel."""
    names = [f"agent{n}" for n in range(agents)]
    made = []
    for n, name in enumerate(names):
        peers = [Read("sync", 10, author=peer) for peer in names[:n]]
        made.append(Call(name, [Read("task", 10), Read("task", 3, author="tool"), *peers], [("answer", 5, 0)]))
    found = channels("x")({"x": rows(fill(run("debate", made)), "debate")})
    assert found.value == agents * (agents - 1) / 2


def test_cells_on_other_samples_are_no_comparison(fill: Any) -> None:
    root = fill(run("single", SINGLE), run("moa", MOA, sample="b"))
    with pytest.raises(ValueError, match="different samples"):
        times_single("moa", {})({"single": rows(root, "single"), "moa": rows(root, "moa")})


def claim(**more: Any) -> Claim:
    return Claim("c", "s", "says", **{"low": 4, "high": 5, "unit": "×", **more})


@pytest.mark.parametrize(("value", "differs"), [(3.1, True), (3.2, False), (4.5, False), (6.0, False), (6.1, True)])
def test_a_fifth_outside_the_claimed_range_is_a_difference(value: float, differs: bool) -> None:
    assert claim().differs(value) is differs


@pytest.mark.parametrize(("value", "differs"), [(0.9, True), (1.0, True), (1.01, False), (70.0, False)])
def test_what_is_only_claimed_to_be_exceeded_has_no_tolerance(value: float, differs: bool) -> None:
    assert claim(low=1, high=math.inf).differs(value) is differs


def test_the_table_says_what_is_measured_and_what_is_not(fill: Any) -> None:
    half = '{"topology": "moa", "model.behaviour.reading.parallel": 4}'
    root = fill(
        run("single", SINGLE),
        with_roles(run("moa", MOA)),
        run("single", SINGLE, half.replace("moa", "single"), cell="s4"),
        with_roles(run("moa", MOA[:2], half, cell="m4")),
    )
    table = compare(load(root))
    by_name = {row.claim.name: row for row in table.rows}
    moa = by_name["mixture of agents"]
    assert moa.measured is not None and moa.measured.value == 4.0 and moa.runs == 2
    assert moa.differs and moa.made_of.startswith(
        "made up of aggregator 1 where 4 is claimed, proposers 3 where 3 is claimed ×; single spends 100 tokens"
    )
    (swing,) = moa.swings
    assert (swing.half, swing.double) == (2.0, None), "what was not run is not made up"
    assert by_name["debate"].measured is None and not by_name["debate"].made_of
    out = io.StringIO()
    print_claims(load(root), None, Console(file=out, width=200))
    said = out.getvalue()
    assert "never evidence about a real model" in said and said.count("SIMULATED · ") == 4
    assert "not measured yet: not in this experiment" in said
    assert "mixture of agents: differs, 4 × for 7 ×: made up of" in said


def test_several_experiments_are_refused(fill: Any) -> None:
    root = fill(run("single", SINGLE))
    fill(run("single", SINGLE, experiment="other"), experiment="other")
    with pytest.raises(StoreError, match="name one with --experiment ID"):
        compare(load(root))


def planned() -> list[dict[str, Any]]:
    """The parameters of each cell that the shipped experiment runs."""
    lines = OmegaConf.to_container(OmegaConf.load(EXPERIMENT))["cells"]  # type: ignore[index,call-overload]
    return [varied(cell, ()) for cell in spread([], lines)]


def test_the_experiment_runs_just_the_cells_that_claims_ask_for() -> None:
    needed: list[dict[str, Any]] = []
    for c in CLAIMS:
        needed += [dict(params) for params in c.cells.values()]
        for matter in c.matters:
            for value in (matter.half, matter.double):
                needed += [{**c.cells[name], matter.key: value} for name in matter.moves]
    ran = planned()
    assert all(cell in ran for cell in needed), [cell for cell in needed if cell not in ran]
    assert all(cell in needed for cell in ran), [cell for cell in ran if cell not in needed]
    assert len(ran) == len({str(sorted(cell.items(), key=str)) for cell in ran})


def test_half_and_double_are_those_of_the_shipped_defaults() -> None:
    shipped = OmegaConf.create({"model": yaml.safe_load((ROOT / "conf" / "model" / "simulated.yaml").read_text())})
    for c in CLAIMS:
        for matter in c.matters:
            assert OmegaConf.select(shipped, matter.key) == matter.default, matter.key


def test_every_claim_is_measured_or_says_what_is_missing() -> None:
    for c in CLAIMS:
        assert (c.measure is None) == bool(c.missing) == (not c.cells), c.name
    measured = yaml.safe_load(EXPERIMENT.read_text())
    model = [line for line in measured["cells"] if "model." in line and "model.window_tokens=" not in line]
    assert all("model.behaviour." in line or "model.latency." in line for line in model), (
        "default but for half and double, and for the window that is too small"
    )
    real = yaml.safe_load(EXPERIMENT.with_name("claims_real.yaml").read_text())
    assert real["cells"] == [line for line in measured["cells"] if "model." not in line]
    assert {**real, "cells": None} == {**measured, "cells": None}
