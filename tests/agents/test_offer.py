"""What offered tools weigh, and what is wrong with a call's arguments."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.models import ActingModel, Say
from support.runs import run_once
from support.teams import talking_bus

from harness.accounting.purposes import Purpose
from harness.accounting.tokens import count_tokens
from harness.agents.offer import Offer
from harness.agents.rendering import render_tool
from harness.agents.tools import Arguments, Tool, with_tags


async def nothing(arguments: Arguments) -> str:
    return ""


def tool(name: str = "look", tags: frozenset[str] = frozenset(), coordination: bool = False) -> Tool:
    parameters = {
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 1}, "names": {"type": "array", "items": {"type": "string"}}},
        "required": ["n"],
    }
    purpose = (lambda _: Purpose.SYNC) if coordination else None
    return Tool(name, "Looks.", parameters, tags, nothing, purpose)


def sent_schema() -> dict[str, Any]:
    """The schema of ``send_message`` as a lead's request carries it."""
    model = ActingModel({"lead": [Say("done")]})
    run_once(talking_bus(workers=1), model)
    (schema,) = (t for t in model.requests[0].tools if t["function"]["name"] == "send_message")
    return dict(schema)


def test_send_message_weighs_what_providers_make_of_it() -> None:
    """DESIGN: 153 tokens as raw JSON, about 100 as rendered; ours has its own descriptions, so within 15 %."""
    schema = sent_schema()
    assert count_tokens(json.dumps(schema, separators=(",", ":"))) == pytest.approx(153, rel=0.15)
    assert count_tokens(render_tool(schema)) == pytest.approx(100, rel=0.15)


def test_a_schema_rendered_by_hand() -> None:
    assert render_tool(tool().schema()) == "// Looks.\ntype look = (_: {\nn: number,\nnames?: string[],\n}) => any;"


def test_a_tool_without_parameters_rendered_by_hand() -> None:
    schema = {"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}}
    assert render_tool(schema) == "type now = (_: {}) => any;"


def test_schemas_are_task_or_scaffold_and_weighed_as_rendered() -> None:
    offer = Offer.of([tool(), tool("talk", coordination=True)], Purpose.SCAFFOLD, "engine")
    task, scaffold = offer.parts
    assert (task.author, task.purpose, scaffold.author, scaffold.purpose) == ("task", "task", "engine", "scaffold")
    assert [json.loads(p.text) for p in offer.parts] == list(offer.wire)
    assert [p.weight for p in offer.parts] == [count_tokens(render_tool(w)) for w in offer.wire]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (None, "not a JSON object"),
        ({}, "'n' is a required property"),
        ({"n": "x"}, "n: 'x' is not of type 'integer'"),
        ({"n": 0}, "minimum"),
        ({"n": 1, "names": [2]}, "names.0: 2 is not of type 'string'"),
    ],
)
def test_a_fault_names_the_tool_and_the_field(arguments: dict[str, Any] | None, says: str) -> None:
    one = tool()
    fault = Offer.of([one], Purpose.TASK, "engine").fault(one, arguments)
    assert fault is not None
    assert says in fault
    assert "look" in fault


def test_fitting_arguments_have_no_fault() -> None:
    one = tool()
    assert Offer.of([one], Purpose.TASK, "engine").fault(one, {"n": 1, "names": ["a"]}) is None


def test_a_whitelist_passes_tools_whose_tags_are_all_allowed() -> None:
    tools = [tool("a", frozenset({"read"})), tool("b", frozenset({"read", "exec"})), tool("c")]
    assert [t.name for t in with_tags(tools, frozenset({"read"}))] == ["a", "c"]
