"""From stored rows alone: what ``nested`` does with three layers, with one, without a limit, and when somebody dies."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import results
from harness.limits import Limits
from harness.models.protocol import Request
from harness.records import RunRecord
from harness.testing.models import Flaky, faultless
from harness.testing.runs import cell, faults, records
from topologies.nested import Nested

from .commands import GENERATED, QUIET, here, inside, one_error, validate

CALM = ("model.behaviour.delegation.trouble=0", "model.behaviour.malformed.rate=0")
DOCS_8 = ("task=qa_corpus", "task.corpus=generated", "task.docs=8", "task.limit=2")


def nested(folder: Path, *words: str) -> results.Results:
    found = here(folder / "runs", "topology=nested", *DOCS_8, *words)
    said = validate(folder / "runs")
    assert said.returncode == 0, said.stdout
    return found


def first_reads(found: results.Results, agent: str) -> pd.DataFrame:
    """What an agent's first call read."""
    shares = found.shares
    return shares[
        (shares.operation_id == f"{agent}#1") & (shares.direction == "prompt") & (shares.run_id == shares.run_id[0])
    ]


def test_three_layers_at_depth_2(tmp_path: Path) -> None:
    found = nested(tmp_path, "limits.max_depth=2", *CALM)
    assert set(found.runs.status) == {"ok"} and set(found.runs.messages) == {0}
    layers = found.calls.groupby("agent").depth.max().groupby(level=0).first()
    assert dict(layers.groupby(layers).size()) == {0: 1, 1: 3, 2: 6}
    assert {a.partition("_")[0]: d for a, d in layers.items()} == {"lead": 0, "middle": 1, "bottom": 2}
    assert set(found.calls.role) == {"lead", "middle", "bottom"}
    parents = found.calls[found.calls.agent == "bottom_3_2"].parent_session_id
    assert parents.str.endswith("/middle_3").all()
    assert set(found.runs.depth_violations) == {0}
    orders = found.delegations.order.map(json.loads)
    assert len(orders) == 2 * 9 and all(o["forbidden_actions"] == [] for o in orders)


def test_one_question_in_the_cascade_of_three_times_two(tmp_path: Path) -> None:
    """The lead reads, divides, answers; each middle agent divides and puts together; each bottom reads and answers."""
    found = nested(tmp_path, "limits.max_depth=null", "task.questions=1", *CALM)
    assert set(found.runs.calls) == {3 + 3 * 2 + 6 * 2}


def test_with_the_default_limit_every_attempt_is_refused_and_counted(tmp_path: Path) -> None:
    found = nested(tmp_path, *CALM)
    assert found.calls.depth.max() == 1 and set(found.runs.status) == {"ok"}
    tried = found.events[found.events.type == "depth_violation"]
    assert set(tried.agent) == {"middle_1", "middle_2", "middle_3"}
    assert set(tried.data.map(json.loads).map(lambda d: (d["depth"], d["max_depth"]))) == {(2, 1)}
    counted = dict(tried.groupby("run_id").size())
    assert dict(zip(found.runs.run_id, found.runs.depth_violations, strict=True)) == counted
    assert set(counted.values()) == {12}, "two parts of three middle agents, each sent twice"
    assert (found.runs.score > 0.7).all(), "they do their parts themselves"
    assert set(found.delegations.status) == {"success"}


def test_the_whole_context_travels_down(tmp_path: Path) -> None:
    found = nested(tmp_path, "limits.max_depth=2", *CALM)
    shares = found.shares
    lead = shares[
        (shares.operation_id == "lead#2") & (shares.direction == "prompt") & (shares.run_id == shares.run_id[0])
    ]
    material = lead[(lead.author == "tool") & (lead.reread == "new")].tokens.sum()
    assert material > 3000
    for agent in ("middle_1", "middle_3", "bottom_1_1", "bottom_3_2"):
        read = first_reads(found, agent)
        documents = read[(read.author == "tool") & (read.purpose == "task")]
        assert set(documents.reread) == {"cross"}, "the lead has read it before"
        assert documents.tokens.sum() == pytest.approx(material, rel=0.03)  # but for what stands around messages
        statement = read[(read.author == "task") & (read.purpose == "task") & (read.reread == "cross")]
        assert statement.tokens.sum() > 300
        assert set(read[read.author == "lead"].purpose) >= {"dispatch"}
    assert set(first_reads(found, "bottom_1_1").author) >= {"lead", "middle_1"}


def test_it_costs_several_times_the_single_agent_s_tokens(tmp_path: Path) -> None:
    found = here(tmp_path / "runs", "-m", "topology=single,nested", *DOCS_8, "limits.max_depth=2", *CALM)
    tokens = (found.runs.prompt_tokens + found.runs.completion_tokens).groupby(found.runs.topology).sum()
    assert tokens["nested"] > 5 * tokens["single"]
    carried = found.shares[found.shares.reread == "cross"].tokens.sum()
    assert carried > tokens["nested"] / 3, "most of it is carried"


def test_without_a_limit_a_piece_that_nobody_can_parse_goes_round_until_the_overall_timeout(tmp_path: Path) -> None:
    wide = ("limits.max_depth=null", "limits.run_calls=null", "limits.run_wall_s=200")
    found = nested(tmp_path, *wide, "topology.fan_out=[1,1]", "model.behaviour.delegation.trouble=1", "task.limit=1")
    (run,) = found.runs.itertuples()
    assert run.status == "timeout" and run.limit == "run_wall_s: not done after 200 s"
    assert run.depth_violations == 0 and run.score == 0
    deeper = found.calls[found.calls.depth > 2]
    assert set(deeper.role) == {"bottom"} and deeper.depth.max() >= 10
    assert "unanswered" in set(found.delegations.status)
    same = nested(tmp_path / "2", *wide, "topology.fan_out=[1,1]", "model.behaviour.delegation.trouble=1",
                  "task.limit=1", "limits.max_depth=2")  # fmt: skip
    assert set(same.runs.status) == {"ok"} and same.calls.depth.max() == 2
    spent = [(f.runs.prompt_tokens + f.runs.completion_tokens).sum() for f in (found, same)]
    assert spent[0] > 5 * spent[1], "what the missing limit burnt"


# -- somebody dies -------------------------------------------------------------------------------------------------


def killed(kind: str, only: int | None) -> list[RunRecord]:
    """Runs in which the requests of a layer fail: all of them, or only the one of this number."""
    count: dict[int, int] = {}

    def fails(n: int, request: Request) -> bool:
        if f"of the type {kind}" not in str(request.messages[0]["content"]):
            return False
        run = request.seed >> 32
        count[run] = count.get(run, 0) + 1
        return only is None or count[run] == only

    return records(cell(Nested(fan_out=[2, 2]), Flaky(faultless(), fails), limits=Limits(max_depth=2)))


def outcomes(record: RunRecord, agent: str) -> list[str]:
    """What an agent read of its dispatches."""
    return [json.loads(e.data)["outcome"] for e in record.events if e.type == "step" and e.agent == agent]


def test_a_middle_agent_that_dies_is_replaced_once(tmp_path: Path) -> None:
    found = killed("middle", 1)
    for r in found:
        assert (r.run.status, r.run.score) == ("ok", 1.0)
        assert sorted(outcomes(r, "lead")) == ["FAILED", "SUCCESS", "SUCCESS"]
        (dead,) = [d for d in r.delegations if d.status == "failed"]
        assert dead.worker == "middle_1" and json.loads(dead.validation_errors) == ["test: made to fail by a test"]
        assert "middle_3" in {c.agent for c in r.calls} and not [c for c in r.calls if c.agent.startswith("bottom_1")]
    assert faults(found, tmp_path) == []


def test_when_all_of_them_die_the_lead_does_the_work(tmp_path: Path) -> None:
    found = killed("middle", None)
    for r in found:
        assert (r.run.status, r.run.score) == ("ok", 1.0)
        assert outcomes(r, "lead") == ["FAILED"] * 4 and {c.depth for c in r.calls} == {0, 1}
    assert faults(found, tmp_path) == []


def test_a_middle_agent_that_dies_after_its_bottoms_have_worked_leaves_its_finished_steps(tmp_path: Path) -> None:
    found = killed("middle", 3)  # the second step of the first of two
    for r in found:
        assert (r.run.status, r.run.score) == ("ok", 1.0)
        assert "PARTIAL_SUCCESS" in outcomes(r, "lead")
        (dead,) = [d for d in r.delegations if d.status == "partial_success"]
        assert "dispatch_sub_agent(" in dead.raw_output and "[SUCCESS]" in dead.raw_output
    assert faults(found, tmp_path) == []


def test_bottoms_that_die_are_their_middle_agents_failures(tmp_path: Path) -> None:
    found = killed("bottom", None)
    for r in found:
        assert (r.run.status, r.run.score) == ("ok", 1.0)
        assert outcomes(r, "lead") == ["SUCCESS"] * 2, "each middle agent does its part itself"
        assert outcomes(r, "middle_1") == ["FAILED"] * 4
    assert faults(found, tmp_path) == []


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("topology.fan_out=[]", "topology.fan_out=[]: give a number of parts"),
        ("topology.fan_out=[3,0]", "topology.fan_out=[3, 0]: give"),
        ("topology.worker_timeout_s=0", "topology.worker_timeout_s=0"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, word: str, says: str) -> None:
    assert says in one_error(inside(tmp_path, "topology=nested", *GENERATED, word, *QUIET))
