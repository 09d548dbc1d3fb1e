"""Several whole attempts, independent of each other, and one of them chosen without the key."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest
from support.models import ActingModel, Say, heard, named, news, turn

from harness.errors import ConfigError
from harness.limits import Limits
from harness.models.protocol import Request, TransportError
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Answering, Behaviour
from harness.records import RunRecord
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.testing.toy import NOTES, Toy, entry
from harness.topology import Topology
from tasks.qa_corpus import QaCorpus
from topologies.resample import NO_NUMBER, NO_READS, READS, Resample
from topologies.single import Single

TOY = Toy(samples=1)
RIGHT = TOY.key()
AGENTS = ("solver_1", "solver_2", "solver_3", "judge")
BROKEN = TransportError("made to fail", kind="test", retryable=False)
FAILING = Say(fault=BROKEN)


def answer(*wrong: str, without: str = "") -> str:
    """The key, with the answers about some notes wrong (and standing in no note), and one left out."""
    return json.dumps([entry(n, f"not {a}" if n in wrong else a) for n, (_, a, _) in NOTES.items() if n != without])


def model(says: Mapping[str, Sequence[Say | str]]) -> ActingModel:
    """Agent → what it says, in order."""

    def act(request: Request) -> Say:
        say = says[named(request, AGENTS)][turn(request)]
        return Say(say) if isinstance(say, str) else say

    return ActingModel(act)


def run(topology: Topology, acting: ActingModel, limits: Limits | None = None) -> RunRecord:
    (record,) = records(cell(topology, acting, suite=TOY, limits=limits))
    return record


def solvers(*texts: Say | str) -> dict[str, Sequence[Say | str]]:
    return {f"solver_{i}": [text] for i, text in enumerate(texts, 1)}


def test_the_majority_is_taken_entry_by_entry(tmp_path: Path) -> None:
    """Each attempt is wrong about one other entry: no attempt is right, and the majority is."""
    acting = model(solvers(answer("pump.txt"), answer("gate.txt"), answer("roof.txt")))
    record = run(Resample(), acting)
    assert (json.loads(record.run.answer), record.run.score) == (json.loads(RIGHT), 1.0)
    assert [(c.agent, c.started_s) for c in record.calls] == [("solver_1", 0), ("solver_2", 0), ("solver_3", 0)]
    assert record.run.coordination_tokens == record.run.verification_tokens == 0
    assert faults([record], tmp_path) == []


def test_a_majority_may_be_wrong_and_ties_go_to_the_first() -> None:
    wrong = answer("pump.txt", "roof.txt")
    for texts, topology in (((RIGHT, wrong, wrong), Resample()), ((wrong, RIGHT), Resample(attempts=2))):
        assert json.loads(run(topology, model(solvers(*texts))).run.answer) == json.loads(wrong)


@pytest.mark.parametrize("choose", ["majority", "judge", "visible"])
def test_attempts_know_nothing_of_each_other(choose: str) -> None:
    texts = [answer(name) for name in ("pump.txt", "gate.txt", "roof.txt")]
    acting = model({**solvers(*texts), "judge": ["1"]})
    run(Resample(choose=choose), acting)
    asked = [r for r in acting.requests if named(r, AGENTS) != "judge"]
    assert len(asked) == 3 and not any("not " + a in heard(r) for r in asked for _, a, _ in NOTES.values())
    assert len({r.seed for r in asked}) == 3


def test_a_judge_is_shown_all_attempts_and_names_the_best(tmp_path: Path) -> None:
    texts = [answer("pump.txt"), RIGHT, answer("gate.txt")]
    acting = model({**solvers(*texts), "judge": ["2"]})
    record = run(Resample(choose="judge"), acting)
    assert (record.run.answer, record.run.score, record.run.parse_failures) == (RIGHT, 1.0, 0)
    request = acting.requests[-1]
    assert request.tools == () and NO_READS in heard(request)
    assert all(f"\n\n[attempt {i}]\n{text}" in heard(request) for i, text in enumerate(texts, 1))
    assert TOY.sample("toy-0").statement in heard(request)
    judged = [s for s in record.shares if s.operation_id == record.calls[-1].operation_id]
    assert {s.purpose for s in judged} == {"review"}, "its reading is verification, all of it"
    assert {s.author for s in judged} == {"task", "engine", "solver_1", "solver_2", "solver_3", "judge"}
    assert record.run.coordination_tokens == 0 and record.calls[-1].started_s == 1.0
    assert faults([record], tmp_path) == []


def test_a_judge_that_reads_has_the_tasks_tools() -> None:
    acting = model({**solvers(RIGHT, RIGHT, RIGHT), "judge": ["attempt 3 is best, so 3."]})
    run(Resample(choose="judge", judge_reads=True), acting)
    assert [t["function"]["name"] for t in acting.requests[-1].tools] == ["read_document"]
    assert READS in heard(acting.requests[-1])


@pytest.mark.parametrize("said", ["", "None of them.", "0", "4", "1 or 2", "2.5", "12", "The second.", "9" * 6000])
def test_what_is_no_number_is_asked_for_once_more(said: str) -> None:
    texts = [answer("pump.txt"), RIGHT, answer("gate.txt")]
    acting = model({**solvers(*texts), "judge": [said, "2"]})
    record = run(Resample(choose="judge"), acting)
    assert (record.run.answer, record.run.parse_failures, record.run.left_out) == (RIGHT, 1, 0)
    assert news(acting.requests[-1]) == NO_NUMBER.format(attempts=3)
    again = run(Resample(choose="judge"), model({**solvers(*texts), "judge": [said, said]}))
    assert (again.run.status, again.run.answer, again.run.parse_failures) == ("ok", texts[0], 2)
    assert again.run.calls == 5 and "judge_undecided" in [e.type for e in again.events]


def test_the_first_attempt_stands_if_the_judge_fails() -> None:
    record = run(Resample(choose="judge"), model({**solvers(answer("pump.txt"), RIGHT, RIGHT), "judge": [FAILING]}))
    assert (record.run.status, record.run.answer, record.run.left_out) == ("ok", answer("pump.txt"), 1)
    assert "judge_undecided" in [e.type for e in record.events]


def test_the_judge_is_of_the_attempts_model() -> None:
    main, strong = ActingModel({}), model({**solvers(RIGHT, RIGHT), "judge": ["1"]})
    main.roles, strong.name = {"strong": strong}, "dear"
    record = run(Resample(attempts=2, choose="judge", attempt=Single(strong=True)), main)
    assert [(c.role, c.model) for c in record.calls] == [("strong", "dear")] * 2 + [("judge", "dear")]


def test_visible_tests_stop_at_the_first_that_passes(tmp_path: Path) -> None:
    plausible = json.dumps([entry(n, NOTES["pump.txt"][1]) for n in NOTES])  # stands in a note, and is wrong
    acting = model(solvers(answer("pump.txt"), plausible, RIGHT))
    record = run(Resample(choose="visible"), acting)
    assert (record.run.answer, record.run.calls) == (plausible, 2), "the key, which would tell, is not asked"
    assert [c.started_s for c in record.calls] == [0.0, 1.0]
    told = [json.loads(e.data)["failures"] for e in record.events if e.type == "tested"]
    assert [len(failures) for failures in told] == [1, 0]
    assert faults([record], tmp_path) == []


def test_if_none_passes_the_fewest_failures_count_and_ties_go_to_the_first() -> None:
    one, other, two = answer("pump.txt"), answer("gate.txt"), answer("roof.txt", without="pump.txt")
    assert run(Resample(choose="visible"), model(solvers(two, one, other))).run.answer == one
    assert run(Resample(choose="visible"), model(solvers("prose", two, "[]"))).run.answer == two


def test_what_is_best_so_far_is_graded_if_a_limit_ends_the_run() -> None:
    one, two = answer("pump.txt"), answer("roof.txt", without="pump.txt")
    record = run(Resample(choose="visible"), model(solvers(one, two)), Limits(run_calls=2))
    assert (record.run.status, record.run.answer, record.run.score) == ("limit", one, 0.75)


@pytest.mark.parametrize("choose", ["majority", "judge", "visible"])
def test_an_attempt_that_fails_is_left_out(choose: str) -> None:
    record = run(Resample(choose=choose), model({**solvers(FAILING, RIGHT, FAILING), "judge": []}))
    assert (record.run.status, record.run.score) == ("ok", 1.0)
    assert record.run.left_out == (1 if choose == "visible" else 2), "no judge for one attempt, and no third test"
    failed = run(Resample(choose=choose), model(solvers(FAILING, FAILING, FAILING)))
    assert (failed.run.status, failed.run.left_out) == ("failed", 3)
    assert "none of 3 attempts answered (" in (failed.run.error or "")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"choose": None}, "resample without a chooser .* Valid choices: majority, judge, visible"),
        ({"choose": "vote"}, "unknown topology.choose 'vote'"),
        ({"choose": "key"}, "unknown topology.choose 'key'"),
        ({"attempts": 0}, "topology.attempts=0: must be from 1 to 100"),
        ({"judge_reads": True}, "topology.judge_reads=true: there is no judge with topology.choose=majority"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        Resample(**options)  # type: ignore[arg-type]


def test_a_task_without_visible_tests_is_refused_by_who_needs_them() -> None:
    sample = replace(TOY.sample("toy-0"), visible=None)
    with pytest.raises(ConfigError, match=r"topology\.choose=visible needs visible tests, and this task has none"):
        Resample(choose="visible").check(faultless(), sample)
    for choose in ("majority", "judge"):
        Resample(choose=choose).check(faultless(), sample)
    with pytest.raises(ConfigError, match=r"topology\.attempt\.strong=true needs a stronger model"):
        Resample(attempt=Single(strong=True)).check(ActingModel({}), sample)


SAMPLES = 80


def found(topology: Topology) -> list[RunRecord]:
    """Generated samples, by a model whose errors are often enough to tell choosers apart."""
    suite = QaCorpus(corpus="generated", docs=3, samples=SAMPLES, questions=2)
    suite.load()
    simulated = SimulatedModel(behaviour=Behaviour(answering=Answering(accuracy=0.8)))
    simulated.consult(suite.oracle())
    runs = records(cell(topology, simulated, suite=suite, name="same"))
    assert {r.run.status for r in runs} == {"ok"}
    return runs


def test_choosers_that_can_tell_are_worth_it_and_a_judge_in_the_dark_is_not() -> None:
    mean = {}
    chosen: dict[str, list[RunRecord]] = {}
    for name, topology in {
        "one": Resample(attempts=1),
        "majority": Resample(),
        "dark": Resample(choose="judge"),
        "reading": Resample(choose="judge", judge_reads=True),
        "visible": Resample(choose="visible"),
    }.items():
        runs = found(topology)
        mean[name] = fmean(r.run.score for r in runs)
        chosen[name] = runs
    for dark, one in zip(chosen["dark"], chosen["majority"], strict=True):
        assert dark.run.sample_id == one.run.sample_id
    assert mean["dark"] <= mean["majority"], "a whole attempt is no better than the best of each entry's majority"
    assert min(mean["visible"], mean["reading"]) > mean["one"] + 0.01, mean
    assert mean["reading"] > mean["dark"], mean
