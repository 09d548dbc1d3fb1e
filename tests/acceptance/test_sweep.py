"""Both topologies on the same samples, from one command: what is stored adds up, and what is compared is comparable."""

from __future__ import annotations

import re
from pathlib import Path

import results
from harness.accounting.purposes import CLASS_OF
from harness.testing.models import Listening, faultless
from harness.testing.runs import cell, records
from tasks.qa_corpus import QaCorpus
from tasks.qa_corpus.statement import BRIEF
from topologies.bus import Bus
from topologies.single import Single

from .commands import validate

TOTALS = ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens")


def test_validate_finds_no_fault(sweep_store: Path) -> None:
    done = validate(sweep_store)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("invariants checked: clean\n")


def test_both_solve_the_same_samples(sweep: results.Results) -> None:
    assert set(sweep.runs.status) == {"ok"}
    material = sweep.runs.pivot(index="sample_id", columns="topology", values="material_hash")
    assert len(material) >= 5 and not material.isna().any().any()
    assert (material["single"] == material["bus"]).all()


def test_only_the_team_has_coordination(sweep: results.Results) -> None:
    coordination = sweep.runs.groupby("topology").coordination_tokens
    assert coordination.max()["single"] == 0 and coordination.min()["bus"] > 0
    alone = sweep.shares[sweep.shares.topology == "single"]
    assert set(alone.purpose) == {"task", "answer"} and set(alone.reread) <= {"new", "self"}


def test_every_token_and_picodollar_has_one_known_purpose(sweep: results.Results) -> None:
    """Summed anew from the rows, by nothing but addition."""
    shares = sweep.shares
    assert set(shares.purpose) <= set(CLASS_OF) - {"unknown"}
    assert (shares.purpose.map(CLASS_OF) == shares.purpose_class).all()
    runs = sweep.runs.set_index("run_id").sort_index()
    by_run = shares.groupby("run_id")
    assert (by_run.tokens.sum() == runs.prompt_tokens + runs.completion_tokens).all()
    assert (by_run.cached_tokens.sum() == runs.cached_tokens).all()
    assert (by_run.cost_pusd.sum() == runs.cost_pusd).all()
    by_call = sweep.calls.groupby("run_id")
    for column in (*TOTALS, "cost_pusd"):
        assert (by_call[column].sum() == runs[column]).all(), column
    for name in ("work", "coordination", "verification"):
        own = shares[shares.purpose_class == name].groupby("run_id").tokens.sum().reindex(runs.index, fill_value=0)
        assert (own == runs[f"{name}_tokens"]).all(), name


def test_cost_follows_from_the_price_card_alone(sweep: results.Results) -> None:
    """conf/model/simulated.yaml: 0.15, 0.075 and 0.60 USD per million, so picodollars a token: 150,000, 75,000 and
    600,000."""
    runs = sweep.runs
    plain = runs.prompt_tokens - runs.cached_tokens
    expected = 150_000 * plain + 75_000 * runs.cached_tokens + 600_000 * runs.completion_tokens
    assert (runs.cost_pusd == expected).all()


def test_the_bridge_is_an_identity(sweep: results.Results) -> None:
    """team − single = coordination + Δ verification + duplicated task text + other Δ work, in tokens."""
    runs, shares = sweep.runs, sweep.shares
    (group,) = results.summarize(sweep).groups
    (bridge,) = group.bridges
    totals = (runs.prompt_tokens + runs.completion_tokens).groupby(runs.topology).sum()
    team = shares[shares.topology == "bus"]
    coordination = team[team.purpose_class == "coordination"].tokens.sum()
    duplicated = team[(team.purpose == "task") & (team.reread == "cross")].tokens.sum()
    verification = team[team.purpose_class == "verification"].tokens.sum()
    work = team[team.purpose_class == "work"].tokens.sum() - totals["single"]
    terms = bridge.tokens
    assert (terms.coordination, terms.duplicated_task) == (coordination, duplicated)
    assert (terms.verification, terms.unknown, terms.fees) == (verification, 0, 0)
    assert terms.other_work == work - duplicated
    assert terms.delta == totals["bus"] - totals["single"] == work + coordination + verification


def test_what_is_not_scaffold_in_a_system_prompt_is_the_same_in_both() -> None:
    suite = QaCorpus(corpus="generated", docs=4, samples=1)
    suite.load()
    told: dict[str, set[str]] = {}
    for topology in (Single(), Bus()):
        seen: list[str] = []
        records(cell(topology, Listening(faultless(suite.oracle()), seen), suite=suite))
        told[topology.family] = set(seen)
    common = re.compile(r"\[run \d{3}-\d{3}-\d{3}-\d{3}\]\n" + re.escape(BRIEF))
    assert len(told["single"]) == 1 and len(told["team"]) == 4  # the lead and three members
    assert all(common.fullmatch(prompt) for prompt in told["single"])
    for prompt in told["team"]:
        brief = common.match(prompt)
        assert brief is not None and prompt[brief.end() :].startswith("\n\nYou ")
