"""Every invariant, broken by one change to a consistent run, is reported; consistent runs never are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_builder import Call, Experiment, Read, Tried, record, records, rename, single, team

from harness.errors import StoreError
from harness.records import RunRecord
from results import validate
from results.store import Store
from results.validate import HEADLESS, INVARIANTS, KEPT, UNIQUE, Violation, check

Break = Callable[[RunRecord], None]


def put(table: str, index: int, **changes: Any) -> Break:
    """Overwrite fields of one row."""

    def change(made: RunRecord) -> None:
        row = made.run if table == "run" else getattr(made, table)[index]
        for name, value in changes.items():
            setattr(row, name, value)

    return change


def drop(table: str, index: int) -> Break:
    def change(made: RunRecord) -> None:
        del getattr(made, table)[index]

    return change


def again(table: str, index: int, **changes: Any) -> Break:
    """A second row like one that is there."""

    def change(made: RunRecord) -> None:
        rows = getattr(made, table)
        rows.append(replace(rows[index], **changes))

    return change


# In team(): calls are 0 lead/plan, 1 worker (failed), 2 worker, 3 lead/merge; shares 0-3 are call 0's (task, scaffold |
# plan, dispatch), 4-7 call 2's (task, dispatch | answer, report), 8-11 call 3's (merge, review | merge, review).
BREAKS: list[tuple[str, Break]] = [
    ("prompt_shares", put("shares", 0, tokens=701)),
    ("completion_shares", put("shares", 2, tokens=99)),
    ("cached_shares", put("calls", 0, cached_tokens=5)),
    ("reasoning_shares", put("calls", 0, reasoning_tokens=5)),
    ("cost_shares", put("shares", 0, cost_pusd=700 * 3_000_000 + 1)),
    ("cost_shares", put("calls", 2, fee_pusd=0)),
    ("cost_unknown_together", put("shares", 0, cost_pusd=None)),
    ("cost_unknown_together", put("calls", 0, fee_pusd=None)),
    ("cost_unknown_together", put("calls", 0, cost_pusd=None, cost_usd=None)),
    ("cost_in_usd", put("calls", 0, cost_usd=1.0)),
    ("cost_in_usd", put("calls", 0, cost_usd=None)),
    ("cost_not_negative", put("calls", 1, cost_pusd=-1, cost_usd=-1e-12)),
    ("journal_is_free", put("calls", 0, served_from="journal")),
    ("missing_usage", put("calls", 0, usage_status="missing")),
    ("cached_within_prompt", put("calls", 0, cached_tokens=600, cache_write_tokens=301)),
    ("cached_within_prompt", put("calls", 0, cache_write_tokens=-1)),
    ("reasoning_within_completion", put("calls", 0, reasoning_tokens=151)),
    ("attempt_has_shares", put("calls", 1, prompt_tokens=1)),
    ("attempt_is_unique", again("calls", 0)),
    ("attempt_times", put("calls", 0, ended_s=-0.1)),
    ("attempt_times", put("calls", 0, started_s=float("nan"))),
    ("attempt_words", put("calls", 0, status="fine")),
    ("attempt_words", put("calls", 0, usage_status="guessed")),
    ("attempt_words", put("calls", 0, served_from="memory")),
    ("late_is_unused", put("calls", 3, late=True, ended_s=10.5)),
    ("late_is_after", put("calls", 3, late=True, used=False, ended_s=10.0)),
    ("late_is_after", put("calls", 3, ended_s=10.5)),  # the run took 10 s
    ("judge_after_answer", put("calls", 0, activity="judge")),
    ("attempt_purposes", put("calls", 0, activity="unknown")),
    ("attempt_purposes", put("calls", 0, intent="thinking")),
    ("activity_leads", put("calls", 0, activity="dispatch")),
    ("judge_apart", put("calls", 0, activity="judge")),
    ("judge_apart", put("shares", 0, purpose="judge", purpose_class="judge")),
    ("call_has_run", put("calls", 0, run_id="elsewhere")),
    ("attempts_numbered", put("calls", 2, attempt=3)),
    ("attempts_numbered", put("calls", 0, attempt=0)),
    ("operation_has_one_agent", put("calls", 1, agent="worker2")),
    ("operation_has_one_agent", put("calls", 1, session_id="other")),
    ("share_not_negative", put("shares", 0, tokens=-1)),
    ("share_not_negative", put("shares", 0, cost_pusd=-1)),
    ("share_within_tokens", put("shares", 0, cached_tokens=701)),
    ("share_within_tokens", put("shares", 0, reasoning_tokens=1)),
    ("share_within_tokens", put("shares", 2, cached_tokens=1)),
    ("share_purpose", put("shares", 0, purpose="unknown", purpose_class="unknown")),
    ("share_purpose", put("shares", 0, purpose="chat")),
    ("share_class", put("shares", 0, purpose_class="coordination")),
    ("share_direction", put("shares", 0, direction="input")),
    ("share_reread", put("shares", 0, reread="twice")),
    ("share_reread", put("shares", 2, reread="self")),
    ("share_has_author", put("shares", 0, author="")),
    ("share_has_call", put("shares", 0, operation_id="op9")),
    ("share_has_call", drop("calls", 0)),
    ("share_has_run", put("shares", 0, run_id="elsewhere")),
    ("run_tokens_by_calls", put("run", 0, prompt_tokens=1)),
    ("run_tokens_by_calls", put("run", 0, cached_tokens=1)),
    ("run_tokens_by_calls", put("run", 0, cache_write_tokens=1)),
    ("run_tokens_by_calls", put("run", 0, completion_tokens=1)),
    ("run_tokens_by_calls", put("run", 0, reasoning_tokens=1)),
    ("run_tokens_by_agents", put("calls", 0, agent="")),
    ("run_tokens_by_purposes", drop("shares", 0)),
    ("run_tokens_by_activities", put("calls", 0, activity="unknown")),
    ("run_tokens_by_class", put("run", 0, work_tokens=1501)),
    ("run_tokens_by_class", put("run", 0, coordination_tokens=801)),
    ("run_tokens_by_class", put("run", 0, verification_tokens=201)),
    ("run_cost_by_calls", put("run", 0, cost_pusd=1)),
    ("run_cost_by_calls", put("run", 0, cost_pusd=None)),
    ("run_cost_by_agents", put("calls", 0, agent="")),
    ("run_cost_by_purposes", drop("shares", 0)),
    ("run_cost_by_activities", put("calls", 0, activity="unknown")),
    ("run_cost_in_usd", put("run", 0, cost_usd=0.0184)),
    ("run_cost_complete", put("run", 0, cost_complete=False)),
    ("run_judge", put("run", 0, judge_tokens=1)),
    ("run_judge", put("run", 0, judge_cost_usd=0.1)),
    ("run_graded_by", put("run", 0, rule_score=0.5)),
    ("run_graded_by", put("run", 0, rubric_hash="0" * 64)),
    ("run_graded_by", put("run", 0, grader="judge", rule_score=1.5)),
    ("run_graded_by", put("run", 0, grader="judge")),
    ("run_graded_by", put("run", 0, grader="judge", rubric_hash="0" * 64, rule_score=1.0)),
    ("run_graded_by", put("calls", 0, activity="judge")),
    ("run_counts", put("run", 0, calls=4)),
    ("run_counts", put("run", 0, attempts=5)),
    ("run_counts", put("run", 0, retries_transport=0)),
    ("run_counts", put("run", 0, messages=1)),
    ("run_counts", drop("messages", 1)),
    ("run_validation_retries", put("run", 0, retries_validation=0)),
    ("run_validation_retries", put("delegations", 0, status="failed")),
    ("run_peak", put("run", 0, peak_prompt_tokens=901)),
    ("run_words", put("run", 0, status="done")),
    ("run_words", put("run", 0, family="pair")),
    ("run_score", put("run", 0, score=1.01)),
    ("run_score", put("run", 0, score=-0.01, passed=False)),
    ("run_score", put("run", 0, score=float("nan"), passed=False)),
    ("run_passed", put("run", 0, passed=False)),
    ("run_single_family", put("run", 0, family="single")),
    ("message_reply", put("messages", 1, in_reply_to="m9")),
    ("message_words", put("messages", 0, delivery="lost")),
    ("message_times", put("messages", 0, read_s=-1.0)),
    ("message_has_run", put("messages", 0, run_id="elsewhere")),
    ("delegation_words", put("delegations", 1, status="done")),
    ("delegation_json", put("delegations", 0, order="[]")),
    ("delegation_json", put("delegations", 0, order="{")),
    ("delegation_json", put("delegations", 1, validation_errors="{}")),
    ("delegation_json", put("delegations", 0, validation_errors="[1]")),
    ("delegation_json", put("delegations", 0, unchecked="[null]")),
    ("delegation_errors", put("delegations", 1, status="needs_person")),
    ("delegation_errors", put("delegations", 1, status="failed")),
    ("delegation_errors", put("delegations", 1, validation_errors='["no"]')),
    ("delegation_errors", put("delegations", 0, validation_errors="[]")),
    ("delegation_unanswered", put("delegations", 1, status="unanswered")),
    ("delegation_returned", put("delegations", 0, validated=False)),
    ("delegation_returned", drop("delegations", 1)),
    ("delegation_counts", put("delegations", 0, tokens=-1)),
    ("delegation_counts", put("delegations", 0, card_tokens=-1)),
    ("delegation_counts", put("delegations", 0, seconds=-0.1)),
    ("delegation_copied", put("delegations", 1, copied_tokens=-1)),
    ("delegation_copied", put("delegations", 1, copied_tokens=14)),  # "one two three" has 13 bytes
    ("delegation_has_run", put("delegations", 0, run_id="elsewhere")),
    ("tries_numbered", put("delegations", 1, try_=3)),
    ("tries_numbered", put("delegations", 0, try_=0)),
    ("tries_numbered", again("delegations", 1)),
    ("tries_numbered", drop("delegations", 0)),
    ("tries_of_one_subtask", put("delegations", 1, subtask_id="subtask_9")),
    ("tries_of_one_subtask", put("delegations", 1, worker="worker2")),
    ("tries_of_one_subtask", put("delegations", 1, type="research")),
    ("worker_tokens", put("delegations", 1, tokens=951)),
    ("worker_tokens", put("delegations", 1, tokens=949)),
    ("events_numbered", put("events", 3, seq=5)),
    ("events_numbered", put("events", 0, seq=1)),
    ("events_numbered", drop("events", 0)),
    ("event_has_run", put("events", 0, run_id="elsewhere")),
]


def names(root: Path) -> set[str]:
    return {fault.name for fault in check(root).faults}


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[int, str], list[Violation]]:
    """(place of a break, fault) → all it reports of that break. Each has a part of its own, with one good and one bad
    run, and parts do not touch each other (test_batch.py): one check of all of them is a check of each."""
    root = tmp_path_factory.mktemp("broken")
    store = Store(str(root), open_cells=len(BREAKS) + 1)
    store.open(Experiment("exp"))
    for i, (_, change) in enumerate(BREAKS):
        good, bad = (team(cell=f"cell-{i}", sample=sample) for sample in ("good", "bad"))
        change(bad)
        store.write(good)
        store.write(bad)
    store.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(validate, "KEPT", 100_000)
        report = check(root)
    assert (report.runs, report.parts, report.clean) == (2 * len(BREAKS), len(BREAKS), False)
    found: dict[tuple[int, str], list[Violation]] = {}
    for fault in report.faults:
        assert fault.count == len(fault.first) and fault.says
        for violation in fault.first:
            place = re.search(r"exp-cell-(\d+)-00000\.parquet$", violation.file)
            assert place is not None
            found.setdefault((int(place[1]), fault.name), []).append(violation)
    return found


@pytest.mark.parametrize("place", range(len(BREAKS)), ids=[f"{name}-{i}" for i, (name, _) in enumerate(BREAKS)])
def test_one_change_breaks_it(reported: Mapping[tuple[int, str], list[Violation]], place: int) -> None:
    name, _ = BREAKS[place]
    found = reported.get((place, name), [])
    assert found, f"only {[fault for i, fault in reported if i == place]}"
    wrong = (f"exp/cell-{place}/bad/0", "elsewhere")
    assert all(v.run_id in wrong for v in found), "the good run is left in peace"


def test_every_invariant_is_broken_by_some_test() -> None:
    assert {name for name, _ in BREAKS} == {i.name for i in INVARIANTS}
    assert len({i.name for i in INVARIANTS}) == len(INVARIANTS)


def test_what_the_breaks_start_from_is_clean(pair: Path) -> None:
    assert check(pair).clean


def working(tokens: int, **options: Any) -> RunRecord:
    """A worker's two calls of 100 and 30 tokens, which end at 0.5 s and 1.5 s, and one try of so many tokens."""
    calls = [Call("worker1", [Read("dispatch", n)], [], intent="answer") for n in (100, 30)]
    return record(calls, topology="bus", delegations=[Tried(tokens=tokens)], family="team", **options)


def test_a_worker_whose_first_order_is_not_known_has_at_most_its_calls_tokens(fill: Any) -> None:
    assert check(fill(*(working(n, sample=str(n)) for n in (0, 30, 130)))).clean
    assert names(fill(working(131))) == {"worker_tokens"}


def test_calls_after_the_first_order_count_and_earlier_ones_may(fill: Any) -> None:
    """The order goes out at 1 s, between the ends of the calls."""

    def ordered(tokens: int, type: str = "task") -> RunRecord:
        made = working(tokens, sample=f"{type}{tokens}", messages=[("m1", None), ("m2", None)])
        made.messages[0].type, made.messages[1].type = "clarify", type
        made.messages[1].sent_s, made.messages[1].read_s = 1.0, 1.0
        return made

    assert check(fill(ordered(30), ordered(130), ordered(30, "revision"), ordered(0, "progress"))).clean
    assert names(fill(ordered(29))) == names(fill(ordered(131))) == {"worker_tokens"}


def test_a_sub_agent_was_made_for_its_order_so_all_its_calls_count(fill: Any) -> None:
    def dispatched(tokens: int) -> RunRecord:
        made = working(tokens, sample=str(tokens), events=1)
        made.events[0].type, made.events[0].data = "step", '{"sub_agent": "worker1"}'
        return made

    assert check(fill(dispatched(130))).clean
    assert names(fill(dispatched(129))) == {"worker_tokens"}


def test_late_is_what_ended_after_the_run_or_after_its_agent_was_abandoned(fill: Any) -> None:
    def abandoned(at_s: float, late: bool, agent: str = "worker1") -> RunRecord:
        made = working(130, sample=f"{at_s}{late}{agent}", events=1)
        made.events[0] = replace(made.events[0], type="abandoned", agent=agent, at_s=at_s)
        made.calls[1].late, made.calls[1].used = late, not late
        return made

    assert check(fill(abandoned(1.25, True), abandoned(1.5, False), abandoned(1.25, False, "worker2"))).clean
    assert names(fill(abandoned(1.25, False))) == {"late_is_after"}
    assert names(fill(abandoned(1.5, True))) == {"late_is_after"}


def test_a_run_stored_twice(fill: Any) -> None:
    report = check(fill(team(), single(), team()))
    assert names_of(report) >= {UNIQUE[0], "attempt_is_unique"}
    root = fill(single())  # again, in another part
    fault = next(f for f in check(root).faults if f.name == UNIQUE[0])
    assert [(v.run_id, Path(v.numbers["also in"]).name) for v in fault.first if "single" in v.file] == [
        ("exp/single-cell/s1/0", "exp-single-cell-00000.parquet")
    ]


def names_of(report: Any) -> set[str]:
    return {fault.name for fault in report.faults}


def test_a_part_whose_runs_file_was_removed(pair: Path) -> None:
    next(pair.glob("runs/topology=bus/*/*.parquet")).unlink()
    assert names(pair) == {HEADLESS[0]}
    for path in pair.glob("runs/*/*/*.parquet"):
        path.unlink()
    assert names(pair) == {HEADLESS[0]}


def test_the_row_is_named_with_its_numbers(fill: Any) -> None:
    made = team()
    made.shares[4].tokens += 1  # worker1's second attempt: 400 prompt tokens reported
    root = fill(made)
    fault = next(f for f in check(root).faults if f.name == "prompt_shares")
    (violation,) = fault.first
    assert (violation.run_id, violation.operation_id, violation.attempt) == ("exp/bus-cell/s1/0", "w", 2)
    assert violation.numbers == {"prompt_tokens": 400, "prompt_shares": 401}
    assert violation.file == str(next(root.glob("calls/*/*/*.parquet")))
    assert str(violation).endswith(
        "run exp/bus-cell/s1/0, operation w, attempt 2: prompt_tokens=400, prompt_shares=401"
    )


def test_the_first_ten_are_named_and_all_are_counted(fill: Any) -> None:
    root = fill(*(single(sample=f"s{n}", score=2.0) for n in range(25)))
    (fault,) = check(root).faults
    assert (fault.name, fault.count, len(fault.first)) == ("run_score", 25, KEPT)


def test_spools_are_checked_too(fill: Any) -> None:
    assert names(fill(single(score=2.0), closed=False)) == {"run_score"}


def test_judge_calls_stand_beside_the_totals(fill: Any) -> None:
    judge = Call("grader", [Read("judge", 300)], [("judge", 20, 0)], intent="judge")
    work = Call("lead", [Read("task", 100)], [("answer", 10, 0)])
    made = record([work, judge], topology="single")
    assert (made.run.prompt_tokens, made.run.judge_tokens, made.run.calls) == (100, 320, 1)
    assert check(fill(made)).clean
    for changes in ({"judge_cost_usd": None}, {"judge_tokens": 0}, {"judge_cost_usd": 0.0}):
        wrong = record([work, judge], topology="single", sample=str(changes), **changes)
        assert names(fill(wrong)) == {"run_judge"}
    unpriced = replace(judge, priced=False)
    assert names(fill(record([work, unpriced], topology="single", sample="u", judge_cost_usd=0.0))) == {"run_judge"}


def test_unpriced_runs_and_runs_without_calls_are_consistent(fill: Any) -> None:
    unpriced = Call("lead", [Read("task", 100)], [("answer", 10, 0)], priced=False)
    missing = Call("lead", [], [], priced=False, status="timeout")
    priced = Call("lead", [Read("task", 100)], [("answer", 10, 0)])
    made = [
        record([unpriced], topology="single", sample="a"),
        record([priced, missing], topology="single", sample="b"),
        record([], topology="single", sample="c", status="error", score=0.0),
    ]
    assert [m.run.cost_pusd for m in made] == [None, 450_000_000, 0]
    assert [m.run.cost_complete for m in made] == [False, False, True]
    assert check(fill(*made)).clean


@given(st.lists(st.sampled_from(["single", "bus"]).flatmap(records), min_size=1, max_size=3))
@settings(max_examples=20, deadline=None)
def test_consistent_runs_are_clean(tmp_path_factory: pytest.TempPathFactory, made: list[RunRecord]) -> None:
    root = tmp_path_factory.mktemp("store")
    store = Store(str(root))
    store.open(Experiment("exp"))
    for n, any_run in enumerate(made):
        rename(any_run, f"run{n}")
        store.write(any_run)
    store.close()
    report = check(root)
    assert report.clean, report.faults
    assert report.runs == len(made)


def test_nothing_to_check_is_not_clean(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        check(tmp_path / "none")


@pytest.mark.parametrize(
    ("call", "run", "broken"),
    [
        ({"late": True, "used": False}, {}, "late_is_after"),
        ({"started_s": 9.0}, {}, "judge_after_answer"),  # the run took 10 s
        ({}, {"grader": "suite"}, "run_graded_by"),
    ],
)
def test_a_judge_grades_after_the_run_and_is_never_late(
    fill: Any, call: dict[str, Any], run: dict[str, Any], broken: str
) -> None:
    made = record([Call("grader", [Read("judge", 300)], [("judge", 20, 0)], intent="judge")], topology="single", **run)
    for name, value in call.items():
        setattr(made.calls[0], name, value)
    assert names(fill(made)) == {broken}
