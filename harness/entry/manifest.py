"""What an experiment was started with, for the record. Nothing of the environment, no keys."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

LIBRARIES = ("hydra-core", "litellm", "omegaconf", "pyarrow", "redis", "rich", "tiktoken")


@dataclass(frozen=True, slots=True)
class ExperimentInfo:
    """What the store is told at its opening; ``manifest`` is made of JSON values."""

    experiment_id: str
    manifest: Mapping[str, Any]


def new_experiment_id() -> str:
    """Unique, and in the order of time as text: UTC to the millisecond, then 24 random bits."""
    now = datetime.now(UTC)
    return f"{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03}-{secrets.token_hex(3)}"


def versions() -> dict[str, str | None]:
    """Version of Python, of the harness and of the libraries that results may depend on; None: not installed."""
    return {"python": sys.version.split()[0], **{n: _version(n) for n in ("topology-harness", *LIBRARIES)}}


def git_commit() -> str | None:
    """The commit checked out in the current folder; None outside a repository or without git."""
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--verify", "HEAD"], capture_output=True, text=True, timeout=5, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return found.stdout.strip() or None


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
