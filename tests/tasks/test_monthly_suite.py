"""The suite as the engine and its topologies see it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from harness.agents.tools import Tool
from harness.entry.schema import make, settings
from harness.errors import ConfigError, CorpusError, HarnessError
from harness.suite import Suite
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.topology import Topology
from tasks.monthly_figures import MonthlyFigures
from topologies.bus import Bus
from topologies.moa import Moa
from topologies.single import Single
from topologies.sync import Sync

CONF = Path(__file__).parents[2] / "conf" / "task" / "monthly_figures.yaml"
FIRST = "monthly-1x20-m2-en-zh-s0-00"


def test_the_suite_keeps_the_contract_and_its_configuration_file() -> None:
    suite: Suite = MonthlyFigures()
    assert suite.name == "monthly_figures"
    values = OmegaConf.to_container(OmegaConf.load(CONF))
    assert isinstance(values, dict)
    assert set(values) == {"_target_", *settings(MonthlyFigures)}
    assert make(values, "task") == suite
    assert len(suite.sample_ids()) == 12


@pytest.mark.parametrize(
    ("options", "error", "names"),
    [
        ({"samples": 0}, ConfigError, "task.samples=0"),
        ({"documents": 0}, ConfigError, "task.documents=0"),
        ({"pages": 0}, ConfigError, "task.pages=0"),
        ({"missing": -1}, ConfigError, "task.missing=-1"),
        ({"missing": 7}, ConfigError, "task.missing=7"),
        ({"languages": ["de"]}, ConfigError, "Valid choices: en, zh"),
        ({"languages": []}, ConfigError, "at least one"),
        ({"languages": ["en", "en"]}, ConfigError, "once"),
        ({"limit": 0}, ConfigError, "task.limit=0"),
        ({"pass_threshold": 1.5}, ConfigError, "pass_threshold=1.5"),
        ({"only": ["monthly-1x20-m2-en-zh-s1-00"]}, CorpusError, f"Did you mean '{FIRST}'"),
    ],
)
def test_bad_options_give_one_clear_error(options: dict[str, Any], error: type[HarnessError], names: str) -> None:
    with pytest.raises(error) as caught:
        MonthlyFigures(**options).load()
    assert names in str(caught.value)


def test_a_line_says_all_that_is_asked_and_the_statement_gives_no_amount_away() -> None:
    for documents in (1, 2):
        suite = MonthlyFigures(samples=2, documents=documents, pages=3)
        for sample_id in suite.sample_ids():
            problem, lines = suite.problem(sample_id), suite.sample(sample_id).statement.split("\n")
            assert len(problem.months) == 12 * documents
            for month in problem.months:
                (line,) = [line for line in lines if line.startswith(f"{month.label}:")]
                assert month.company in line and month.unit in line and '"missing"' in line
                assert problem.documents[problem.companies.index(month.company)].name in line
                assert month.amount == "missing" or month.amount not in suite.sample(sample_id).statement
            assert len({month.label for month in problem.months}) == len(problem.months)


def test_declared_sizes_are_those_of_what_has_to_be_read() -> None:
    suite = MonthlyFigures(samples=2, documents=3, pages=3)
    for sample_id in suite.sample_ids():
        sample, sizes = suite.sample(sample_id), [d.tokens for d in suite.problem(sample_id).documents]
        last = sample.material_tokens - sum(sizes)
        assert last > 0
        assert (sample.graph_work, sample.graph_critical_path) == (sum(sizes) + last, max(sizes) + last)
    one = MonthlyFigures(samples=2, pages=3)
    sample = one.sample(one.sample_ids()[0])
    assert sample.graph_work == sample.graph_critical_path == sample.material_tokens, "one document does not divide"


def test_languages_take_turns_or_stand_alone() -> None:
    def tags(**options: Any) -> list[tuple[str, ...]]:
        suite = MonthlyFigures(samples=3, pages=2, **options)
        return [suite.sample(sample_id).tags for sample_id in suite.sample_ids()]

    assert tags() == [("en",), ("zh",), ("en",)]
    assert tags(languages=["zh"]) == [("zh",)] * 3


def test_options_change_ids_or_material() -> None:
    changed: list[dict[str, Any]] = [{}, {"seed": 1}, {"pages": 3}, {"missing": 3}, {"documents": 2}]
    suites = [MonthlyFigures(samples=2, **{"pages": 2, **options}) for options in changed]
    samples = [suite.sample(sample_id) for suite in suites for sample_id in suite.sample_ids()]
    assert len({sample.id for sample in samples}) == len({sample.material_hash for sample in samples}) == 10
    alone = MonthlyFigures(samples=2, pages=2, only=[suites[0].sample_ids()[1]])
    assert alone.sample(alone.sample_ids()[0]) == suites[0].sample(suites[0].sample_ids()[1])


def test_tools_read_this_samples_documents() -> None:
    suite = MonthlyFigures(samples=2, pages=3)
    sample_id = suite.sample_ids()[1]
    document = suite.problem(sample_id).documents[0]
    tools: dict[str, Tool] = {tool.name: tool for tool in suite.tools(suite.sample(sample_id))}

    async def read() -> object:
        return await tools["read_document"].run({"document": document.name})

    assert asyncio.run(read()) == document.text


def test_the_key_passes_the_visible_tests() -> None:
    for documents in (1, 2):
        suite = MonthlyFigures(samples=2, documents=documents, pages=2)
        for sample_id in suite.sample_ids():
            visible = suite.sample(sample_id).visible
            assert visible is not None
            assert list(asyncio.run(_run(visible, suite.key(sample_id)))) == []


async def _run(visible: Any, answer: str) -> Any:
    return await visible(answer)


@pytest.mark.parametrize("documents", [1, 3])
@pytest.mark.parametrize("topology", [Single(), Sync(), Bus(), Moa()], ids=lambda t: type(t).__name__)
def test_a_model_without_fault_solves_it_in_every_topology(topology: Topology, documents: int, tmp_path: Path) -> None:
    suite = MonthlyFigures(samples=2, documents=documents, pages=1)
    suite.load()
    found = records(cell(topology, faultless(suite.oracle()), suite=suite))
    assert [(r.run.status, r.run.score) for r in found] == [("ok", 1.0)] * 2
    assert faults(found, tmp_path) == []
