"""The suite of independent modules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf
from support.programs import every_candidate

from harness.entry.schema import make, settings
from harness.errors import ConfigError, CorpusError
from harness.suite import Sample, Suite
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.testing.suites import SuiteConformance
from harness.topology import Topology
from tasks.modules import Modules
from topologies.bus import Bus
from topologies.moa import Moa
from topologies.single import Single
from topologies.sync import Sync

CONF = Path(__file__).parents[2] / "conf" / "task" / "modules.yaml"


class TestModules(SuiteConformance):
    samples = 2
    closed = True

    def suite(self) -> Modules:
        return Modules(modules=2, limit=2)

    def dumps(self, suite: Modules, sample: Sample) -> Sequence[str]:
        return every_candidate(suite.problem(sample.id))


def test_the_suite_keeps_the_contract_and_its_configuration_file() -> None:
    suite: Suite = Modules()
    assert suite.name == "modules"
    values = OmegaConf.to_container(OmegaConf.load(CONF))
    assert isinstance(values, dict)
    assert set(values) == {"_target_", *settings(Modules)}
    assert make(values, "task") == suite


@pytest.mark.parametrize(("modules", "samples"), [(1, 48), (6, 8), (12, 4), (13, 3), (40, 1), (48, 1)])
def test_samples_share_no_module(modules: int, samples: int) -> None:
    suite = Modules(modules=modules)
    problems = [suite.problem(sample_id) for sample_id in suite.sample_ids()]
    files = [f.file for functions in problems for f in functions]
    assert len(problems) == samples and len(files) == len(set(files)) == modules * samples
    assert len({suite.sample(i).cluster_id for i in suite.sample_ids()}) == samples


def test_another_seed_draws_other_samples() -> None:
    def drawn(seed: int) -> list[list[str]]:
        suite = Modules(seed=seed)
        return [[f.file for f in suite.problem(i)] for i in suite.sample_ids()]

    assert drawn(0) == drawn(0) != drawn(1)


def test_the_graph_is_as_wide_as_there_are_modules() -> None:
    """Nothing depends on anything: all of the work is in the modules, and the longest path is one of them."""
    suite = Modules(modules=12)
    for sample_id in suite.sample_ids():
        sample = suite.sample(sample_id)
        assert sample.graph_work / 12 < sample.graph_critical_path < sample.graph_work / 3
        assert sample.statement.count(".py: def ") == 12


def test_the_figures_of_the_readme() -> None:
    samples = [s.sample(i) for s in (Modules(seed=seed) for seed in range(5)) for i in s.sample_ids()]
    gains = [s.graph_work / s.graph_critical_path for s in samples]
    assert len(gains) == 40 and 2 < min(gains) < max(gains) < 5 and sum(gains) / 40 == pytest.approx(3, abs=0.5)
    largest = Modules(modules=48)
    (sample,) = map(largest.sample, largest.sample_ids())
    assert [sample.material_tokens, sample.graph_work] == pytest.approx([4_700, 4_700], abs=50)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"modules": 0}, "task.modules=0"), ({"modules": 49}, "own has 48 functions"), ({"limit": 0}, "task.limit=0")],
)
def test_options_that_no_material_can_fulfil_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Modules(**options).load()


def test_an_unknown_sample_is_refused_by_name() -> None:
    with pytest.raises(CorpusError, match="own-6-s1-00"):
        Modules(only=["own-6-s1-00"]).load()


@pytest.mark.parametrize("topology", [Single(), Sync(), Bus(), Moa()], ids=lambda t: type(t).__name__)
def test_every_kind_of_team_can_hand_in_all_modules(topology: Topology, tmp_path: Path) -> None:
    suite = Modules(modules=4, limit=2)
    found = records(cell(topology, faultless(suite.oracle()), suite=suite))
    assert [r.run.score for r in found] == [1.0, 1.0]
    assert faults(found, tmp_path) == []
    if not isinstance(topology, Single):
        assert all(len({c.agent for c in r.calls}) > 2 for r in found), "the work was divided"
