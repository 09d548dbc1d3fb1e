"""The shipped workflow scripts: who reads what, what is settled by rule and what by a model, what becomes of those who
fail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.models import ActingModel, Say, heard
from support.panels import DEAD
from support.runs import DeskSuite, check_invariants, events, purposes, run_once, shares

from harness.models.protocol import Request
from harness.records import RunRecord
from harness.testing.conformance import TopologyConformance
from harness.testing.models import faultless
from harness.testing.runs import bare, cell, faults, records
from tasks.briefing import Briefing
from tasks.code_search import CodeSearch
from tasks.functions import Functions
from tasks.math import Math
from tasks.modules import Modules
from tasks.monthly_figures import MonthlyFigures
from tasks.qa_corpus import QaCorpus
from tasks.refactor import Refactor
from tasks.review import Review
from tasks.specialists import Specialists
from topologies.workflow import Workflow

TASK = "Answer all the questions on the list."
NOTHING = json.dumps({"refuted": []})


class TestResearch(TopologyConformance):
    def topology(self) -> Workflow:
        return Workflow()


def listed(**answers: str | None) -> str:
    return json.dumps([{"question": question, "answer": answer} for question, answer in answers.items()])


def refuting(*numbers: int, why: str | None = "the log says otherwise") -> str:
    return json.dumps({"refuted": [{"finding": n, "why": why} for n in numbers]})


def kind(request: Request) -> str:
    text = heard(request)
    found = [k for k, words in _KINDS.items() if words in text]
    assert len(found) == 1, text
    return found[0]


_KINDS = {
    "route": "How to go about it:",
    "check": "do not answer it again",
    "combine": "Combine their findings",
    "look": "Look above all for defects",
    "verify": "do not review it again",
}


Spoken = str | Say | Callable[[str], str]


class Played:
    """``said``: kind of agent → what each of its kind says, in the order in which they ask, or to its prompt; each
    speaks once."""

    def __init__(self, script: str, said: Mapping[str, Sequence[Spoken]], **options: Any) -> None:
        left = {name: list(texts) for name, texts in said.items()}
        self.asked: dict[str, list[str]] = {name: [] for name in said}

        def act(request: Request) -> Say:
            name = kind(request)
            prompt = str(request.messages[1]["content"])
            self.asked[name].append(prompt)
            say = left[name].pop(0)
            say = say(prompt) if callable(say) else say
            return say if isinstance(say, Say) else Say(say)

        self.record: RunRecord = run_once(
            Workflow(script=script, **options), ActingModel(act), suite=DeskSuite(statement=TASK)
        )
        check_invariants(self.record)
        if self.record.run.status == "ok":
            assert not any(left.values()), "everybody has been asked"

    @property
    def answer(self) -> str:
        return self.record.run.answer


def findings(prompt: str) -> list[tuple[str, str]]:
    """(what stands in the heading beside the number, the line below it) of each finding in a prompt, in order."""
    found = re.findall(r"^\[finding (\d+)\]([^\n]*)\n([^\n]*)", prompt, re.M)
    assert [int(number) for number, _, _ in found] == list(range(1, len(found) + 1))
    return [(remark, text) for _, remark, text in found]


# -- research ------------------------------------------------------------------------------------------------------


def test_what_all_have_found_and_nobody_refutes_is_the_answer() -> None:
    same = listed(a="1", b="2")
    played = Played("research", {"route": [same] * 3, "check": [NOTHING] * 2, "combine": []})
    assert played.answer == same
    assert all(TASK in prompt for prompts in played.asked.values() for prompt in prompts)
    for prompt in played.asked["check"]:
        assert findings(prompt) == [
            ("", '{"question": "a", "answer": "1"}'),
            ("", '{"question": "b", "answer": "2"}'),
        ]
    assert all("finding" not in prompt for prompt in played.asked["route"]), "routes know nothing of each other"
    calls = sorted((c.started_s, c.agent) for c in played.record.calls)
    assert calls == [*((0.0, f"route_{n}") for n in (1, 2, 3)), (1.0, "check_1"), (1.0, "check_2")]


def test_where_routes_differ_one_agent_combines_what_was_not_refuted() -> None:
    routes = [listed(a="1", b="2"), listed(a="one", b="2"), listed(b="two", a="1")]
    checks = [refuting(2), refuting(2, 4, why=None)]
    played = Played("research", {"route": routes, "check": checks, "combine": ["the end"]}, max_retries=0)
    assert played.answer == "the end"
    assert findings(played.asked["combine"][0]) == [
        (" given by 2 of 3", '{"question": "a", "answer": "1"}'),
        (" given by 1 of 3, refuted: the log says otherwise", '{"question": "a", "answer": "one"}'),
        (" given by 2 of 3", '{"question": "b", "answer": "2"}'),
        (" given by 1 of 3, refuted: no reason given", '{"question": "b", "answer": "two"}'),
    ]
    assert [e.agent for e in events(played.record, "agent_called")][-1] == "combine"


def test_half_of_the_checks_refute() -> None:
    routes = [listed(a="1")] * 2
    args = {"routes": ["one way.", "another way."], "checks": 3}
    played = Played("research", {"route": routes, "check": [refuting(1), NOTHING, NOTHING], "combine": []}, args=args)
    assert played.answer == routes[0], "one of three does not"
    said = {"route": routes, "check": [refuting(1), refuting(1), NOTHING], "combine": ["mended"]}
    assert Played("research", said, args=args).answer == "mended"


@pytest.mark.parametrize(
    ("checks", "answer"),
    [([NOTHING, NOTHING], "more"), ([refuting(2), NOTHING], "first"), ([refuting(1, 2), refuting(2)], "first")],
    ids=["most have it", "one is refuted", "one is refuted more often"],
)
def test_of_whole_answers_one_is_taken_by_rule(checks: list[str], answer: str) -> None:
    said = {"route": ["first", "more", "more"], "check": checks, "combine": []}
    assert Played("research", said).answer == answer


def test_who_fails_is_left_out() -> None:
    one = listed(a="1")
    played = Played("research", {"route": [DEAD, one, one], "check": [NOTHING, DEAD], "combine": []})
    assert (played.answer, played.record.run.left_out) == (one, 2)


def test_unchecked_claims_are_told_of() -> None:
    one = listed(a="1")
    played = Played("research", {"route": [one] * 3, "check": [DEAD] * 2, "combine": []})
    assert played.answer == one
    assert [json.loads(e.data)["text"] for e in events(played.record, "log")] == [
        "no check has come to an end: the claims are unchecked"
    ]


def test_without_any_route_there_is_no_answer() -> None:
    record = Played("research", {"route": [DEAD] * 3, "check": [], "combine": []}).record
    assert (record.run.status, record.run.score) == ("failed", 0.0)
    assert "no route has come to an answer" in (record.run.error or "")


def test_checks_are_verification_and_combining_is_coordination() -> None:
    first, second = "which of them came first?", "which of them came second?"
    same = listed(**{first: "the first answer of all", second: "the second answer of all"})
    other = listed(**{first: "another answer than the first", second: "the second answer of all"})
    said = {"route": [same, same, other], "check": [NOTHING, NOTHING], "combine": [same]}
    record = Played("research", said).record
    assert {s.purpose_class for s in shares(record, agent="check_1", direction="completion")} == {"verification"}
    read = purposes(shares(record, agent="combine", direction="prompt"))
    assert read["merge"] > 0 and {"task", "merge", "dispatch"} <= set(read)
    assert set(purposes(shares(record, agent="combine", direction="completion"))) == {"merge"}
    assert record.run.verification_tokens > 0 and record.run.coordination_tokens > 0


# -- review --------------------------------------------------------------------------------------------------------


def verdicts(**lines: str | None) -> str:
    """A verdict for each draft: a defect with a line, or clean with None."""
    return json.dumps(
        [{"draft": d, "verdict": "clean" if w is None else "defect", "where": w} for d, w in lines.items()]
    )


def test_only_what_withstands_its_refutation_is_a_defect() -> None:
    looks = [verdicts(x="x = 1", y="y = 2"), verdicts(x=None, y="y = 2"), verdicts(x=None, y=None)]

    def verify(prompt: str) -> str:
        return refuting(*(n for n, (_, text) in enumerate(findings(prompt), 1) if "x = 1" in text))

    played = Played("review", {"look": looks, "verify": [verify, verify]})
    assert json.loads(played.answer) == json.loads(verdicts(x=None, y="y = 2"))
    x, y = ({"draft": draft, "verdict": "defect", "where": f"{draft} = {n}"} for draft, n in (("x", 1), ("y", 2)))
    shown = [[json.loads(text) for _, text in findings(prompt)] for prompt in played.asked["verify"]]
    assert sorted(shown, key=len) == [[y], [x, y]], "clean drafts need no verification"
    assert all(TASK in prompt for prompts in played.asked.values() for prompt in prompts)


def test_several_findings_on_a_draft_are_one_with_the_line_that_most_name() -> None:
    looks = [verdicts(x="x = 1"), verdicts(x="x = 2"), verdicts(x="x = 2")]
    played = Played("review", {"look": looks, "verify": [NOTHING] * 3})
    assert json.loads(played.answer) == json.loads(verdicts(x="x = 2"))


def test_a_dimension_is_verified_without_waiting_for_the_others() -> None:
    looks = [Say(verdicts(x="x = 1"), latency_s=1), Say(verdicts(x="x = 1"), latency_s=5)]
    verify = [Say(NOTHING, latency_s=9), Say(NOTHING, latency_s=2)]
    args = {"dimensions": {"speed": "speed", "safety": "safety"}}
    record = Played("review", {"look": looks, "verify": verify}, args=args).record
    assert {c.agent: c.started_s for c in record.calls} == {
        "review_speed": 0.0, "review_safety": 0.0, "verify_speed": 1.0, "verify_safety": 5.0,
    }  # fmt: skip
    assert record.run.wall_s == 10.0, "its slowest chain; the slowest stages are 5 and 9"


def test_dimensions_may_be_a_list_and_one_that_fails_is_left_out() -> None:
    args = {"dimensions": ["bugs", "performance", "security"]}
    looks: list[Spoken] = [verdicts(x="x = 1"), DEAD, verdicts(x=None)]
    played = Played("review", {"look": looks, "verify": [NOTHING]}, args=args)
    assert json.loads(played.answer) == json.loads(verdicts(x="x = 1"))
    assert played.record.run.left_out == 1
    assert "defects in performance" in played.asked["look"][1]


def test_the_review_of_a_task_without_drafts_says_what_to_use_instead() -> None:
    said = {"look": [listed(a="1")] * 3, "verify": []}
    record = Played("review", said, max_retries=0).record
    assert record.run.status == "failed"
    assert "for tasks without drafts: topology.script=research" in (record.run.error or "")


# -- args ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "args", "told"),
    [
        ("research", {"routes": "quickly"}, "topology.args.routes='quickly': give a list of texts"),
        ("research", {"routes": []}, "topology.args.routes=[]: give a list of texts"),
        ("research", {"checks": "two"}, "topology.args.checks='two': give a whole number from 0"),
        ("research", {"rounds": 2}, "unknown topology.args.rounds. Valid choices: routes, checks."),
        ("review", {"dimensions": "speed"}, "topology.args.dimensions='speed': give {name: text} or a list"),
        ("review", {"dimensions": {}}, "topology.args.dimensions={}: give {name: text} or a list"),
        ("review", {"dimension": ["speed"]}, "unknown topology.args.dimension. Valid choices: dimensions."),
    ],
)
def test_wrong_args_are_told_before_anybody_is_called(script: str, args: dict[str, Any], told: str) -> None:
    record = Played(script, {}, args=args).record
    assert (record.run.status, record.run.calls) == ("failed", 0)
    assert told in (record.run.error or "")


def test_research_without_checks_says_nothing_of_them() -> None:
    one = listed(a="1")
    played = Played("research", {"route": [one] * 3, "check": [], "combine": []}, args={"checks": 0})
    assert played.answer == one and not events(played.record, "log")


# -- every suite ---------------------------------------------------------------------------------------------------

SUITES: dict[str, Callable[[], Any]] = {
    "briefing": lambda: Briefing(limit=1),
    "code_search": lambda: CodeSearch(limit=1, kinds=["grep"]),
    "functions": lambda: Functions(limit=1),
    "math": lambda: Math(limit=1),
    "modules": lambda: Modules(limit=1),
    "monthly_figures": lambda: MonthlyFigures(limit=1),
    "qa_corpus": lambda: QaCorpus(corpus="generated", docs=4, limit=1),
    "refactor": lambda: Refactor(limit=1),
    "review": lambda: Review(limit=1),
    "review of its own": lambda: Review(limit=1, reviewer="self"),
    "specialists": lambda: Specialists(limit=1),
}


RUNS = [("research", suite) for suite in SUITES] + [("review", suite) for suite in SUITES if "review" in suite]


@pytest.mark.parametrize(("script", "suite"), RUNS)
def test_a_faultless_model_solves_every_suite(script: str, suite: str, tmp_path: Path) -> None:
    made = SUITES[suite]()
    made.load()
    model = faultless(made.oracle())
    found = records(cell(Workflow(script=script), model, suite=made))
    assert [(r.run.status, r.run.score, r.run.error) for r in found] == [("ok", 1.0, None)]
    assert faults(found, tmp_path) == []
    assert list(map(bare, records(cell(Workflow(script=script), model, suite=made)))) == list(map(bare, found))
