"""Importing what a ``_target_`` names."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from harness.errors import ConfigError, HarnessError, unknown


def import_target(path: Any, where: str) -> Any:
    """The object at a dotted path. ``where``: the key that names it. Raises ConfigError when there is none."""
    if not isinstance(path, str) or "." not in path or not all(part.isidentifier() for part in path.split(".")):
        raise ConfigError(f"{where}={path}: must be the dotted path of a class, like package.module.Class.")
    module_name, _, name = path.rpartition(".")
    module = _module(module_name, f"{where}={path}")
    try:
        return getattr(module, name)
    except AttributeError:
        own = (n for n, v in vars(module).items() if getattr(v, "__module__", None) == module_name)
        public = {n for n in (*own, *getattr(module, "__all__", ())) if not n.startswith("_")}
        raise ConfigError(f"{where}={path}: {unknown(f'name in {module_name}', name, public)}") from None


def _module(name: str, what: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        missing = error.name or name
        if name == missing or name.startswith(f"{missing}."):
            raise ConfigError(
                f"{what}: there is no module '{missing}'. Correct the path, or install the package that holds it."
            ) from error
        raise ConfigError(
            f"{what}: needs the package '{missing.split('.')[0]}', which is not installed.", missing=missing
        ) from error
    except HarnessError:
        raise
    except Exception as error:
        raise ConfigError(f"{what}: importing '{name}' failed with {type(error).__name__}: {error}") from error
