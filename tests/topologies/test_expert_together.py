"""An expert team: files, messages, explorers, specialties, experts that are topologies, and bad settings."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from support.experts import (
    ONE,
    PASS,
    TWO,
    ended,
    plan,
    revise,
    step,
    team,
    tiers,
)
from support.models import Call, Say, heard, send, text_of
from support.panels import DEAD, READ, Panel
from support.runs import DeskSuite

from harness.errors import ConfigError
from harness.expert.member import Expert
from harness.limits import Limits
from harness.records import RunRecord
from harness.suite import Sample, Specialty
from harness.topology import ablated
from topologies.expert import ExpertTeam
from topologies.single import Single

# -- files -------------------------------------------------------------------------------------------------------------


def file(name: str, content: str) -> str:
    return f"{name}\n```\n{content}\n```"


def written(a: str, b: str, c: str = "", **more: Any) -> RunRecord:
    third = [step("c", "carol", "a")] if c else []
    evaluators = {name: [PASS] for name in ("evaluator", "evaluator_2", "evaluator_3")}
    says = {"planner": [plan(step("a"), step("b", "bob"), *third), Say("settled")], **evaluators}
    return team(says | {"alice": [Say(a)], "bob": [Say(b)], "carol": [Say(c)]}, **more)[0]


def test_files_of_independent_steps_are_merged_by_code() -> None:
    record = written(file("x.py", "x = 1"), file("y.py", "y = 1"))
    assert record.run.answer == f"{file('x.py', 'x = 1')}\n\n{file('y.py', 'y = 1')}"
    assert len([c for c in record.calls if c.agent == "planner"]) == 1


def test_a_later_step_s_version_of_a_file_stands() -> None:
    record = written(file("x.py", "x = 1"), file("y.py", "y = 1"), file("x.py", "x = 2"))
    assert record.run.answer == f"{file('x.py', 'x = 2')}\n\n{file('y.py', 'y = 1')}"


def test_the_same_file_written_differently_is_a_conflict_for_the_planner() -> None:
    record = written(file("x.py", "x = 1"), file("x.py", "x = 2"))
    assert record.run.answer == "settled"
    assert written(file("x.py", "x = 1"), file("x.py", "x = 1")).run.answer == file("x.py", "x = 1"), "the same words"


def test_whoever_only_copied_the_task_s_own_file_has_not_changed_it() -> None:
    suite = DeskSuite(documents={"x.py": "x = 0\n"})
    reading = suite.tools(suite.sample("s0"))[0]
    by_name = type(suite)(documents={}, more_tools=())
    by_name.tools = lambda sample: [type(reading)(  # type: ignore[method-assign]
        reading.name, reading.description, reading.parameters, reading.tags, reading.run, reference="name"
    )]  # fmt: skip
    record = written(file("x.py", "x = 0"), file("x.py", "x = 2"), suite=by_name)
    assert record.run.answer == file("x.py", "x = 2")


# -- messages, explorers, specialties ----------------------------------------------------------------------------------


def talking(**more: Any) -> tuple[RunRecord, Any]:
    return team(
        {
            "planner": [TWO, Say("both")],
            "alice": [Say(calls=(send("bob", "progress", "The header is X-Auth."),)), Say("A")],
            "bob": [Say(latency_s=2, calls=READ.calls), Say("B")],
            "evaluator": [PASS],
            "evaluator_2": [PASS],
        },
        **more,
    )


def test_experts_of_one_level_write_to_each_other() -> None:
    record, model = talking()
    assert [(m.sender, m.recipient, m.type, m.delivery) for m in record.messages] == [
        ("alice", "bob", "progress", "read")
    ]
    assert "[inbox] progress" in heard(model.of("bob")[1]) and "The header is X-Auth." in heard(model.of("bob")[1])
    assert record.run.bus == "memory"


def test_and_can_be_silenced() -> None:
    record, model = talking(messages=False)
    assert not record.messages and record.run.bus is None and ablated(ExpertTeam(messages=False)) == "messages"
    assert "send_message" not in json.dumps(model.of("bob")[0].tools) and "other members" not in heard(
        model.of("bob")[0]
    )


def test_explorers_report_to_the_expert_that_sent_them() -> None:
    errand = Call("dispatch_sub_agent", {"type": "explore", "order": {
        "objective": "Find alpha.", "input_ref": [], "context_card": {"background": "A search."},
        "output_schema": {"type": "string"}, "acceptance_criteria": [],
    }})  # fmt: skip
    acts = {"planner": [ONE], "alice": [Say(calls=(errand,)), Say("A")], "alice_explore_1": [Say("in a.txt")]}
    record, model = team({**acts, "evaluator": [PASS]}, explorers=True)
    assert "in a.txt" in heard(model.of("alice")[1]) and record.run.answer == "A"
    assert {c.agent: c.depth for c in record.calls} == {"planner": 0, "alice": 0, "alice_explore_1": 1, "evaluator": 0}
    refused, _ = team(acts | {"evaluator": [PASS]}, explorers=True, limits=Limits(max_depth=0))
    assert refused.run.depth_violations == 1 and max(c.depth for c in refused.calls) == 0


class Fields(DeskSuite):
    """A brief of two specialties."""

    def sample(self, sample_id: str) -> Sample:
        law, tax = Specialty("law", "the law", "Law: X.", "Path."), Specialty("tax", "taxes", "Tax: Y.", "Mill.")
        plain = super().sample(sample_id)
        brief = f"{plain.brief}\n\n{law.text}\n\n{tax.text}"
        return Sample(plain.id, plain.statement, brief, None, 10, plain.material_hash, 2.0, 1.0, specialties=(law, tax))


def test_each_expert_knows_its_own_field_and_the_others_none() -> None:
    acts = {"planner": [plan(step("a", "law"), step("b", "tax")), Say("x")], "law": [Say("A")], "tax": [Say("B")]}
    acts |= {"evaluator": [PASS], "evaluator_2": [PASS]}
    _, model = team(acts, suite=Fields())
    system = {name: text_of(model.of(name)[0].messages[0]) for name in acts}
    assert ["Law: X." in text for text in system.values()] == [name == "law" for name in system]
    assert ["Tax: Y." in text for text in system.values()] == [name == "tax" for name in system]
    assert "law (the law); tax (taxes)" in system["planner"] and "whose field is taxes" in system["tax"]
    _, model = team(acts, suite=Fields(), ablate="law")
    assert "Law: X." not in heard(model.of("law")[0]) and "Path." in heard(model.of("law")[0])
    assert "Tax: Y." in heard(model.of("tax")[0])


# -- experts that are topologies ---------------------------------------------------------------------------------------


def test_an_expert_may_be_a_whole_topology() -> None:
    """Its agents read the order; a revision is made by new ones, who read what was wrong as well."""
    acts = {
        "planner": [plan(step("a", "crew"))], "crew/solver": [Say("A1")], "crew/try_2/solver": [Say("A2")],
        "evaluator": [revise("too short")], "evaluator_2": [PASS],
    }  # fmt: skip
    record, model = team(acts, experts=[Expert("crew", "anything", inside=Single())])
    assert "Objective: Do a." in heard(model.of("crew/solver")[0])
    assert "Not accepted:\n- too short" in heard(model.of("crew/try_2/solver")[0])
    assert (record.run.answer, record.run.revisions, ended(record)) == ("A2", 1, "COMPLETED")
    assert {c.agent: c.depth for c in record.calls}["crew/solver"] == 0, "placed by code"


def test_a_topology_that_fails_is_escalated_past_the_stronger_model() -> None:
    acts = {"planner": [ONE], "alice/solver": [DEAD], "architect": [DEAD]}
    record, _ = team(acts, strong=True, experts=[Expert("alice", inside=Single())])
    assert (tiers(record), ended(record)) == ([2, 3], "FAILED"), "which model runs inside is its own business"


BAD: list[tuple[dict[str, Any], str]] = [
    ({"experts": [Expert("planner")]}, "reserved"),
    ({"experts": [Expert("a"), Expert("a")]}, "repeated"),
    ({"experts": [Expert("a/b")]}, "without '/'"),
    ({"experts": [Expert(f"e{n}") for n in range(9)]}, "has 9 members"),
    ({"generators": 0}, "generators=0"),
    ({"evaluator": "none"}, "Valid choices: agent, simple"),
    ({"on_planner_failure": "RETRY"}, "Valid choices: FAIL_FAST, SINGLE_STEP_FALLBACK"),
    ({"max_feedback_rounds": -1}, "max_feedback_rounds=-1"),
    ({"planner_steps": 0}, "planner_steps=0"),
    ({"experts": [Expert("a")], "ablate": "a"}, "topology.ablate"),
]


@pytest.mark.parametrize(("settings", "told"), BAD, ids=[told for _, told in BAD])
def test_bad_settings_are_refused(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(told)):
        ExpertTeam(**settings)


def test_what_is_not_there_is_refused_before_anything_runs() -> None:
    model, sample = Panel("expertteam", {}), DeskSuite().sample("s0")
    ExpertTeam().check(model, sample)  # no stronger model: its tier is skipped
    for settings, told in (
        ({"stronger": "sage"}, "model in topology.stronger 'sage'"),
        ({"experts": [Expert("a", model="sage")]}, "model in topology.experts 'sage'"),
        ({"experts": [Expert("a", specialties=["law"])]}, "specialty 'law'"),
        ({"ablate": "law"}, "topology.ablate"),
    ):
        with pytest.raises(ConfigError, match=re.escape(told)):
            ExpertTeam(**settings).check(model, sample)  # type: ignore[arg-type]
