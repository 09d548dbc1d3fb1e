"""The engine's own reading of material, through real task tools and a few with faults."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest

from harness.accounting.parts import Part
from harness.accounting.purposes import Purpose
from harness.agents.tools import Arguments, Handler, Tool, ToolFailed
from harness.delegation.materials import Materials
from tasks.qa_corpus.suite import QaCorpus

NAMED = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def tool(run: Handler, reference: str | None = "name", parameters: dict[str, Any] | None = None) -> Tool:
    return Tool("read", "Reads.", parameters or NAMED, frozenset({"read"}), run, reference=reference)


def shelf(**texts: str) -> tuple[Tool, list[str]]:
    """A tool over these texts, and the names it was asked for."""
    asked: list[str] = []

    async def read(arguments: Arguments) -> str:
        name = arguments["name"]
        asked.append(name)
        if name not in texts:
            raise ToolFailed(f"there is no {name}; there are {', '.join(texts)}.")
        return texts[name]

    return tool(read), asked


def test_a_document_of_a_real_suite() -> None:
    suite = QaCorpus(corpus="generated", docs=2, samples=1)
    sample = suite.sample(suite.sample_ids()[0])
    tools = suite.tools(sample)
    materials = Materials(tools)
    name = re.findall(r"\S+\.\w+", sample.statement)[0]

    async def check() -> None:
        assert materials.known
        text = await materials.read(name)
        assert text is not None
        assert f"[{name} §1]" not in text and name not in text, "no label, no header: they would prove anything"
        assert text.count("\n\n") > 3
        assert await materials.read("nowhere.txt") is None
        (sentence,) = await materials.missing([name, "nowhere.txt"])
        assert sentence.startswith("input_ref 'nowhere.txt' cannot be read: unknown document 'nowhere.txt'.")
        assert name in sentence  # the tool's own message lists the valid names

    asyncio.run(check())


def test_each_name_is_read_once() -> None:
    one, asked = shelf(a="A", b="B")
    materials = Materials([one])

    async def check() -> None:
        assert [await materials.read(n) for n in ("a", "b", "a", "c", "c")] == ["A", "B", "A", None, None]
        assert await materials.missing(["a", "b"]) == []
        assert await materials.missing(["c"]) == ["input_ref 'c' cannot be read: there is no c; there are a, b."]

    asyncio.run(check())
    assert asked == ["a", "b", "c"]


def test_the_first_tool_that_knows_the_name_answers() -> None:
    (first, _), (second, _) = shelf(a="A"), shelf(a="other", b="B")
    materials = Materials([first, second])
    assert [asyncio.run(materials.read(n)) for n in ("a", "b", "c")] == ["A", "B", None]


def test_parts_are_joined() -> None:
    async def read(_: Arguments) -> list[Part]:
        return [Part("one ", "tool", Purpose.TASK), Part("two", "tool", Purpose.TASK)]

    assert asyncio.run(Materials([tool(read)]).read("a")) == "one two"


def test_without_a_tool_that_reads_by_name_nothing_is_known() -> None:
    async def read(_: Arguments) -> str:
        return "text"

    materials = Materials([tool(read, reference=None)])
    assert not materials.known
    assert asyncio.run(materials.read("a")) is None
    assert asyncio.run(materials.missing(["a"])) == ["input_ref 'a' cannot be read: no tool reads material by name."]


def test_a_tool_is_only_asked_what_its_schema_allows() -> None:
    """An agent's calls are checked before the tool runs, so a tool may rely on it."""

    async def read(arguments: Arguments) -> str:
        return {"a": "A"}[arguments["name"]]

    chosen = {"type": "object", "properties": {"name": {"enum": ["a"]}}, "required": ["name"]}
    materials = Materials([tool(read, parameters=chosen)])
    assert asyncio.run(materials.read("a")) == "A"
    (sentence,) = asyncio.run(materials.missing(["b"]))
    assert "'b' is not one of ['a']" in sentence


@pytest.mark.parametrize("defect", [KeyError, ZeroDivisionError])
def test_a_defect_of_a_tool_is_not_hidden(defect: Callable[[str], Exception]) -> None:
    async def read(_: Arguments) -> str:
        raise defect("broken")

    with pytest.raises((KeyError, ZeroDivisionError)):
        asyncio.run(Materials([tool(read)]).read("a"))
