"""The values in conf/bus and conf/clock: complete, of the right types, and those of the code."""

from __future__ import annotations

from pathlib import Path

import pytest
from hydra.utils import get_class
from omegaconf import DictConfig, OmegaConf

import conf

ROOT = Path(conf.__file__ or "").parent


@pytest.mark.parametrize("file", sorted((ROOT / "bus").glob("*.yaml")), ids=lambda p: p.stem)
def test_bus(file: Path) -> None:
    values = OmegaConf.create(file.read_text())
    assert isinstance(values, DictConfig)
    backend = get_class(values.pop("_target_"))
    schema = OmegaConf.structured(backend)
    assert OmegaConf.to_container(OmegaConf.merge(schema, values)) == OmegaConf.to_container(schema)
    assert set(values) == set(schema)
    assert backend(**{str(k): v for k, v in values.items()}).name == file.stem


@pytest.mark.parametrize("kind", ["auto", "virtual", "real"])
def test_clock(kind: str) -> None:
    assert OmegaConf.load(ROOT / "clock" / f"{kind}.yaml") == {"kind": kind, "scale": 1.0, "watchdog_s": 30.0}
