"""What a sample says of its agents: turns that stand before its statement, and the model that they run on."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from support.models import Call, Say, Sequenced, named
from support.runs import LedgerSpy

from harness.accounting.parts import TASK
from harness.accounting.tokens import count_tokens
from harness.models.protocol import Model, Request, Response
from harness.models.simulated import SimulatedModel
from harness.records import RunRecord
from harness.suite import Sample
from harness.testing.models import Wrapped, faultless
from harness.testing.runs import cell, faults, records
from harness.testing.toy import Toy
from harness.topology import Topology
from topologies.bus import Bus
from topologies.debate import Debate
from topologies.moa import Moa
from topologies.resample import Resample
from topologies.single import Single
from topologies.sync import Sync
from topologies.taskboard import Taskboard
from topologies.vote import Vote

EARLIER = (("Write a haiku about a pump.", "Water climbs the pipe\nunseen."), ("Shorter, please.", "Water climbs."))
TURNS = [
    turn
    for asked, answered in EARLIER
    for turn in ({"role": "user", "content": asked}, {"role": "assistant", "content": answered})
]


READ = Say("", [Call("read_document", {"document": "pump.txt"})])


@dataclass(frozen=True)
class Told(Toy):
    """The toy task with what a sample may say of its agents."""

    samples: int = 1
    earlier: tuple[tuple[str, str], ...] = EARLIER
    model: str | None = None

    def sample(self, sample_id: str) -> Sample:
        return replace(super().sample(sample_id), earlier=self.earlier, model=self.model)


class Heard(Wrapped):
    """Keeps every request."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.requests: list[Request] = []

    async def answer(self, model: Model, request: Request) -> Response:
        self.requests.append(request)
        return await super().answer(model, request)


def run(topology: Topology, model: Model, suite: Toy | None = None) -> RunRecord:
    (record,) = records(cell(topology, model, suite=suite or Told()))
    assert record.run.status == "ok", record.run.error
    return record


def test_they_stand_before_the_statement_and_change_nothing_else() -> None:
    with_them, without = Sequenced([Say("[]")]), Sequenced([Say("[]")])
    run(Single(), with_them)
    run(Single(), without, Toy(samples=1))
    system, *rest = with_them.requests[0].messages
    assert rest[:4] == TURNS
    assert [system, *rest[4:]] == list(without.requests[0].messages)
    assert with_them.requests[0].tools == without.requests[0].tools


def test_they_are_the_task_s_words_and_the_agent_s_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spy = LedgerSpy(monkeypatch)
    record = run(Single(), Sequenced([READ, Say("[]")]))
    for attempt in spy.attempts:
        parts = {part.text: (part.author, str(part.purpose)) for part in attempt.prompt}
        for asked, answered in EARLIER:
            assert (parts[asked], parts[answered]) == ((TASK, "task"), ("solver", "answer"))
    first = record.calls[0].operation_id
    read = {s.purpose: s.tokens for s in record.shares if (s.operation_id, s.direction) == (first, "prompt")}
    assert read.keys() == {"task", "answer"}
    counted = sum(part.weight for part in spy.attempts[0].prompt)
    share = sum(count_tokens(answered) for _, answered in EARLIER) * record.calls[0].prompt_tokens / counted
    assert abs(read["answer"] - share) < len(EARLIER), "each part is rounded by less than a token"
    assert record.run.coordination_tokens == record.run.verification_tokens == 0
    assert faults([record], tmp_path) == []


def test_compaction_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes are asked for once the note about the pump has been read, and what stands first stays."""
    spy = LedgerSpy(monkeypatch)
    run(Single(), Sequenced([READ, Say("[]")]))
    between = sum(sum(part.weight for part in attempt.prompt) for attempt in spy.attempts) / 2
    model = Sequenced([READ, Say("my notes"), Say("[]")], window_tokens=10_000)
    record = run(Single(compact=True, compact_at=between / 10_000), model)
    assert [e.type for e in record.events].count("compacted") == 1
    asked, after = (list(r.messages) for r in model.requests[1:])
    assert len(after) < len(asked) and after[1:6] == asked[1:6]
    assert after[1:5] == TURNS and after[5]["content"] == Told().sample("toy-0").statement
    assert after[6] == {"role": "assistant", "content": "my notes"}


PANELS: list[tuple[Any, list[str]]] = [
    (Vote(), ["voter_1", "voter_2", "voter_3"]),
    (Debate(rounds=2, stop_on_agreement=False), ["debater_1", "debater_2", "debater_3"]),
    (Moa(), ["proposer_1", "proposer_2", "proposer_3", "aggregator"]),
    (Resample(), ["solver_1", "solver_2", "solver_3"]),
]


@pytest.mark.parametrize(("topology", "agents"), PANELS, ids=lambda value: type(value).__name__)
def test_whoever_does_the_whole_task_has_them_as_its_own(
    topology: Any, agents: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Everybody is taken to have written them; nobody reads them as another's words."""
    spy, model = LedgerSpy(monkeypatch), Heard(faultless())
    record = run(topology, model)
    assert {named(r, agents) for r in model.requests} == set(agents)
    assert all(list(r.messages[1:5]) == TURNS for r in model.requests)
    for attempt in spy.attempts:
        authors = {part.author for part in attempt.prompt for _, answered in EARLIER if part.text == answered}
        assert authors == {attempt.caller.agent}
    assert faults([record], tmp_path) == []


@pytest.mark.parametrize("topology", [Bus(), Sync(), Taskboard()], ids=lambda topology: type(topology).__name__)
def test_whoever_is_sent_orders_has_not(topology: Any, tmp_path: Path) -> None:
    model = Heard(faultless())
    record = run(topology, model)
    lead = [r for r in model.requests if list(r.messages[1:5]) == TURNS]
    others = [r for r in model.requests if r not in lead]
    assert lead and others, "the work was divided"
    assert not any(answered in json.dumps(r.messages) for r in others for _, answered in EARLIER)
    assert len({c.agent for c in record.calls}) > 1 and faults([record], tmp_path) == []


def test_a_judge_of_attempts_has_before_it_what_the_statement_speaks_of() -> None:
    model = Heard(faultless())
    record = run(Resample(choose="judge"), model)
    (judged,) = [r for r in model.requests if "number of the best attempt" in str(r.messages)]
    assert [m["role"] for m in judged.messages] == ["system", *["user", "assistant"] * len(EARLIER), "user"]
    assert "judge" in {c.agent for c in record.calls}


# -- the model ---------------------------------------------------------------------------------------------------------


def models(record: RunRecord) -> dict[str, str]:
    return {c.agent: c.model for c in record.calls}


def beside(**roles: str) -> SimulatedModel:
    """A faultless model with others of these names beside it."""
    main = faultless()
    model = replace(main, by_role=dict(roles))
    model.consult(Toy().oracle())
    return model


OTHER = Told(earlier=(), model="reviewer")


@pytest.mark.parametrize("topology", [Single(), Bus(), Sync(), Moa(), Vote()], ids=lambda t: type(t).__name__)
def test_all_agents_run_on_the_sample_s_model(topology: Any) -> None:
    assert set(models(run(topology, beside(reviewer="other"), OTHER)).values()) == {"other"}
    assert set(models(run(topology, beside(reviewer="other"), Told())).values()) == {"simulated"}


def test_a_role_or_a_topology_that_says_otherwise_comes_first() -> None:
    found = models(run(Bus(), beside(reviewer="other", worker="small"), OTHER))
    assert found.pop("lead") == "other" and set(found.values()) == {"small"}
    voted = models(run(Vote(models=["a", "b", "reviewer"]), beside(reviewer="other", a="one", b="two"), OTHER))
    assert voted == {"voter_1": "one", "voter_2": "two", "voter_3": "other"}
    assert models(run(Single(strong=True), beside(reviewer="other"), OTHER)) == {"solver": "faultless-strong"}
