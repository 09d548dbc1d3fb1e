"""The configuration that is shipped: every option fits its class, and names every setting the class has."""

from __future__ import annotations

from pathlib import Path

import pytest
from hydra import compose, initialize_config_module
from omegaconf import OmegaConf

from harness.config import ClockConf, ExperimentConf
from harness.entry.overrides import CELLS
from harness.entry.schema import TARGET, build, make, settings, target_class
from harness.limits import Limits

CONF = Path(__file__).parents[2] / "conf"
SINGLE = {"clock": ClockConf, "limits": Limits}
MADE = ("topology", "task", "grader", "model", "bus", "store")
OPTIONS = sorted(p for group in (*SINGLE, *MADE) for p in (CONF / group).glob("*.yaml"))


@pytest.mark.parametrize("path", OPTIONS, ids=lambda p: f"{p.parent.name}={p.stem}")
def test_an_option_names_every_setting_of_its_class(path: Path) -> None:
    group = path.parent.name
    node = OmegaConf.load(path)
    if "defaults" in node:  # made of others: as Hydra composes it
        with initialize_config_module("conf", version_base="1.3"):
            node = compose("config", [f"{group}={path.stem}"])[group]
    made_of = OmegaConf.to_container(node, resolve=False)
    assert isinstance(made_of, dict)
    values = {str(k): v for k, v in made_of.items()}
    cls = SINGLE.get(group) or target_class(values, group)
    assert set(settings(cls)) == set(values) - {TARGET}
    made = build(cls, values, group) if group in SINGLE else make(values, group)
    assert isinstance(made, cls)


def test_the_top_level_names_every_key() -> None:
    node = OmegaConf.load(CONF / "config.yaml")
    assert set(settings(ExperimentConf)) == set(map(str, node)) - {"defaults", "hydra", CELLS}


def test_defaults_in_python_and_in_yaml_agree() -> None:
    whole = OmegaConf.to_container(OmegaConf.load(CONF / "config.yaml"), resolve=False)
    assert isinstance(whole, dict)
    values = {str(k): v for k, v in whole.items() if k not in ("defaults", "hydra", CELLS)}
    assert build(ExperimentConf, values, "") == ExperimentConf()
    for group, cls, option in (("clock", ClockConf, "auto"), ("limits", Limits, "default")):
        node = OmegaConf.to_container(OmegaConf.load(CONF / group / f"{option}.yaml"))
        assert isinstance(node, dict)
        assert build(cls, {str(k): v for k, v in node.items()}, group) == cls()
