"""Which file is a model, told before anything is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import ConfigError
from harness.models.local import gguf

from .local_model import needs_extra


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.path=.*none\.gguf: does not exist.*Name a GGUF file"):
        gguf.model_file(tmp_path / "none.gguf")


@pytest.mark.parametrize("content", [b"", b"GGU", b"Once upon a time", b"ggufx"])
def test_a_file_that_is_only_named_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"model\.path=.*is no GGUF file"):
        gguf.model_file(path)


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        gguf.model_file(tmp_path)


def test_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gguf, "PACKAGE", "no_such_package_here")
    with pytest.raises(ConfigError, match=r"pip install 'topology-harness\[local\]'"):
        gguf.model_file(None)


def test_a_relative_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.gguf").write_bytes(b"GGUF\x03\x00\x00\x00")
    monkeypatch.chdir(tmp_path)
    assert gguf.model_file(Path("model.gguf")) == tmp_path / "model.gguf"


@needs_extra
def test_the_packaged_one() -> None:
    path = gguf.model_file(None)
    assert path.is_absolute() and path.suffix == ".gguf" and path.stat().st_size > 90_000_000
