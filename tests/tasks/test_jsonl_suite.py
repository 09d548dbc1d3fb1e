"""The suite jsonl as the engine sees it, and a file of every grader through topologies."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf
from support.lines import write

import results
from harness.agents.tools import ToolFailed
from harness.delegation.rules import Delegation
from harness.entry.command import run
from harness.entry.commandline import CommandLine
from harness.entry.compose import compose
from harness.entry.schema import make, settings
from harness.errors import ConfigError, CorpusError, HarnessError
from harness.suite import Sample
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.testing.suites import SuiteConformance
from harness.topology import Topology
from tasks.jsonl import Jsonl
from tasks.jsonl.graders import GRADERS
from topologies.bus import Bus
from topologies.moa import Moa
from topologies.nested import Nested
from topologies.single import Single
from topologies.sync import Sync
from topologies.taskboard import Taskboard

CONF = Path(__file__).parents[2] / "conf" / "task" / "jsonl.yaml"
MEETING = "# Meeting\n\nThey met in Harbor Hall.\n\nIt took 45 minutes, not 60."
SCHEMA = {
    "type": "object",
    "properties": {"place": {"type": "string"}, "minutes": {"type": "integer"}},
    "required": ["place", "minutes"],
}
NOTES = [{"name": "meeting.md", "text": MEETING}, {"name": "other notes", "text": "Nothing of note."}]
READ: list[dict[str, Any]] = [
    {"id": "where", "input": "Where did they meet?", "target": "Harbor Hall", "documents": NOTES, "cluster": "meeting"},
    {"id": "long", "input": "How long\ndid it take?", "target": "45 minutes", "grader": "number", "documents": NOTES},
    {"id": "told", "input": "Tell where.", "target": ["Harbor", "Hall"], "grader": "contains", "documents": NOTES},
    {"id": "both", "input": "Both.", "target": {"place": "Harbor Hall", "minutes": 45}, "grader": "schema"},
]
for _row, _proof in zip(READ, ("met in Harbor Hall", "took 45 minutes", "met in Harbor", "took 45"), strict=True):
    _row["evidence"] = _proof
READ[3] |= {"schema": SCHEMA, "documents": NOTES}
ADD = {
    "id": "add",
    "input": "Write add(a, b).",
    "target": "def test_small(program):\n    assert program['solution'].add(1, 2) == 3\n",
    "grader": "python",
    "solution": "def add(a, b):\n    return a + b\n",
}


class TestReading(SuiteConformance):
    samples = 4

    @pytest.fixture(autouse=True)
    def file(self, tmp_path: Path) -> None:
        self.path = write(tmp_path / "mine.jsonl", *READ)

    def suite(self) -> Jsonl:
        return Jsonl(path=self.path)

    def dumps(self, suite: Jsonl, sample: Sample) -> Sequence[str]:
        task = suite.problem(sample.id)
        whole = "\n\n".join(document.text for document in task.documents)
        grader = GRADERS[task.grader]
        right = grader.right(task)
        every = [grader.entry(task, value) for value in (right, *grader.wrong(task, []))]
        dumped = f"{whole}\n{right}\n" * 200
        return [dumped, json.dumps(every), json.dumps([grader.entry(task, dumped)]), f"```\n{dumped}\n```"]


class TestClosed(TestReading):
    """Without documents; the sandbox, which takes a process an answer, has its own tests below."""

    closed = True

    @pytest.fixture(autouse=True)
    def file(self, tmp_path: Path) -> None:
        rows = [{k: v for k, v in row.items() if k not in ("documents", "evidence")} for row in READ]
        self.path = write(tmp_path / "mine.jsonl", *rows)


@pytest.fixture
def mine(tmp_path: Path) -> str:
    return write(tmp_path / "mine.jsonl", *READ, ADD)


@pytest.mark.parametrize("topology", [Single(), Sync(), Bus(), Moa()])
def test_topologies_solve_it_and_a_faultless_model_makes_no_mistake(
    topology: Topology, mine: str, tmp_path: Path
) -> None:
    suite = Jsonl(path=mine)
    suite.load()
    found = records(cell(topology, faultless(suite.oracle()), suite=suite), concurrency=8)
    assert [(r.run.sample_id, r.run.status, r.run.score) for r in found] == [
        (i, "ok", 1.0) for i in ("where", "long", "told", "both", "add")
    ]
    assert faults(found, tmp_path) == []


@pytest.mark.parametrize("topology", [Sync(), Nested(), Taskboard()])
def test_a_question_of_several_lines_is_handed_out_like_one_on_one_line(topology: Topology, tmp_path: Path) -> None:
    done = []
    for text in ("Add up:\n\n1\n2\n", "Add up: 1, 2"):
        suite = Jsonl(path=write(tmp_path / "long.jsonl", {"input": text, "target": "3"}))
        suite.load()
        (found,) = records(cell(topology, faultless(suite.oracle()), suite=suite))
        done.append((found.run.score, found.run.calls, len(found.delegations)))
    assert done[0] == done[1] == (1, done[1][1], 1)


@pytest.mark.parametrize("topology", [Bus(), Sync(delegation=Delegation()), Nested()])
def test_an_order_asks_for_an_object_where_the_answer_is_one(topology: Topology, tmp_path: Path) -> None:
    row = {"input": "Both?", "grader": "schema", "schema": SCHEMA, "target": {"place": "Harbor Hall", "minutes": 45}}
    suite = Jsonl(path=write(tmp_path / "object.jsonl", row))
    suite.load()
    (found,) = records(cell(topology, faultless(suite.oracle()), suite=suite))
    assert (found.run.score, found.run.retries_validation) == (1, 0) and found.delegations


def test_without_a_solution_the_simulated_model_has_none_and_the_run_is_graded(tmp_path: Path) -> None:
    bare = {"grader": "schema", "schema": SCHEMA, "input": "Any."}
    suite = Jsonl(path=write(tmp_path / "bare.jsonl", bare, {**ADD, "solution": None}))
    suite.load()
    found = records(cell(Single(), faultless(suite.oracle()), suite=suite))
    assert [(r.run.status, r.run.score) for r in found] == [("ok", 0.0)] * 2
    assert "def test_small" in suite.key("add") and '"minutes"' in suite.key("1"), "what a judge can go by"


def test_lines_as_inspect_ai_reads_them(tmp_path: Path) -> None:
    rows = [
        {"input": "6 times 7?", "target": "42", "id": 7, "metadata": {"level": 1}, "choices": None, "sandbox": None},
        {"input": "Capital?", "target": ["Bern", "Berne"]},
    ]
    suite = Jsonl(path=write(tmp_path / "inspect.jsonl", *rows))
    assert suite.sample_ids() == ["7", "2"]
    graded = asyncio.run(suite.grade(suite.sample("7"), " 42. "))
    assert graded.score == 1 and graded.detail["metadata"] == {"level": 1} and graded.detail["grader"] == "exact"
    assert [asyncio.run(suite.grade(suite.sample("2"), a)).score for a in ("Bern", "berne", "Basel")] == [1, 1, 0]
    assert "level" not in suite.sample("7").statement


def test_the_default_grader_is_an_option(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"input": "?", "target": "42"}, {"input": "?", "target": "x", "grader": "exact"})
    suite = Jsonl(path=path, grader="number")
    assert asyncio.run(suite.grade(suite.sample("1"), "$42.0")).score == 1
    assert asyncio.run(suite.grade(suite.sample("2"), "x")).score == 1


def test_what_a_solver_sees_and_what_it_does_not(mine: str) -> None:
    suite = Jsonl(path=mine)
    sample = suite.sample("long")
    assert sample.statement.endswith("\n\nTask long: How long\ndid it take?")
    assert "- meeting.md (Meeting; " in sample.statement and "- other_notes.txt (" in sample.statement
    assert "45" not in sample.statement
    assert sample.material_tokens == sample.graph_work > sample.graph_critical_path
    tools = {tool.name: tool for tool in suite.tools(sample)}
    assert set(tools) == {"list_documents", "read_document", "search_documents"}
    with pytest.raises(ToolFailed, match=r"meeting\.md"):
        asyncio.run(_call(tools["read_document"].run, document="mine.jsonl"))
    closed = suite.sample("add")
    assert suite.tools(closed) == () and closed.graph_work == closed.graph_critical_path
    assert closed.statement.endswith("\n\nTask add, solution.py: Write add(a, b).")
    assert "target" in repr(sample.visible) and "45 minutes'" not in repr(sample.visible), "the key is not in it"


async def _call(tool: Any, **arguments: object) -> object:
    return await tool(arguments)


def test_clusters_and_tags_and_hashes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {**READ[0], "tags": ["easy"]}, READ[1])
    one, two = (Jsonl(path=path).sample(i) for i in ("where", "long"))
    assert (one.cluster_id, one.tags, two.cluster_id, two.tags) == ("meeting", ("easy",), "long", ())
    for change in ({"target": "Hall"}, {"input": "Where?"}, {"documents": NOTES[:1]}, {"aliases": ["Hall"]}):
        other = Jsonl(path=write(tmp_path / "b.jsonl", {**READ[0], **change}))
        assert other.sample("where").material_hash != one.material_hash, change
    same = Jsonl(path=write(tmp_path / "c.jsonl", READ[1], {**READ[0], "wrong": ["x"], "metadata": 1}))
    assert same.sample("where").material_hash == one.material_hash


def test_limit_ids_and_shuffle(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", *({"input": f"{n}?", "target": str(n)} for n in range(1, 31)))
    ids = [str(n) for n in range(1, 31)]
    assert list(Jsonl(path=path).sample_ids()) == ids
    assert list(Jsonl(path=path, limit=2).sample_ids()) == ["1", "2"]
    assert list(Jsonl(path=path, only=["12", "3"]).sample_ids()) == ["3", "12"]
    mixed = [list(Jsonl(path=path, shuffle=True, seed=seed).sample_ids()) for seed in (0, 0, 1)]
    assert mixed[0] == mixed[1] != mixed[2] and sorted(mixed[0]) == sorted(mixed[2]) == sorted(ids) and mixed[0] != ids
    shuffled = Jsonl(path=path, shuffle=True)
    assert all(shuffled.sample(i) == Jsonl(path=path).sample(i) for i in ("1", "12", "30"))
    with pytest.raises(CorpusError, match="line numbers"):
        Jsonl(path=path, only=["31"]).load()


def test_ids_of_any_kind_are_found_again(tmp_path: Path) -> None:
    ids = ["a: b", "HumanEval/0", "题 一", "x, solution.py", "3.", "- y", "Task 1"]
    suite = Jsonl(path=write(tmp_path / "a.jsonl", *({"id": i, "input": f"{i}? 1: 2", "target": "z"} for i in ids)))
    suite.load()
    oracle = suite.oracle()
    for i in ids:
        for line in (f"Task {i}: {i}? 1: 2", f" 4. Task {i}: {i}? 1: 2 ", f"Task {i}"):
            item = oracle.lookup(line)
            assert item is not None and item.right == {"task": f"Task {i}", "answer": "z"}, line
    assert all(oracle.lookup(line) is None for line in ("", "a: b", "Task", "Task a", f"Task {ids[0]}: other", ids[1]))
    found = records(cell(Single(), faultless(oracle), suite=suite))
    assert [r.run.score for r in found] == [1] * len(ids)


def test_wrong_answers_come_from_the_line_or_from_its_neighbours(tmp_path: Path) -> None:
    rows = [
        {"input": "a?", "target": "one", "wrong": ["two", "three"]},
        {"input": "b?", "target": 5, "grader": "number"},
        {"input": "c?", "target": "four"},
        {"input": "d?", "target": "One"},
    ]
    oracle = Jsonl(path=write(tmp_path / "a.jsonl", *rows)).oracle()
    wrong = [[e["answer"] for e in oracle.lookup(f"Task {n}").wrong] for n in (1, 2, 3)]  # type: ignore[union-attr]
    assert wrong[0][:3] == ["two", "three", "four"] and "One" not in wrong[0], "right is never wrong"
    assert wrong[1] == ["50", "6", "-6"]
    assert wrong[2][:2] == ["One", "one"]


def test_the_configuration_file_says_what_the_class_does() -> None:
    values = OmegaConf.to_container(OmegaConf.load(CONF))
    assert isinstance(values, dict)
    assert set(values) == {"_target_", *settings(Jsonl)}
    assert make(values, "task") == Jsonl()


@pytest.mark.parametrize(
    ("options", "error", "names"),
    [
        ({}, ConfigError, "task.path=FILE"),
        ({"grader": "exactly"}, ConfigError, "Did you mean 'exact'"),
        ({"path": "/no/such.jsonl"}, CorpusError, "task.path=/no/such.jsonl does not exist"),
        ({"path": "/"}, CorpusError, "is a folder"),
        ({"path": "/dev/null"}, CorpusError, "no regular file"),
    ],
)
def test_bad_options_give_one_clear_error(options: dict[str, Any], error: type[HarnessError], names: str) -> None:
    with pytest.raises(error) as caught:
        Jsonl(**options).load()
    assert names in str(caught.value)


def test_a_sweep_over_all_tasks_leaves_it_out() -> None:
    command = CommandLine.parse(["harness", "-m", "topology=single", "task=glob(*,exclude=jsonl)"])
    chosen = {composed.choices["task"] for composed in compose(command, "test")}
    assert {"math", "qa_corpus"} <= chosen and "jsonl" not in chosen


def test_a_sweep_that_does_not_is_told_so_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "harness/__main__.py",
        "-m",
        "topology=single",
        "task=glob([jsonl,math])",
        f"store.dir={tmp_path / 'rows'}",
    ]
    assert run(words) == 2
    said = capsys.readouterr().err
    assert "task=jsonl needs a file of yours" in said and "'task=glob(*,exclude=jsonl)'" in said
    assert not (tmp_path / "rows").exists()


def test_a_command_runs_it_with_epochs(mine: str, tmp_path: Path) -> None:
    words = [
        "task=jsonl",
        f"task.path={mine}",
        "task.limit=3",
        "epochs=2",
        "bus=memory",
        f"store.dir={tmp_path / 'rows'}",
    ]
    assert run(["harness/__main__.py", *words, "summary=false", "progress=none"]) == 0
    rows = results.load(tmp_path / "rows").runs
    assert sorted(rows["sample_id"]) == ["long", "long", "told", "told", "where", "where"]
    assert set(rows["epoch"]) == {0, 1} and rows.groupby("sample_id")["material_hash"].nunique().eq(1).all()


def test_memory_stays_flat_over_many_lines(tmp_path: Path) -> None:
    """10 MB of lines, of which little more than ids and offsets is kept."""
    line = json.dumps({"input": "word " * 1000, "target": "x"})
    path = write(tmp_path / "many.jsonl", *([line] * 2000))
    suite = Jsonl(path=path)
    tracemalloc.start()
    suite.load()
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 1_000_000 and peak < 2_000_000
    assert suite.sample("2000").statement.endswith("word")
