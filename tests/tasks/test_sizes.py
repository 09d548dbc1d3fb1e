"""Numbers of tokens as the suites' READMEs tell them: each is there, and is what the material has, within 5 %."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from tasks.briefing import Briefing
from tasks.common.sampled import Sampled
from tasks.monthly_figures import MonthlyFigures
from tasks.refactor import Refactor

TASKS = Path(__file__).parents[2] / "tasks"


def material(suite: Sampled[Any]) -> Sequence[int]:
    return [suite.sample(sample_id).material_tokens for sample_id in suite.sample_ids()]


def documents(suite: Sampled[Any]) -> Sequence[int]:
    return [d.tokens for sample_id in suite.sample_ids() for d in suite.problem(sample_id).documents]


def sheets(suite: Sampled[Any]) -> Sequence[float]:
    found = [d for sample_id in suite.sample_ids() for d in suite.problem(sample_id).documents]
    return [d.tokens / len(d.sections) for d in found]


@pytest.mark.parametrize(
    ("suite", "sizes", "told", "tokens"),
    [
        (Refactor(), material, "Three files have about 950 tokens with the statement", 950),
        (Refactor(parts=12), material, "twelve about 2,300 (`material_tokens`", 2_300),
        (Briefing(), material, "4 notes have about 2,400 tokens with the statement", 2_400),
        (Briefing(notes=400, samples=1), material, "400 about 165,000 (`material_tokens`", 165_000),
        (MonthlyFigures(), sheets, "A sheet is about 200 tokens", 200),
        (MonthlyFigures(), documents, "(20: about 4,000 tokens;", 4_000),
        (MonthlyFigures(pages=300, samples=2), documents, "300: about 53,000)", 53_000),
        (
            MonthlyFigures(documents=8, pages=100, samples=2),
            material,
            "`task.documents=8 task.pages=100` is about 150,000 tokens with the statement",
            150_000,
        ),
    ],
)
def test_readmes_tell_sizes_as_they_are(
    suite: Sampled[Any], sizes: Callable[[Sampled[Any]], Sequence[float]], told: str, tokens: int
) -> None:
    text = " ".join((TASKS / suite.name / "README.md").read_text(encoding="utf-8").split())
    assert told in text
    assert fmean(sizes(suite)) == pytest.approx(tokens, rel=0.05)


def test_documents_are_counted_as_the_tool_shows_them_and_files_bare() -> None:
    """What a tool returns for the whole material, and the statement, are what is declared."""
    for suite in (Refactor(limit=1), Briefing(limit=1), MonthlyFigures(limit=1, documents=2, pages=2)):
        sample = suite.sample(suite.sample_ids()[0])
        tools: dict[str, Tool] = {tool.name: tool for tool in suite.tools(sample)}
        if isinstance(suite, Refactor):
            tool, calls = "read_file", [{"file": name} for name in suite.problem(sample.id).files]
        else:
            tool, calls = "read_document", [{"document": d.name} for d in suite.problem(sample.id).documents]
        shown = [str(asyncio.run(_run(tools[tool], call))) for call in calls]
        assert sample.material_tokens == sum(map(count_tokens, [sample.statement, *shown])), suite.name


async def _run(tool: Tool, arguments: Mapping[str, Any]) -> object:
    return await tool.run(arguments)  # type: ignore[arg-type]
