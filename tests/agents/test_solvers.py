"""Agents that do the same task each for itself: the terms that are refused, and what becomes of those that fail."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.models import Say
from support.panels import DEAD, READ, Panel, left_out
from support.runs import check_invariants, run_once

from harness.errors import ConfigError
from harness.limits import Limits
from harness.suite import Sample
from harness.testing.models import faultless
from harness.topology import Topology
from topologies.debate import Debate
from topologies.moa import Moa
from topologies.vote import Vote

SAMPLE = Sample("s0", "", "", None, 1, "0", 1.0, 1.0)
KINDS = [(Vote, "voter"), (Moa, "proposer"), (Debate, "debater")]


@pytest.mark.parametrize(("kind", "role"), KINDS)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"{}s": 0}, "topology.{}s=0: must be from "),
        ({"{}s": 101}, "topology.{}s=101: must be from "),
        ({"{}s": -2}, "topology.{}s=-2: must be from "),
        ({"models": ["a", "b"]}, "topology.models=['a', 'b'] has 2 for topology.{}s=3: name one model for each {}"),
        ({"quorum": 4}, "topology.quorum=4 with topology.{}s=3: must be from 1 to 3, or null for more than half."),
        ({"quorum": 0}, "topology.quorum=0 with topology.{}s=3: must be from 1 to 3"),
        ({"{}_steps": 0}, "topology.{}_steps=0: must be above 0."),
        ({"{}_timeout_s": 0.0}, "topology.{}_timeout_s=0.0: must be above 0."),
    ],
)
def test_terms_that_nobody_can_meet(kind: Any, role: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(words.format(role, role))):
        kind(**{key.format(role): value for key, value in options.items()})


@pytest.mark.parametrize("option", [{"rounds": 0}, {"rounds": -1}])
def test_a_debate_without_rounds(option: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"topology\.rounds=.*: must be from 1"):
        Debate(**option)


def test_a_mixture_without_layers() -> None:
    with pytest.raises(ConfigError, match=r"topology\.layers=0: must be from 1"):
        Moa(layers=0)


@pytest.mark.parametrize(
    ("topology", "key"),
    [
        (Vote(models=["strong", "strnog", "strong"]), "topology.models"),
        (Debate(models=["strnog", "strong", "strong"]), "topology.models"),
        (Moa(models=["strong", "strong", "strnog"]), "topology.models"),
        (Moa(aggregator="strnog"), "topology.aggregator"),
    ],
)
def test_a_model_that_is_not_there(topology: Any, key: str) -> None:
    words = f"unknown model in {key} 'strnog'. Did you mean 'strong'? Valid choices: strong."
    with pytest.raises(ConfigError, match=re.escape(words)):
        topology.check(faultless(), SAMPLE)


@pytest.mark.parametrize("topology", [Vote(), Vote(models=["strong"] * 3), Moa(aggregator="strong"), Debate()])
def test_models_that_are_there(topology: Any) -> None:
    topology.check(faultless(), SAMPLE)


def vote(says: dict[str, list[Say]], *, limits: Limits | None = None, **options: Any) -> Any:
    topology: Topology = Vote(**{"voters": len(says), **options})
    record = run_once(topology, Panel("vote", says), limits=limits)
    check_invariants(record)
    return record


def test_more_than_half_is_the_quorum_by_default() -> None:
    for voters, dead, status in ((3, 1, "ok"), (3, 2, "failed"), (4, 1, "ok"), (4, 2, "failed"), (1, 1, "failed")):
        says = {f"voter_{n}": [DEAD if n <= dead else Say("yes")] for n in range(1, voters + 1)}
        record = vote(says)
        assert record.run.status == status
        assert [name for name, _ in left_out(record)] == [f"voter_{n}" for n in range(1, dead + 1)]


def test_a_missed_quorum_says_how_many_there_were() -> None:
    record = vote({"voter_1": [DEAD], "voter_2": [Say("yes")], "voter_3": [Say("yes")]}, quorum=3)
    assert (record.run.status, record.run.error_type) == ("failed", "TopologyFailed")
    assert record.run.error == "quorum: 2 of 3 voters answered, and 3 are needed (test: made to fail by a test)"
    assert (record.run.answer, record.run.score) == ("yes", 0.0), "what there was is kept, and not graded"
    assert vote({"voter_1": [DEAD], "voter_2": [DEAD], "voter_3": [Say("yes")]}, quorum=1).run.status == "ok"


def test_why_each_was_left_out() -> None:
    says = {
        "voter_1": [DEAD],
        "voter_2": [READ, READ, READ],
        "voter_3": [Say("late", latency_s=10.5)],
        "voter_4": [Say("in time", latency_s=9.5)],
    }
    record = vote(says, quorum=1, voter_steps=2, voter_timeout_s=10.0)
    assert left_out(record) == [
        ("voter_1", "test: made to fail by a test"),
        ("voter_2", "max_steps: 3 is 1 over the bound of 2"),
        ("voter_3", "voter_timeout_s: not done after 10 s"),
    ]
    assert record.run.answer == "in time"
    (cut,) = [c for c in record.calls if c.agent == "voter_3"]
    assert (cut.status, cut.used, cut.ended_s) == ("cancelled", False, 10.0)


def test_at_the_very_deadline_it_is_too_late_and_the_answer_does_not_count() -> None:
    says = {"voter_1": [Say("one", latency_s=5)], "voter_2": [Say("two", latency_s=1)]}
    record = vote(says, quorum=1, voter_timeout_s=5.0)
    assert left_out(record) == [("voter_1", "voter_timeout_s: not done after 5 s")]
    assert record.run.answer == "two", "of two that differ the first would win"


def test_only_so_many_work_at_once_and_the_time_in_the_queue_is_not_theirs() -> None:
    says = {f"voter_{n}": [Say("yes", latency_s=4)] for n in (1, 2, 3)}
    record = vote(says, limits=Limits(workers_running=1), voter_timeout_s=5.0)
    assert sorted(c.started_s for c in record.calls) == [0.0, 4.0, 8.0]
    assert (record.run.wall_s, record.run.left_out) == (12.0, 0)


def test_a_limit_of_the_run_is_not_an_agent_s_failure() -> None:
    says = {"voter_1": [Say("yes", latency_s=1)], "voter_2": [READ, Say("no")], "voter_3": [READ, Say("no")]}
    record = vote(says, limits=Limits(run_calls=3))
    assert (record.run.status, record.run.answer, record.run.left_out) == ("limit", "yes", 0)
    assert record.run.limit.startswith("run_calls")


def test_a_defect_ends_the_run() -> None:
    record = run_once(Vote(), Panel("vote", {"voter_1": [Say("yes")], "voter_2": [Say("yes")], "voter_3": []}))
    assert (record.run.status, record.run.error_type, record.run.left_out) == ("error", "IndexError", 0)
