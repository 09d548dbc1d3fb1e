"""Mixture of agents, vote and debate, told from stored rows alone: who read whom, what it was spent on, who was left
out, and what different models are worth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean, stdev

import pandas as pd
import pytest

import results
from harness.models.protocol import Request
from harness.testing.models import Flaky, faultless
from harness.testing.runs import cell, faults, records
from harness.topology import Topology
from results import Results
from topologies.debate import Debate
from topologies.moa import Moa
from topologies.vote import Vote

from .commands import GENERATED, TALKATIVE, each, here, inside, one_error, validate
from .test_no_puppet import Busy, Edited, assert_same_distribution, erring, runs, scores, shuffled

OUTSIDE = {"task", "tool", "engine"}
ERRING = ("model.behaviour.answering.accuracy=0.8",)
FAMILIES = ("+model.roles.one=simulated", "+model.roles.two=second-family", "+model.roles.three=third-family")
MIXED = ("topology.models=[one,two,three]", *FAMILIES)
SAMPLES = 220


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("panels") / "runs"
    here(folder, "-m", "topology=vote,moa,debate", *GENERATED, "task.samples=6", *ERRING, *TALKATIVE)
    return folder


@pytest.fixture(scope="module")
def found(store: Path) -> Results:
    return results.load(store)


def read_by(found: Results, topology: str) -> pd.DataFrame:
    """Shares of prompts with the call that they belong to, of one topology."""
    prompts = found.shares[found.shares.direction == "prompt"]
    own = set(found.runs.run_id[found.runs.topology == topology])
    calls = found.calls[found.calls.run_id.isin(own)]
    return prompts.merge(calls[["run_id", "operation_id", "attempt", "agent", "role", "started_s"]])


def others(read: pd.DataFrame) -> pd.DataFrame:
    """What was written by another agent."""
    return read[(read.author != read.agent) & ~read.author.isin(OUTSIDE)]


def rounds(found: Results) -> Mapping[str, list[dict[str, object]]]:
    """Run → what its events tell of each round, with its end."""
    told: dict[str, list[dict[str, object]]] = {}
    for e in each(found.events[found.events.type == "round"]):
        told.setdefault(e.run_id, []).append({**json.loads(e.data), "at": e.at_s})
    return told


def test_the_store_holds_every_invariant(store: Path, found: Results) -> None:
    said = validate(store)
    assert said.returncode == 0, said.stdout
    assert set(found.runs.status) == {"ok"}
    assert found.runs.parse_failures.sum() > 0, "some calls were broken, and corrected by the engine"


@pytest.mark.parametrize("topology", ["vote", "moa"])
def test_no_proposer_and_no_voter_reads_another(found: Results, topology: str) -> None:
    read = read_by(found, topology)
    solvers = read[read.role != "aggregator"]
    assert solvers.agent.nunique() == 3 and others(solvers).empty
    assert set(solvers.purpose) == {"task", "answer"}


def test_a_vote_has_no_token_of_coordination(found: Results) -> None:
    votes = found.runs[found.runs.topology == "vote"]
    assert (votes.coordination_tokens == 0).all() and (votes.verification_tokens == 0).all()
    assert (votes.family == "team").all() and (votes.messages == 0).all()


def test_the_aggregator_merges_and_is_all_the_coordination_there_is(found: Results) -> None:
    read = read_by(found, "moa")
    heard = others(read)
    assert set(heard.role) == {"aggregator"} and set(heard.purpose) == {"merge"}
    assert heard.groupby("run_id").author.unique().map(sorted).map(tuple).unique().tolist() == [
        ("proposer_1", "proposer_2", "proposer_3")
    ]
    owner = found.calls[["run_id", "operation_id", "attempt", "role", "agent"]]
    owned = found.shares.merge(owner)
    mixtures = found.runs[found.runs.topology == "moa"]
    coordination = owned[owned.purpose_class.eq("coordination") & owned.run_id.isin(mixtures.run_id)]
    assert set(coordination.role) == {"aggregator"}
    assert coordination.tokens.sum() == mixtures.coordination_tokens.sum()


def test_debaters_read_each_other_from_the_second_round_on(found: Results) -> None:
    read = read_by(found, "debate")
    told = rounds(found)
    assert set(told) == set(read.run_id)
    later = 0
    for run_id, own in read.groupby("run_id"):
        first = own[own.started_s < told[str(run_id)][0]["at"]]
        rest = own[own.started_s >= told[str(run_id)][0]["at"]]
        assert others(first).empty and set(first.purpose) == {"task", "answer"}
        for _, one in rest.groupby("operation_id"):
            heard = others(one)
            assert heard.author.nunique() == 2
            assert set(heard.purpose) <= {"sync", "merge", "report"}, "read for alignment, or a repetition of such"
            later += 1
        second = rest[rest.started_s < told[str(run_id)][1]["at"]] if len(told[str(run_id)]) > 1 else rest
        assert set(others(second).purpose) <= {"sync"}, "first answers are nothing else"
    assert later >= 6 * 3, "all debate at least once"


def test_debates_end_when_all_agree_or_after_the_last_round(found: Results) -> None:
    for told in rounds(found).values():
        *before, last = told
        assert not any(t["agreed"] for t in before)
        assert last["agreed"] or last["round"] == 5


# -- who fails -----------------------------------------------------------------------------------------------------


def left_out(found: Results) -> list[tuple[str, str]]:
    told = found.events[found.events.type == "left_out"]
    assert list(found.runs.left_out) == [(told.run_id == run_id).sum() for run_id in found.runs.run_id]
    return [(e.agent, json.loads(e.data)["text"]) for e in each(told)]


def test_a_proposer_that_takes_too_long_is_left_out(tmp_path: Path) -> None:
    slow = ("topology.models=[quick,slow,quick]", "+model.roles.quick=simulated", "topology.proposer_timeout_s=60")
    words = (*slow, "+model.roles.slow={name: slow, tokens_per_s: 0.5}")
    found = here(tmp_path, "topology=moa", *GENERATED, "task.samples=2", *words)
    assert left_out(found) == [("proposer_2", "proposer_timeout_s: not done after 60 s")] * 2
    assert set(found.runs.status) == {"ok"} and (found.runs.score > 0.5).all()
    assert set(others(read_by(found, "moa")).author) == {"proposer_1", "proposer_3"}
    cut = found.calls[(found.calls.agent == "proposer_2") & (found.calls.status == "cancelled")]
    assert len(cut) == 2 and not cut.used.any()
    aggregator = found.calls[found.calls.agent == "aggregator"]
    assert set(aggregator.started_s) == {60.0}, "nobody waits any longer"


def test_two_of_three_too_slow_is_no_quorum(tmp_path: Path) -> None:
    slow = ("topology.models=[quick,slow,slow]", "+model.roles.quick=simulated", "topology.proposer_timeout_s=60")
    words = (*slow, "+model.roles.slow={name: slow, tokens_per_s: 0.5}")
    found = here(tmp_path, "topology=moa", *GENERATED, "task.samples=1", *words)
    assert (found.runs.status[0], found.runs.score[0], found.runs.left_out[0]) == ("failed", 0.0, 2)
    assert found.runs.error[0].startswith("quorum: 1 of 3 proposers answered, and 2 are needed (")
    assert found.runs.prompt_tokens[0] > 0, "and it has been paid for"


def test_a_debater_whose_window_the_debate_overruns_is_left_out(tmp_path: Path) -> None:
    """Its first answer is still read by the others in every later round."""
    debate = ("topology=debate", *GENERATED, "task.samples=1", "topology.stop_on_agreement=false", "topology.rounds=3")
    wide = here(tmp_path, *debate)
    sizes = list(wide.calls[wide.calls.agent == "debater_3"].sort_values("started_s").prompt_tokens)
    assert len(sizes) == 4, "it reads, and answers three times"
    window = (sizes[1] + sizes[2]) // 2
    models = ("topology.models=[wide,wide,narrow]", "+model.roles.wide=simulated")
    found = here(tmp_path, *debate, *models, f"+model.roles.narrow={{name: narrow, window_tokens: {window}}}")
    ((agent, why),) = left_out(found)
    assert agent == "debater_3" and why.startswith("window_tokens: ")
    (told,) = rounds(found).values()
    three = ["debater_1", "debater_2", "debater_3"]
    assert [t["answered"] for t in told] == [three, three[:2], three[:2]]
    assert found.runs.status[0] == "ok"
    heard = others(read_by(found, "debate"))
    last = heard[(heard.agent == "debater_1") & (heard.started_s >= told[1]["at"])]
    assert set(last.author) == {"debater_2", "debater_3"}


@pytest.mark.parametrize(
    "topology", [Vote(), Moa(), Debate(stop_on_agreement=False, rounds=2)], ids=lambda t: type(t).__name__
)
def test_any_one_dead_solver_is_left_out_and_the_run_is_as_good(topology: Topology, tmp_path: Path) -> None:
    """The fault hits the first request of a run: of the first solver."""

    def first(sent: int, _: Request) -> bool:
        return sent == 1

    found = records(cell(topology, Flaky(faultless(), first)))
    assert [(r.run.status, r.run.score, r.run.left_out) for r in found] == [("ok", 1.0, 1)] * 2
    assert faults(found, tmp_path) == []


# -- what it is worth ----------------------------------------------------------------------------------------------


def scores_of(store: Path, *words: str, samples: int = SAMPLES) -> list[float]:
    found = here(store, *GENERATED[:2], "task.docs=2", f"task.samples={samples}", *ERRING, *words)
    assert len(found.runs) == samples and set(found.runs.status) == {"ok"}
    return list(found.runs.sort_values("sample_id").score)


def gain(of: list[float], over: list[float]) -> tuple[float, float]:
    """Mean difference over the same samples, and its standard error."""
    differences = [a - b for a, b in zip(of, over, strict=True)]
    return fmean(differences), stdev(differences) / len(differences) ** 0.5


@pytest.mark.timeout(180)
def test_a_vote_is_worth_what_its_models_differ(tmp_path: Path) -> None:
    """Half of all draws are common to the voters of one model (answering.correlation): a common error is outvoted by
    nobody, so of what three families mend one mends about half; the rest of the errors, which are the voter's own, it
    mends as well. With all draws in common it mends nothing."""
    single, one, three = (
        scores_of(tmp_path, w, *m)
        for w, m in (("topology=single", ()), ("topology=vote", ()), ("topology=vote", MIXED))
    )
    mean, error = gain(three, one)
    assert mean > 3.29 * error, "three families beat one"
    mean, error = gain(one, single)
    assert mean > 3.29 * error, "one family still beats nobody"
    assert 0.3 < mean / gain(three, single)[0] < 0.75, "by about half of it"
    alike = "model.behaviour.answering.correlation=1"
    single, one = (scores_of(tmp_path, t, alike, samples=80) for t in ("topology=single", "topology=vote"))
    mean, error = gain(one, single)
    assert abs(mean) <= 3.29 * error and abs(mean) < 0.01, "the same error three times"


@pytest.mark.timeout(120)
def test_a_debate_converges_whoever_is_right(tmp_path: Path) -> None:
    """Agreement grows by the round, the more so the more the model gives way; what is agreed on is no better than the
    vote of the first round, at several times its tokens."""
    shares: dict[float, list[float]] = {}
    for conform, samples in ((0.0, 20), (0.5, 60), (1.0, 20)):
        words = ("topology=debate", *GENERATED, f"task.samples={samples}", *ERRING)
        more = ("topology.stop_on_agreement=false", "topology.rounds=4", f"model.behaviour.debate.conform={conform}")
        found = here(tmp_path, *words, *more)
        told = rounds(found).values()
        shares[conform] = [fmean(bool(t[n]["agreed"]) for t in told) for n in range(4)]
        if samples == 60:
            plain = here(tmp_path, *words, "topology.rounds=1").runs
            assert abs(found.runs.score.mean() - plain.score.mean()) < 0.03
            assert found.runs.prompt_tokens.sum() > 3 * plain.prompt_tokens.sum()
    first, second, third, fourth = shares[0.5]
    assert first < second < third < fourth and fourth > 0.3
    assert shares[1.0][1] > 2 * second, "a model that always gives way agrees at once"
    assert shares[0.0][3] < 0.1, "one that never does hardly ever"


@pytest.mark.parametrize("topology", [Moa(layers=2), Debate(rounds=2, stop_on_agreement=False)], ids=["moa", "debate"])
def test_the_order_of_the_tools_means_nothing(topology: Topology) -> None:
    one = scores(runs(topology, erring(), Busy(samples=1)))
    other = scores(runs(topology, Edited(erring(), shuffled), Busy(samples=1)))
    assert_same_distribution(one, other)


# -- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["topology=moa", "topology.proposers=0"], "topology.proposers=0: must be from 1 to 100."),
        (["topology=moa", "topology.layers=0"], "topology.layers=0: must be from 1"),
        (["topology=vote", "topology.quorum=4"], "topology.quorum=4 with topology.voters=3: must be from 1 to 3"),
        (["topology=debate", "topology.rounds=0"], "topology.rounds=0: must be from 1"),
        (["topology=moa", "topology.aggregator=judge"], "unknown model in topology.aggregator 'judge'"),
        (["topology=vote", "topology.models=[a,b,c]"], "unknown model in topology.models 'a'"),
        (["topology=vote", "topology.models=[strong]"], "has 1 for topology.voters=3: name one model for each voter"),
        (["topology=debate", "topology.debaters=three"], "topology.debaters"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path: Path, words: list[str], error: str) -> None:
    assert error in one_error(inside(tmp_path, *words, *GENERATED))
    assert not (tmp_path / "runs").exists()
