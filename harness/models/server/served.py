"""Which models a stand-in serves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.errors import ConfigError
from harness.models.protocol import Model

_DIFFER = ("window_tokens", "price", "behaviour", "latency")


def served(main: Model) -> Mapping[str, Model]:
    """The main model and those of ``model.strong`` and ``model.roles``, each by its name, the main one first. A name
    that several roles have is one model. Raises ConfigError where they differ, since a request says only the name."""
    found = {main.name: main}
    for role, model in main.roles.items():
        known = found.setdefault(model.name, model)
        for key in _DIFFER:
            if _setting(known, key) != _setting(model, key):
                raise ConfigError(
                    f"model '{model.name}' of '{role}' differs from another of the same name in its {key}, and a "
                    "request names only the model: give each a name of its own."
                )
    return found


def _setting(model: Model, key: str) -> Any:
    return getattr(model, key, None)
