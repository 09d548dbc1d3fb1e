"""Plans: which expert does which part, and in what order."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from harness.models.oracle import Item
from harness.models.simulated.prompt.handing import Payload, order_text
from harness.models.simulated.prompt.team import Part, balanced
from harness.models.simulated.prompt.tool_names import PLAN
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.ordering import payload

_TEAM = re.compile(r"\bteam of experts:[ \t]*(.+)", re.I)
_EXPERT = re.compile(r"([^\s;()][^;()]*?)(?:[ \t]*\((.*?)\))?[ \t]*(?:;|\.?$)")
_NUMBERED = re.compile(r"\bstep_(\d+)\b")
_NOT_DONE = re.compile(r"\bnot to be planned again: (.+)", re.I)
BLOCKS = "Answer with one fenced block for each file, its name on a line of its own above it."
"""How an order asks for files."""


def experts(view: View) -> dict[str, str]:
    """Name → field of each expert that the system prompt lists."""
    line = _TEAM.search(view.system)
    return {name.strip(): field for name, field in _EXPERT.findall(line[1])} if line else {}


def steps(view: View) -> list[dict[str, Any]]:
    """The steps of a plan, each with its order. Questions go to the expert whose field they are, now and then to
    another; what is nobody's field, and documents, are divided evenly. Of a plan that did not work, what is done is not
    planned again, and no id comes again."""
    planned = _planned(view)
    numbers = (int(n) for id in planned for n in _NUMBERED.findall(id))
    first = 1 + max(numbers, default=0)
    divided = _divided(view, _done_parts(view, planned))
    chained = view.draws.agent("chain") < view.behaviour.planning.chain
    made: list[dict[str, Any]] = []
    for number, (name, part) in enumerate(divided, 1):
        made.append(
            {
                "id": f"step_{first + number - 1}",
                "expert": name,
                "depends_on": [made[-1]["id"]] if chained and made else [],
                "risk": "MEDIUM",
                "order": _order(view, part, number, len(divided)),
            }
        )
    return made


def _planned(view: View) -> dict[str, str]:
    """Step → what its order is about, of the plans that were accepted."""
    accepted = (call.arguments for call in view.calls if call.name == PLAN and not call.failed)
    steps = (step for arguments in accepted for step in (arguments or {}).get("steps", ()))
    return {str(step.get("id")): order_text(step.get("order", "")) for step in steps}


def _done_parts(view: View, planned: Mapping[str, str]) -> frozenset[str]:
    """The documents, or questions, of those steps that it is told are done."""
    told = _NOT_DONE.findall("\n".join(m.text for m in view.messages if m.role == "user"))
    done = set(re.findall(r"[\w-]+", told[-1])) if told else set()
    about = "\n".join(text for id, text in planned.items() if id in done)
    return frozenset(
        view.documents_in(about) if view.documents else (i.question for i in view.knowledge.questions(about))
    )


def _divided(view: View, done: Collection[str]) -> Sequence[tuple[str, Part]]:
    """(expert, its part), at least one, without what is done (unless nothing would be left)."""
    team = experts(view)
    names = list(team)
    units = view.team.units
    units = {unit: size for unit, size in units.items() if unit not in done} or units
    questions = [item for item in view.questions if item.question in units]
    if view.documents or not any(_whose(item, team) for item in questions):
        parts = view.team.split(len(names), units)
        return [(names[n % len(names)], part) for n, part in enumerate(parts)]
    own: dict[str, dict[str, int]] = {name: {} for name in names}
    nobodys: dict[str, int] = {}
    for item in questions:
        whose = _given_to(view, item, team)
        (nobodys if whose is None else own[whose])[item.question] = 0
    for extra in balanced(nobodys, min(len(names), len(nobodys))):
        lightest = min(names, key=lambda name: len(own[name]))
        own[lightest].update(extra)
    return _at_most(view.team.most_parts, {name: part for name, part in own.items() if part})


def _at_most(most: int | None, parts: Mapping[str, dict[str, int]]) -> Sequence[tuple[str, Part]]:
    """Those parts, the lightest given to whoever has the least beside it until there are no more than allowed."""
    left = dict(parts)
    while most is not None and len(left) > max(1, most):
        lightest, next_one = sorted(left, key=lambda name: len(left[name]))[:2]
        left[next_one] = {**left[next_one], **left.pop(lightest)}
    return list(left.items())


def _whose(item: Item, team: Mapping[str, str]) -> str | None:
    """The expert whose field a question is."""
    if item.field is None:
        return None
    return next((name for name, field in team.items() if item.field in (name, field)), None)


def _given_to(view: View, item: Item, team: Mapping[str, str]) -> str | None:
    whose = _whose(item, team)
    others = [name for name in team if name != whose]
    slips = view.draws.agent("misassigns", item.question) < view.behaviour.planning.misassign
    if whose is None or not others or not slips:
        return whose
    return others[int(view.draws.agent("misassigns to", item.question) * len(others))]


def _order(view: View, part: Part, number: int, parts: int) -> Payload:
    """The order for one part; files are asked for as such, and not as entries. That answers be quotations is asked for
    by nobody who cannot do them himself: the step would fail its review for a right answer in other words."""
    order = payload(view, part, number, parts)
    if isinstance(order, str):
        return order
    if not view.in_blocks:
        checks = order.get("acceptance_criteria", [])
        return {**order, "acceptance_criteria": [c for c in checks if c["check"] != "quote_in_source"]}
    wanted = [*order.get("constraints", []), BLOCKS]
    free = {"output_schema": {"type": "string"}, "acceptance_criteria": [], "constraints": wanted}
    return {**order, **{name: value for name, value in free.items() if name in (view.team.order_form or {})}}
