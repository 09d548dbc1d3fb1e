"""Hydra's and OmegaConf's errors in the harness's words: the input, the valid choices and what to do next."""

from __future__ import annotations

from contextlib import suppress

from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from omegaconf import DictConfig
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException
from yaml import MarkedYAMLError

from harness.config import GROUPS, ClockConf, ExperimentConf
from harness.entry.commandline import CommandLine
from harness.entry.overrides import parsed
from harness.entry.schema import TARGET, full, settings, target_class, unknown_key
from harness.errors import ConfigError, HarnessError, unknown
from harness.limits import Limits

COMPOSING = (HydraException, OmegaConfBaseException, MarkedYAMLError, UserWarning)
"""What composing raises for a user's mistake."""


def worded(error: Exception, command: CommandLine) -> ConfigError:
    """The same error as one clear message."""
    if isinstance(error, MissingConfigException):
        return ConfigError(_missing(error))
    if isinstance(error, OverrideParseException):
        return ConfigError(
            f"cannot read '{error.override}': {_said(error)}. Write key=value, +key=value for a new key or ~key "
            "to remove one; put values with spaces or any of ,=[]{}()\\ in quotes within quotes, key=\"'value'\"."
        )
    if isinstance(error, MarkedYAMLError):
        return ConfigError(f"broken YAML: {' '.join(str(error).split())}")
    cause = error if isinstance(error, OmegaConfBaseException) else error.__cause__
    if isinstance(cause, ConfigAttributeError | ConfigKeyError) and cause.full_key:
        return ConfigError(_no_such_key(cause, command))
    if isinstance(cause, OmegaConfBaseException):
        return ConfigError(f"{cause.full_key or 'the configuration'}: {_first_line(cause)}.", key=cause.full_key)
    return ConfigError(_override(command) or " ".join(str(error).split()))


def _missing(error: MissingConfigException) -> str:
    group, _, name = (error.missing_cfg_file or "").rpartition("/")
    if error.options is None:
        return _first_line(error)
    if not error.options:
        return f"there is no option '{name}' of '{group}': that group has none. `python -m harness --help` lists all."
    plus = "" if group in GROUPS or group.startswith("hydra/") else "+"
    return unknown(f"option of '{group}':", name, error.options, f"Write {plus}{group}=OPTION, one of these.")


def _no_such_key(cause: OmegaConfBaseException, command: CommandLine) -> str:
    key = str(cause.full_key)
    where = key.rpartition(".")[0]
    node = cause.parent_node
    declared = _declared(node, where) if isinstance(node, DictConfig) else set()
    if str(cause.key) in declared:
        typed = next((o for o in command.overrides if o.startswith(f"{key}=")), f"{key}=VALUE")
        return (
            f"'{key}' stands in no YAML of the chosen options, which leave it at its default: write +{typed} to set it."
        )
    written = set(map(str, node)) - {TARGET, "hydra"} if isinstance(node, DictConfig) else set()
    if where and not written and not declared and TARGET in node:
        return (
            f"unknown key '{key}': the chosen option of {where} has no settings. Another may have it: "
            f"`python -m harness --help` lists the options, such as {where}=NAME."
        )
    if where and not written and not declared:  # a mapping that is empty until somebody fills it
        return f"'{key}' is a new key: write +{key}=VALUE to add it to {where}."
    return unknown_key(key, [full(where, name) for name in sorted(written | declared)])


def _declared(node: DictConfig, where: str) -> set[str]:
    """The settings that a node's class declares, also those its YAML does not repeat."""
    single = {"": ExperimentConf, "clock": ClockConf, "limits": Limits}
    with suppress(HarnessError):
        cls = single[where] if where in single else target_class({TARGET: node.get(TARGET)}, where)
        return set(settings(cls))
    return set()


def _override(command: CommandLine) -> str:
    """What is wrong with an override that is well-formed, or nothing."""
    for override in parsed(command.overrides):
        key, typed = override.key_or_group, override.input_line
        if override.is_add() and key in GROUPS:
            return f"'{typed}': {key} is chosen already. Choose another with {key}=OPTION, without the plus."
        if override.is_sweep_override() and not command.multirun:
            return (
                f"'{typed}' names several values: add -m to run a cell for each, or write {key}=[a,b] for a list and "
                f"{key}=\"'a,b'\" for text."
            )
    return ""


def _said(error: OverrideParseException) -> str:
    """What the grammar says, without what it says every time."""
    lines = [line for line in error.message.splitlines() if not line.startswith(("See ", "Error parsing override"))]
    return " ".join(lines)


def _first_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[0].strip().rstrip(".") if lines else type(error).__name__
