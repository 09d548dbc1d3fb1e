"""Models beside a cell's main one, by the name under which agents ask for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from harness.errors import ConfigError, unknown
from harness.models.protocol import Model

STRONG = "strong"
"""The stronger model (``model.strong``): what escalates goes to it, and ``topology.strong=true`` runs on it."""

_Chosen = TypeVar("_Chosen")


def beside(
    by_role: Mapping[str, _Chosen], strong: _Chosen | None, made: Callable[[str, _Chosen], Model]
) -> dict[str, Model]:
    """The models of ``model.roles`` and ``model.strong`` by name. ``made``: from where it stands in the configuration
    and what is set there. Raises ConfigError for a role of the name that is kept for the stronger model."""
    if STRONG in by_role:
        raise ConfigError(f"model.roles.{STRONG}: write model.{STRONG} instead.")
    models = {role: made(f"model.roles.{role}", chosen) for role, chosen in by_role.items()}
    if strong is not None:
        models[STRONG] = made(f"model.{STRONG}", strong)
    return models


def require(model: Model, names: Iterable[str], key: str) -> None:
    """Raise ConfigError for a name (given in ``key``) that is neither in ``model.roles`` nor, as ``strong``, set."""
    for name in names:
        if name not in model.roles:
            if name == STRONG:
                raise ConfigError(
                    f"{key} needs a stronger model beside the main one, and there is none: set model.{STRONG}=NAME "
                    "(docs/models.md says which models can have one)."
                )
            hint = f"A model of that name is added with '+model.roles.{name}=MODEL'."
            raise ConfigError(unknown(f"model in {key}", name, model.roles, hint))
