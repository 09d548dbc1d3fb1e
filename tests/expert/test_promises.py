"""What an expert team promises whatever its models do: found by models that do anything."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.experts import NO, PASS, data, ended, plan, revise, rule, step, team
from support.models import Say
from support.panels import DEAD, READ

from harness.records import RunRecord
from harness.testing.runs import faults

ACCEPT, BETTER = rule("ACCEPT_WITH_CAVEATS", caveats="Unsure."), rule("REVISED_INSTRUCTION", instruction="Better.")
PLANS = [
    plan(step("a", risk="LOW")),
    plan(step("a"), step("b", "bob", risk="LOW")),
    plan(step("a", risk="HIGH"), step("b", "bob", "a"), step("c", "alice", "a", risk="LOW")),
    plan(step("d", "carol", risk="LOW"), step("e", "bob", "d")),
    plan(step("x", "zed")),
]
SAYS: Mapping[str, Sequence[Say]] = {
    "planner": [*PLANS, Say("words"), DEAD],
    "worker": [Say("P"), Say("x.py\n```\n1\n```"), Say("x.py\n```\n2\n```"), Say("BLOCKED: no"), Say(""), READ, DEAD],
    "evaluator": [PASS, PASS, NO, revise("order", replan=True), Say("fine"), READ, DEAD],
    "architect": [ACCEPT, BETTER, Say("hm"), DEAD],
}
NUMBERS = ("", *(f"_{n}" for n in range(2, 25)))
WORKERS = ("alice", "bob", "carol", "generalist")


class Turns(Sequence[Say]):
    """What one agent says, whatever its turn: its role's words in a circle, begun somewhere else by each agent."""

    def __init__(self, words: Sequence[Say], start: int) -> None:
        self._words, self._start = words, start

    def __getitem__(self, turn: Any) -> Any:
        return self._words[(self._start + turn) % len(self._words)]

    def __len__(self) -> int:
        return len(self._words)


def acts(words: Mapping[str, Sequence[Say]]) -> dict[str, Sequence[Say]]:
    def each() -> Iterator[tuple[str, Sequence[Say]]]:
        for role in ("planner", "evaluator", "architect", *WORKERS):
            for n, number in enumerate(NUMBERS):
                said = words["worker" if role in WORKERS else role]
                yield role + number, Turns(said, n + (WORKERS.index(role) if role in WORKERS else 0))

    return dict(each())


WORDS = st.fixed_dictionaries(
    {role: st.lists(st.sampled_from(says), min_size=1, max_size=4) for role, says in SAYS.items()}
)
RULES = st.fixed_dictionaries(
    {
        "strong": st.booleans(),
        "architect": st.booleans(),
        "auto_pass": st.booleans(),
        "evaluator_low": st.sampled_from(["simple", "agent"]),
        "evaluator": st.sampled_from(["simple", "agent"]),
        "on_planner_failure": st.sampled_from(["FAIL_FAST", "SINGLE_STEP_FALLBACK"]),
        "max_feedback_rounds": st.integers(0, 2),
        "max_replans": st.integers(0, 2),
    }
)


def ran(words: Mapping[str, Sequence[Say]], rules: dict[str, Any]) -> tuple[RunRecord, Any]:
    return team(acts(words), planner_steps=3, generator_steps=3, evaluator_steps=3, **rules)


@given(WORDS, RULES)
@settings(max_examples=120)
def test_whatever_its_models_do(words: Mapping[str, Sequence[Say]], rules: dict[str, Any]) -> None:
    record, _ = ran(words, rules)
    state = ended(record)
    assert (record.run.status, state) in {("ok", "COMPLETED"), ("ok", "DEGRADED"), ("failed", "FAILED")}
    assert record.run.status == "ok" or record.run.score == 0.0
    assert len(data(record, "PLAN_READY")) <= 1 + rules["max_replans"], "plans"
    tries_are_bounded(record, rules)
    nothing_passes_unreviewed(record, rules)


@given(WORDS, RULES)
@settings(max_examples=8)  # a store takes fifty times as long as a run
def test_the_rows_of_whatever_its_models_do_are_valid(
    words: Mapping[str, Sequence[Say]], rules: dict[str, Any]
) -> None:
    record, _ = ran(words, rules)
    with tempfile.TemporaryDirectory() as folder:
        kept = replace(record, run=replace(record.run, experiment_id="test"))
        assert faults([kept], f"{folder}/store") == []


def of_plan(record: RunRecord) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """The events of each plan: a new one may use an id again."""
    events = [(e.type, json.loads(e.data)) for e in record.events if e.type.isupper()]
    starts = [n for n, (type, _) in enumerate(events) if type == "PLAN_READY"]
    yield from (events[start:end] for start, end in pairwise([*starts, len(events)]))


def tries_are_bounded(record: RunRecord, rules: Mapping[str, Any]) -> None:
    revised = 0
    for events in of_plan(record):
        started = Counter((d["step"], d["tier"]) for type, d in events if type == "STEP_STARTED")
        assert all(n <= 1 + rules["max_feedback_rounds"] if tier == 0 else n == 1 for (_, tier), n in started.items())
        extra = Counter(step for step, tier in started if tier)
        assert all(n <= 2 for n in extra.values()), "extra attempts"
        entered = Counter((d["step"], d["tier"]) for type, d in events if type == "ESCALATION" and "ruling" not in d)
        assert set(entered.values()) <= {1}, "a tier is entered once"
        revised += sum(type == "STEP_REVISED" for type, _ in events)
    assert record.run.revisions == revised
    entered_in_all = [d for d in data(record, "ESCALATION") if "ruling" not in d]
    assert record.run.escalations == len(entered_in_all)


def nothing_passes_unreviewed(record: RunRecord, rules: Mapping[str, Any]) -> None:
    """The last word on a step that is completed is a PASS, an acceptance, or what its LOW risk allows."""
    unsure = False
    for events in of_plan(record):
        risk = {d["step"]: d["risk"] for type, d in events if type == "EVALUATION_STARTED"}
        last: dict[str, dict[str, Any]] = {}
        for type, d in events:
            if type in ("EVALUATION_RESULT", "ESCALATION"):
                last[d["step"]] = d
            elif type == "STEP_COMPLETED":
                word, low = last[d["step"]], risk[d["step"]] == "LOW"
                unseen = word.get("verdict") == "AUTO_PASS_WITH_WARNING"
                given_up = word.get("tier") == 3
                assert (
                    unseen or given_up or word.get("verdict") == "PASS" or word.get("ruling") == "ACCEPT_WITH_CAVEATS"
                )
                assert not unseen or (low and rules["auto_pass"])
                assert not given_up or low
                assert d["degraded"] == (unseen or given_up)
                unsure |= d["degraded"]
    fell_back = any(s["expert"] == "generalist" for p in data(record, "PLAN_READY")[-1:] for s in p["steps"])
    if record.run.status == "ok" and not fell_back:
        assert ended(record) == ("DEGRADED" if unsure else "COMPLETED")
