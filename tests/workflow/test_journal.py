"""Running a script again replays what has not changed: no model is called, and the rows say so."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from support.models import ActingModel, Say
from support.panels import DEAD

from harness.dispatch.definition import SubAgent
from harness.errors import ConfigError
from harness.limits import Limits
from harness.models.protocol import Request
from harness.models.simulated import SimulatedModel
from harness.records import RunRecord
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.workflow.journal import Journal
from tasks.review import Review
from topologies.expert import ExpertTeam
from topologies.single import Single
from topologies.sync import Sync
from topologies.workflow import Workflow

from .stage import main, obedient, ran, told, written

BODY = main(
    "found = await parallel([lambda: agent(task, label='find') for _ in range(2)])",
    "answers = '\\n\\n'.join(found)",
    "return await agent(f'{task}\\n\\nCombine these answers into one.\\n\\n{answers}', label='combine')",
)


class Forbidden(ActingModel):
    """A model that must not be called."""

    def __init__(self) -> None:
        super().__init__(lambda _: pytest.fail("a model was called"))


def toy(folder: Path, body: str = BODY, model: Any = None, **options: Any) -> list[RunRecord]:
    topology = Workflow(script=written(folder, body), journal=str(folder / "journal.jsonl"), **options)
    return records(cell(topology, model or faultless()))


def spent(record: RunRecord) -> list[tuple[Any, ...]]:
    """What was spent on what, whoever is paid for it."""
    return sorted(
        (s.operation_id, s.attempt, s.direction, s.purpose, s.author, s.tokens, s.cached_tokens, s.reread)
        for s in record.shares
    )


def test_a_second_run_is_free_and_otherwise_the_same(tmp_path: Path) -> None:
    first = toy(tmp_path)
    size = (tmp_path / "journal.jsonl").stat().st_size
    model = faultless()
    model.complete = Forbidden().complete  # type: ignore[method-assign]
    again = toy(tmp_path, model=model)
    for a, b in zip(first, again, strict=True):
        assert (b.run.status, b.run.score, b.run.answer) == ("ok", 1.0, a.run.answer)
        assert (b.run.wall_s, b.run.cost_pusd, b.run.cost_usd, b.run.cost_uncached_usd) == (0.0, 0, 0.0, 0.0)
        assert (b.run.prompt_tokens, b.run.completion_tokens) == (a.run.prompt_tokens, a.run.completion_tokens)
        assert {c.served_from for c in b.calls} == {"journal"} and {c.served_from for c in a.calls} == {"provider"}
        billed = {c.operation_id: c.cost_usd for c in a.calls}
        assert {c.operation_id: c.list_cost_usd for c in b.calls} == billed
        assert spent(b) == spent(a)
        assert [(d.worker, d.status, d.tokens) for d in b.delegations] == [
            (d.worker, d.status, d.tokens) for d in a.delegations
        ]
        assert {d["replayed"] for d in told(b, "agent_returned")} == {True}
        assert "served from a journal" in b.run.warnings and "journal" not in a.run.warnings
    assert (tmp_path / "journal.jsonl").stat().st_size == size
    assert faults(again, tmp_path / "store") == []


def test_what_several_have_said_stays_whose_it_was(tmp_path: Path) -> None:
    """Three reviewers come to the same findings at different times, and each is verified as soon as it is there."""
    suite = Review(limit=2)
    suite.load()

    def rows() -> list[RunRecord]:
        model = SimulatedModel()
        model.consult(suite.oracle())
        return records(cell(Workflow(script="review", journal=str(tmp_path / "j.jsonl")), model, suite=suite))

    first, again = rows(), rows()
    assert {c.served_from for r in again for c in r.calls} == {"journal"}
    assert [spent(r) for r in again] == [spent(r) for r in first]


def test_other_bounds_of_an_agent_make_other_calls(tmp_path: Path) -> None:
    toy(tmp_path)
    assert {c.served_from for r in toy(tmp_path, worker_steps=23) for c in r.calls} == {"provider"}


def test_served_calls_count_against_limits(tmp_path: Path) -> None:
    topology = Workflow(script=written(tmp_path, BODY), journal=str(tmp_path / "journal.jsonl"))
    records(cell(topology, faultless()))
    tight = records(cell(topology, faultless(), limits=Limits(run_calls=2)))
    assert {r.run.status for r in tight} == {"limit"} and all("run_calls" in str(r.run.limit) for r in tight)
    assert {c.served_from for r in tight for c in r.calls} == {"journal"}


@pytest.mark.parametrize("field", ["calls", "name", "result", "place", "shares"])
def test_a_damaged_entry_names_the_file_and_what_to_do(tmp_path: Path, field: str) -> None:
    toy(tmp_path)
    journal = tmp_path / "journal.jsonl"
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    journal.write_text("".join(json.dumps({k: v for k, v in line.items() if k != field}) + "\n" for line in lines))
    record, *_ = toy(tmp_path)
    assert record.run.status == "error"
    assert "journal.jsonl: the entry " in str(record.run.error) and "is damaged" in str(record.run.error)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this machine")
def test_what_is_no_ordinary_file_is_no_journal() -> None:
    with pytest.raises(ConfigError, match="is no ordinary file"):
        Journal("/dev/full").check()


def test_a_full_disk_leaves_a_whole_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy(tmp_path)
    journal = tmp_path / "journal.jsonl"
    before = journal.read_bytes()
    open_as_ever = Path.open

    class Full(FileIO):
        def write(self, line: Any) -> int:
            return super().write(bytes(line)[:9])

    monkeypatch.setattr(Path, "open", lambda self, *a, **k: Full(str(self), "a+") if a else open_as_ever(self, *a, **k))
    with pytest.raises(ConfigError, match=r"no space left on device\. Make room"):
        Journal(str(journal)).append("0" * 64, {"a": 1})
    assert journal.read_bytes() == before


def test_a_run_that_only_estimates_leaves_no_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    workflow = Workflow(script="research", journal=str(journal))
    (first, *_) = records(replace(cell(workflow, faultless()), rehearsal=True))
    assert first.run.status == "ok" and not journal.exists()


def test_only_a_changed_prompt_is_called_anew(tmp_path: Path) -> None:
    first = toy(tmp_path)
    changed = toy(tmp_path, BODY.replace("Combine these", "Put these"))
    for a, b in zip(first, changed, strict=True):
        served = {c.agent: c.served_from for c in b.calls}
        assert served == {"find": "journal", "find_2": "journal", "combine": "provider"}
        anew = [c for c in a.calls if c.agent == "combine"]
        assert b.run.wall_s == pytest.approx(sum(c.ended_s - c.started_s for c in anew), abs=2)
        assert b.run.cost_pusd == sum(c.cost_pusd or 0 for c in b.calls if c.agent == "combine")
        assert {(s[3], s[4], s[7]) for s in spent(b)} == {(s[3], s[4], s[7]) for s in spent(a)}, (
            "re-reading is the same"
        )
    assert faults(changed, tmp_path / "store") == []


@pytest.mark.parametrize(
    ("change", "options"),
    [
        (("label='find'", "label='search'"), {}),
        (("async def main", "# a comment\nasync def main"), {}),
        (("agent(task, label='find') for", "agent(task, label='find', phase='P') for"), {}),
        (("label='find'", "label='find'"), {"max_concurrency": 1}),
    ],
)
def test_what_changes_no_call_changes_no_key(tmp_path: Path, change: tuple[str, str], options: dict[str, Any]) -> None:
    toy(tmp_path)
    again = toy(tmp_path, BODY.replace(*change), **options)
    assert {c.served_from for r in again for c in r.calls} == {"journal"}
    assert faults(again, tmp_path / "store") == []


def test_the_names_of_a_replay_are_its_own(tmp_path: Path) -> None:
    toy(tmp_path)
    again = toy(tmp_path, BODY.replace("label='find'", "label='search'"))
    assert {c.agent for c in again[0].calls} == {"search", "search_2", "combine"}
    authors = {s.author for s in again[0].shares}
    assert authors == {"search", "search_2", "combine", "task", "engine", "tool"}


def test_a_failed_call_is_made_again(tmp_path: Path) -> None:
    says = iter([DEAD, Say("now")])
    body = main("found = await parallel([lambda: agent('x')])", "return str(found)")
    journal = str(tmp_path / "journal.jsonl")
    assert ran(tmp_path, body, lambda _: next(says), journal=journal).run.answer == "[None]"
    assert ran(tmp_path, body, lambda _: next(says), journal=journal).run.answer == "['now']"


def test_equal_calls_are_told_apart_by_their_order(tmp_path: Path) -> None:
    says = iter(["first", "second"])
    body = main("return [await agent('x'), await agent('x')]")
    journal = str(tmp_path / "journal.jsonl")
    first = ran(tmp_path, body, lambda _: Say(next(says)), journal=journal)
    again = ran(tmp_path, body, model=Forbidden(), journal=journal)
    assert first.run.answer == again.run.answer == '["first", "second"]'


def test_a_schema_s_value_comes_back_as_a_value(tmp_path: Path) -> None:
    body = main("found = await agent('x', schema={'type': 'array'})", "return str(sum(found))")
    journal = str(tmp_path / "journal.jsonl")
    ran(tmp_path, body, lambda _: Say("[1, 2]"), journal=journal)
    assert ran(tmp_path, body, model=Forbidden(), journal=journal).run.answer == "3"


def test_other_seeds_models_and_types_are_other_calls(tmp_path: Path) -> None:
    journal = str(tmp_path / "journal.jsonl")
    body = main("return await agent('x')")
    sent: list[Request] = []

    def acts(request: Request) -> Say:
        sent.append(request)
        return obedient(request)

    ran(tmp_path, body, acts, journal=journal)
    ran(tmp_path, body, acts, journal=journal, seed=1)
    ran(tmp_path, body, model=ActingModel(acts, name="other"), journal=journal)
    ran(tmp_path, main("return await agent('x', type='coder')"), acts, journal=journal)
    ran(tmp_path, body, acts, journal=journal, ablate="general_purpose")
    roled = ActingModel(acts)
    roled.roles = {"general_purpose": ActingModel(acts, name="of-the-role")}
    ran(tmp_path, body, model=roled, journal=journal)
    assert len(sent) == 6


def test_a_worker_that_is_a_topology_is_replayed_whole(tmp_path: Path) -> None:
    solo = SubAgent("solo", "does it alone", inside=Single())
    body = main("return await agent(task, type='solo')")
    first = toy(tmp_path, body, definitions=[solo])
    again = toy(tmp_path, body.replace("type='solo'", "type='solo', label='alone'"), definitions=[solo])
    assert {c.agent for r in again for c in r.calls} == {"alone/solver"}
    assert {c.session_id for c in again[0].calls} == {f"{again[0].run.run_id}/alone"}
    assert [r.run.answer for r in first] == [r.run.answer for r in again]
    assert {c.served_from for r in again for c in r.calls} == {"journal"}
    assert faults(again, tmp_path / "store") == []


@pytest.mark.parametrize("inner", ["solver", "pair", "experts"])
def test_rows_of_a_replay_stand_where_rows_of_calls_stand(tmp_path: Path, inner: str) -> None:
    """Two workers ask the same, so one entry serves both, each in its own place."""
    (tmp_path / "in").mkdir()
    body = main(f"return await agent(task, type={inner!r}, label='who')")
    own = {"pair": Sync(types=["research"]), "experts": ExpertTeam()}
    crew = Workflow(script=written(tmp_path / "in", body), journal=str(tmp_path / "in.jsonl"), inside=own)
    outer = written(tmp_path, main("return (await parallel([lambda: agent(task, type='crew')] * 2))[0]"))

    def rows() -> tuple[set[tuple[Any, ...]], set[str]]:
        found = records(cell(Workflow(script=outer, inside={"crew": crew}), faultless()))
        assert {r.run.status for r in found} == {"ok"}
        assert faults(found, tmp_path / f"rows{len(list(tmp_path.iterdir()))}") == []
        calls = [c for r in found for c in r.calls]
        return {(c.agent, c.session_id, c.parent_session_id, c.depth) for c in calls}, {c.served_from for c in calls}

    first, again = rows(), rows()
    assert first[0] == again[0] and len(first[0]) >= 4
    assert (first[1], again[1]) == ({"provider"}, {"journal"})


def test_a_torn_last_line_is_ignored_and_gives_way(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    Journal(str(path)).append("a" * 64, {"n": 1})
    with path.open("a") as file:
        file.write('{"key": "' + "b" * 64 + '", "n"')
    torn = Journal(str(path))
    torn.check()
    assert torn.entry("a" * 64) == {"key": "a" * 64, "n": 1} and torn.entry("b" * 64) is None
    torn.append("c" * 64, {"n": 3})
    assert [json.loads(line)["n"] for line in path.read_text().splitlines()] == [1, 3]


def test_a_file_that_is_no_journal_is_refused_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("a note\nanother\n")
    script = written(tmp_path, main("return 'x'"))
    sample: Any = None
    for journal, what in (("notes.txt", "line 1 is no entry"), ("none/j.jsonl", "no folder"), (".", "cannot be read")):
        topology = Workflow(script=script, journal=str(tmp_path / journal))
        with pytest.raises(ConfigError, match=what):
            topology.check(faultless(), sample)
    assert (tmp_path / "notes.txt").read_text() == "a note\nanother\n"


def test_many_writers_never_tear_each_other_s_lines(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"

    def write(n: int) -> None:
        for m in range(25):
            Journal(str(path)).append(f"{n:032x}{m:032x}", {"text": "x" * 5000})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert len({line["key"] for line in lines}) == len(lines) == 100
    assert {len(line["text"]) for line in lines} == {5000}
