"""From what a lead wrote to an order: what passes, what is refused, and that one refusal tells every fault."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from dispatch.stage import ReferenceSuite, order
from hypothesis import given
from hypothesis import strategies as st
from support.texts import text_of_tokens

from harness.accounting.parts import ENGINE
from harness.accounting.purposes import Purpose
from harness.agents.offer import Offer
from harness.agents.tools import Arguments, Tool, ToolFailed
from harness.delegation.materials import Materials
from harness.delegation.order import TaskOrder
from harness.delegation.reading import order_schema, read_order
from harness.delegation.rules import Delegation

SUITE = ReferenceSuite()
TOOLS = SUITE.tools(SUITE.sample("s0"))


def read(written: Mapping[str, Any], **rules: Any) -> TaskOrder:
    return asyncio.run(read_order(written, lambda: "subtask_1", Delegation(**rules), Materials(TOOLS)))


def refusal(written: Mapping[str, Any], **rules: Any) -> str:
    with pytest.raises(ToolFailed) as refused:
        read(written, **rules)
    return str(refused.value)


def fits(written: Any, **rules: Any) -> str | None:
    """What an agent is told of arguments that do not fit the schema."""

    async def nothing(_: Arguments) -> str:
        return ""

    tool = Tool("order", "", order_schema(Delegation(**rules)), frozenset(), nothing)
    return Offer.of([tool], Purpose.SCAFFOLD, ENGINE).fault(tool, written)


def test_the_order_of_003_arrives_whole() -> None:
    """The example of section 4.2, its criteria as checks, its schema in the short form."""
    made = read(
        {
            "objective": "根据 a.txt，生成 5 条面向用户的问答条目",
            "input_ref": ["a.txt"],
            "context_card": {
                "background": "这批问答条目用于某企业内部知识库",
                "local_facts": ["第 3 节是付款条款", "第 5 节是违约责任"],
                "excluded": ["不需要解读 2022 年旧合同"],
            },
            "constraints": ["每条回答不超过 120 字"],
            "output_schema": {
                "type": "array",
                "items": {"question": "string", "answer": "string", "clause_ref": "string"},
            },
            "acceptance_criteria": [
                {"check": "count", "min": 5},
                {"check": "required", "field": "clause_ref"},
                {"check": "text", "text": "语气友好"},
            ],
            "max_retries": 1,
            "forbidden_actions": ["delegate"],
        }
    )
    row = made.as_json()
    assert row["context_card"]["local_facts"] == ["第 3 节是付款条款", "第 5 节是违约责任"]
    assert row["context_card"]["excluded"] == ["不需要解读 2022 年旧合同"]
    assert row["constraints"] == ["每条回答不超过 120 字"]
    assert row["acceptance_criteria"] == [
        {"check": "count", "min": 5},
        {"check": "required", "field": "clause_ref"},
        "语气友好",
    ]
    assert made.unchecked == ("语气友好",)
    assert row["output_schema"]["items"]["additionalProperties"] is False, "needed fields only (5.1)"
    assert (made.max_retries, made.forbidden_actions, made.input_ref) == (1, ("delegate",), ("a.txt",))


def test_what_an_order_does_not_say() -> None:
    made = read(order())
    assert (made.max_retries, made.forbidden_actions, made.constraints) == (2, ("delegate",), ())
    assert read(order(), max_retries=1).max_retries == 1
    assert read(order(forbidden_actions=[])).forbidden_actions == (), "an empty list is an answer"


@pytest.mark.parametrize("parts", [(500,), (200, 300), (100, 100, 300)])
def test_five_hundred_tokens_pass_and_one_more_is_refused(parts: tuple[int, ...]) -> None:
    """003, sections 2.2 and 5.1: at most 500, the whole card together; refused, never cut."""
    texts = [text_of_tokens(n) for n in parts]
    fields = ("background", "local_facts", "excluded")

    def card(*texts: str) -> dict[str, Any]:
        return {f: t if f == "background" else [t] for f, t in zip(fields, texts, strict=False)}

    made = read(order(context_card=card(*texts)))
    assert made.context_card.tokens == 500
    assert made.context_card.background == texts[0]
    said = refusal(order(context_card=card(*texts[:-1], text_of_tokens(parts[-1] + 1))))
    assert "context_card has 501 tokens, the most is 500" in said
    assert "input_ref" in said, "says what to do instead"


def test_the_bound_is_an_option() -> None:
    assert read(order(context_card={"background": text_of_tokens(600)}), card_tokens=600).context_card.tokens == 600
    assert "the most is 10" in refusal(order(context_card={"background": text_of_tokens(11)}), card_tokens=10)


def test_one_refusal_tells_every_fault() -> None:
    said = refusal(
        order(
            "  \n",
            input_ref=["a.txt", "nowhere.txt"],
            context_card={"background": text_of_tokens(501)},
            output_schema={"type": "nonsense"},
            acceptance_criteria=[
                {"check": "count", "min": 3, "max": 1},
                {"check": "psychic"},
                {"check": "count", "min": 1},
            ],
            max_retries=3,
        )
    )
    for fault in (
        "objective is empty",
        "context_card has 501 tokens",
        "input_ref 'nowhere.txt' cannot be read: no document 'nowhere.txt'; there are: a.txt, b.txt",
        "output_schema: ",
        "acceptance criterion 1: count: min 3 is above max 1",
        "acceptance criterion 2: unknown check 'psychic'",
        "max_retries is 3: 0 to 2 are allowed",
    ):
        assert fault in said, fault
    assert said.startswith("Order refused. ")
    assert said.endswith(" Correct it and send it again.")
    assert "'a.txt' cannot" not in said and "criterion 3" not in said


def test_an_unknown_check_is_told_the_valid_ones() -> None:
    said = refusal(order(acceptance_criteria=[{"check": "cuont", "min": 1}]))
    assert "Did you mean 'count'?" in said
    assert all(name in said for name in ("quote_in_source", "required", "range", "text"))


@pytest.mark.parametrize(
    ("criteria", "schema"),
    [
        ([{"check": "count", "min": 5}, {"check": "count", "max": 4}], {"type": "array"}),
        ([{"check": "required", "field": "month"}], {"type": "array", "items": {"amount": "number"}}),
    ],
)
def test_criteria_that_cannot_all_be_met_are_refused(criteria: list[dict[str, Any]], schema: Any) -> None:
    assert "Order refused" in refusal(order(acceptance_criteria=criteria, output_schema=schema))
    for one in criteria[:1]:
        if one["check"] == "count":
            read(order(acceptance_criteria=[one], output_schema=schema))


@pytest.mark.parametrize("schema", [{"type": "nonsense"}, {"type": "array", "items": 3}, {"properties": []}])
def test_a_schema_that_is_none_is_refused(schema: Any) -> None:
    assert "output_schema: " in refusal(order(output_schema=schema))


@pytest.mark.parametrize("retries", [-1, 3, 10**30])
def test_retries_out_of_range(retries: int) -> None:
    assert f"max_retries is {retries}: 0 to 2 are allowed" in refusal(order(max_retries=retries))


def test_two_point_nought_retries_are_two() -> None:
    """A whole number in JSON schema; told to a worker it would be "try 2 of 3.0"."""
    written = json.loads(json.dumps(order(max_retries=2.0)))
    assert fits(written) is None
    made = read(written)
    assert (repr(made.max_retries), json.dumps(made.as_json()["max_retries"])) == ("2", "2")


@pytest.mark.parametrize("retries", [1.5, "2", True, None])
def test_what_is_no_whole_number_does_not_fit(retries: Any) -> None:
    assert "max_retries" in (fits(order(max_retries=retries)) or "")


def test_a_name_that_comes_twice_is_one_input() -> None:
    assert read(order(input_ref=["b.txt", "a.txt", "b.txt"])).input_ref == ("b.txt", "a.txt")


def test_without_a_tool_that_reads_by_name_no_name_is_missing() -> None:
    made = asyncio.run(read_order(order(input_ref=["anything"]), lambda: "s", Delegation(), Materials(())))
    assert made.input_ref == ("anything",)


def test_blank_texts_say_nothing() -> None:
    made = read(order(constraints=["", " ", "Be short."], context_card={"background": "", "local_facts": [" "]}))
    assert (made.constraints, made.context_card.local_facts) == (("Be short.",), ())


def test_a_schema_of_history_has_no_card_and_one_without_the_gate_no_schema() -> None:
    assert "context_card" not in order_schema(Delegation(context="history"))["properties"]
    assert "output_schema" not in order_schema(Delegation(output_gate=False))["properties"]
    for schema in (order_schema(Delegation(context="history")), order_schema(Delegation(output_gate=False))):
        assert set(schema["required"]) <= set(schema["properties"])


def test_without_the_gate_a_schema_is_not_taken() -> None:
    assert read(order(), output_gate=False).output_schema is None


def test_a_megabyte_is_an_objective() -> None:
    text = "逐条核对合同。" * 50_000
    assert len(text.encode()) > 2**20
    assert read(order(text)).objective == text


texts = st.text(st.characters(exclude_categories=()), max_size=30)


@given(objective=texts, fact=texts, constraint=texts, action=texts)
def test_whatever_texts_are_written(objective: str, fact: str, constraint: str, action: str) -> None:
    """Any Unicode, lone surrogates included: read or refused, and what is read is a row."""
    written = order(
        objective,
        context_card={"background": fact, "local_facts": [fact], "excluded": [fact]},
        constraints=[constraint],
        forbidden_actions=[action],
    )
    assert fits(written) is None
    if not objective.strip():
        assert "objective is empty" in refusal(written)
        return
    made = read(written)
    assert made.objective == objective.strip()
    assert json.loads(json.dumps(made.as_json(), ensure_ascii=False)) == made.as_json()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = list(order_schema(Delegation())["properties"])


@given(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=len(FIELDS)))
def test_whatever_json_is_written(fields: dict[str, Any]) -> None:
    """It does not fit the schema, is refused, or is an order: never another exception."""
    written = order(**{"objective": "o", **fields})
    if fits(written) is None:
        try:
            read(written)
        except ToolFailed as refused:
            assert str(refused).startswith("Order refused. ")
