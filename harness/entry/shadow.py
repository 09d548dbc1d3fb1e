"""Folders in the way: with ``python -m`` the current folder comes first on the import path."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

from harness.errors import ConfigError

PACKAGES = ("conf", "tasks", "results", "topologies")
"""What is installed beside ``harness`` under names that a user's own folder may well have."""


def refuse_shadows(home: Path, names: Iterable[str] = PACKAGES) -> None:
    """Raise ConfigError when one of our packages would be imported from somewhere else than beside ``harness``.

    ``home``: the folder that holds ``harness``. Nothing is imported.
    """
    for name in names:
        spec = find_spec(name)
        found = None if spec is None else _location(spec)
        if found is not None and found.parent != home.resolve():
            raise ConfigError(
                f"{found} is in the way of the harness's own package '{name}'. Run `python -P -m harness …` or "
                "`topology-harness …`, which leave the current folder off the import path, or start from another "
                "folder.",
                path=str(found),
                name=name,
            )


def _location(spec: ModuleSpec) -> Path | None:
    """The package's folder, or its file when it is a plain module."""
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).resolve()
    return Path(spec.origin).resolve() if spec.has_location and spec.origin else None
