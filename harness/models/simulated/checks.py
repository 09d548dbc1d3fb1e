"""Checks of parameter values, with messages that name the key as one writes it on the command line."""

from __future__ import annotations

from harness.errors import ConfigError


def probabilities(group: str, settings: object, *names: str) -> None:
    """Raise ConfigError unless every named field lies between 0 and 1. ``group``: the key without the last part."""
    for name in names:
        value = getattr(settings, name)
        if not 0 <= value <= 1:
            raise ConfigError(f"model.{group}.{name}={value}: must lie between 0 and 1.", key=f"model.{group}.{name}")


def at_least(low: float, key: str, value: float | None) -> None:
    """Raise ConfigError unless the value of ``model.<key>`` is None or a finite number of at least ``low``."""
    if value is not None and not low <= value < float("inf"):
        raise ConfigError(f"model.{key}={value}: must be a finite number of at least {low:g}.", key=f"model.{key}")
