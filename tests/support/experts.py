"""Expert teams in tests: plans, and a model that plays each agent by its name."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness.models.protocol import Request
from harness.records import RunRecord
from harness.team.roster import NAMES
from harness.testing.toy import NOTES
from topologies.expert import ExpertTeam

from .models import ActingModel, Call, Say, heard, news, turn
from .panels import Panel
from .runs import check_invariants, run_once

PASS = Say(json.dumps({"verdict": "PASS", "errors": []}))


def order(objective: str, **more: Any) -> dict[str, Any]:
    """An order that asks for prose."""
    card = {"background": "A part."}
    return {"objective": objective, "input_ref": [], "context_card": card, "acceptance_criteria": [], **more}


def step(id: str, expert: str = "alice", *needs: str, risk: str = "MEDIUM", **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "expert": expert,
        "depends_on": [*needs],
        "risk": risk,
        "order": order(**{"objective": f"Do {id}.", **more}),
    }


def plan(*steps: Mapping[str, Any]) -> Say:
    return Say(calls=(Call("submit_plan", {"steps": list(steps)}),))


def revise(*errors: str, replan: bool = False) -> Say:
    return Say(json.dumps({"verdict": "REVISE", "errors": list(errors), "replan": replan}))


def rule(ruling: str, **more: str) -> Say:
    return Say(json.dumps({"ruling": ruling, **more}))


def team(acts: Mapping[str, Sequence[Say]], *, strong: bool = False, **more: Any) -> tuple[RunRecord, Panel]:
    """A run of an expert team in which each agent says what stands under its name, and its model. ``strong``: there is
    a stronger model, which plays the same agents; the rest are options of ``run_once`` and settings."""
    options = {key: more.pop(key) for key in ("suite", "limits", "seed", "bus") if key in more}
    model = Panel("expertteam", acts)
    if strong:
        beside = Panel("expertteam", acts, name="strong")
        beside.requests = model.requests
        model.roles = {"strong": beside}
    record = run_once(ExpertTeam(**more), model, **options)
    check_invariants(record)
    return record, model


def data(record: RunRecord, type: str, step: str | None = None) -> list[dict[str, Any]]:
    """The data of a run's events of one type, of one step."""
    found = [json.loads(e.data) for e in record.events if e.type == type]
    return [d for d in found if step is None or d.get("step") == step]


def ended(record: RunRecord) -> str:
    """The state in which the team ended, by its last event."""
    (last,) = data(record, "TEAM_COMPLETED")
    return str(last["state"])


TWO = plan(step("a"), step("b", "bob"))
ONE = plan(step("a"))
NO = revise("still wrong")
BETTER = rule("REVISED_INSTRUCTION", instruction="Do a better.")


def verdicts(record: RunRecord, step: str = "a") -> list[str]:
    return [d["verdict"] for d in data(record, "EVALUATION_RESULT", step)]


def tiers(record: RunRecord) -> list[int]:
    """The tiers of escalation that were entered, in order."""
    return [d["tier"] for d in data(record, "ESCALATION") if "ruling" not in d]


def exceeded(*architect: Say, risk: str = "MEDIUM", **more: Any) -> tuple[RunRecord, Panel]:
    """A step that no review passes until the architect has spoken."""
    evaluators = {f"evaluator{n}": [NO] for n in ("", "_2", "_3")}
    acts = {"planner": [plan(step("a", risk=risk), step("b", "bob", "a"))], "alice": [Say("A1")], **evaluators}
    acts |= {"alice_2": [Say("A2")], "alice_3": [Say("A3")], "architect": architect, "bob": [Say("B")]}
    acts |= {"evaluator_4": [PASS], **more.pop("acts", {})}
    return team(acts, max_feedback_rounds=0, evaluator_low="agent", **more)


ENTRY = re.compile(r"Asked: (.*\?) On record: (.*)\. Nothing")
ANSWERS = re.compile(r"\[\{.*\}\]")


def acts_on_the_toy(request: Request) -> Say:
    """One side of every conversation of an expert team about the toy suite, by what it reads: the planner gives two
    notes to each of two experts, each of whom reads its own, and every product passes."""
    system = str(request.messages[0]["content"])
    if "You plan the work" in system:
        if turn(request) == 0:
            halves = [list(NOTES)[:2], list(NOTES)[2:]]
            return plan(*(step(f"s{i}", NAMES[i], input_ref=half) for i, half in enumerate(halves)))
        found = [entry for part in ANSWERS.findall(news(request)) for entry in json.loads(part)]
        return Say(json.dumps(found))
    if "You evaluate" in system:
        return PASS
    if "You are the architect" in system:
        return rule("ACCEPT_WITH_CAVEATS", caveats="It has not passed.")
    if turn(request) == 0:
        wanted = re.search(r"Input, to be read with your tools: (.*)", heard(request))
        names = wanted[1].split(", ") if wanted else list(NOTES)
        return Say(calls=[Call("read_document", {"document": name}) for name in names])
    return Say(json.dumps([{"question": q, "answer": a} for q, a in ENTRY.findall(heard(request))]))


def toy_team() -> ActingModel:
    """A model that plays an expert team on the toy suite without a fault, and the same as the stronger one."""
    model = ActingModel(acts_on_the_toy)
    model.roles = {"strong": ActingModel(acts_on_the_toy, name="strong")}
    return model
