"""What a candidate is held to: a YAML file of rules, checked before anything is compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import results
from harness.errors import ConfigError, unknown
from results.gate.declared import ALWAYS, COMPARED
from results.gate.metrics import LARGEST, METRICS, Metric
from results.gate.rows import Cell
from results.gate.strict_yaml import parsed

DEFAULT = Path(results.__file__).parent.parent / "conf" / "gate" / "default.yaml"
"""Beside this package, so that no other folder `conf` on the path is taken for ours."""
BETTER = ("lower", "higher")
SAME_ROWS = "same rows"
COMPARABLE = "comparable"
_KEYS = ("name", "metric", "better", "absolute", "relative", "topologies", "tasks")
JUDGED = "judged by a rule"
_TOP = ("rules", "exempt", "unjudged")
UNJUDGED = ("refuse", "allow")
TIMES = 10.0
"""The largest relative allowance: what may become eleven times as much is not judged at all."""


@dataclass(frozen=True, slots=True)
class Rule:
    """``better``: lower or higher. A change for the worse is allowed up to the larger of ``absolute`` (in the metric's
    unit) and ``relative`` (of the baseline's figure). ``topologies``, ``tasks``: patterns as of file names; a cell is
    judged when one of each fits."""

    name: str
    metric: str
    better: str
    absolute: float = 0.0
    relative: float = 0.0
    topologies: tuple[str, ...] = ("*",)
    tasks: tuple[str, ...] = ("*",)

    @property
    def judged(self) -> Metric:
        return METRICS[self.metric]

    def covers(self, cell: Cell) -> bool:
        """Whether it judges this cell: what is a figure of teams says nothing of the single family."""
        return (
            _fits(cell.key.topology, self.topologies)
            and _fits(cell.key.task, self.tasks)
            and (cell.team or not self.judged.ratio)
        )


@dataclass(frozen=True, slots=True)
class Rules:
    """``exempt``: columns in which simulated rows may differ. ``unjudged``: whether real cells that no rule covers are
    allowed. ``digest``: SHA-256 of what they say."""

    rules: tuple[Rule, ...]
    exempt: frozenset[str]
    source: str
    unjudged: bool = False

    @property
    def digest(self) -> str:
        said = [[asdict(r) for r in self.rules], sorted(self.exempt), self.unjudged]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def read(path: Path = DEFAULT) -> Rules:
    """Read rules. Raises ConfigError naming the file, what is wrong with it and what would be right."""
    try:
        found = parsed(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: no file of rules ({error}). See {DEFAULT} for one.", path=str(path)) from error
    try:
        return _rules(found, str(path))
    except ConfigError as error:
        raise ConfigError(f"{path}: {' '.join(str(error).split())}", path=str(path)) from error


def _rules(found: Any, source: str) -> Rules:
    if not isinstance(found, dict):
        raise ConfigError(f"rules are a mapping with the keys {', '.join(_TOP)}. See {DEFAULT}.")
    _only(found, "key", _TOP)
    listed = found.get("rules")
    if not isinstance(listed, list) or not listed:
        raise ConfigError(
            f"`rules` must be a list of at least one rule: what judges nothing passes nothing. See {DEFAULT}."
        )
    exempt = found.get("exempt", [])
    if not isinstance(exempt, list):
        raise ConfigError("`exempt` must be a list of columns, [] for none.")
    for column in exempt:
        if column not in COMPARED:
            raise ConfigError(unknown("column in `exempt`", column, [c for c in COMPARED if c not in ALWAYS]))
        if column in ALWAYS:
            raise ConfigError(f"`exempt`: '{column}' is compared always, as are {', '.join(ALWAYS)}. Leave it out.")
    unjudged = found.get("unjudged", UNJUDGED[0])
    if unjudged not in UNJUDGED:
        raise ConfigError(unknown("value of `unjudged`", unjudged, UNJUDGED))
    rules = tuple(_rule(entry, number) for number, entry in enumerate(listed, 1))
    names = [r.name for r in rules]
    for name in names:
        if names.count(name) > 1 or name in (SAME_ROWS, COMPARABLE, JUDGED):
            raise ConfigError(f"rule '{name}': the name is taken. Give each rule a name of its own.")
    return Rules(rules, frozenset(exempt), source, unjudged == "allow")


def _rule(entry: Any, number: int) -> Rule:
    if not isinstance(entry, dict):
        raise ConfigError(f"rule {number} must be a mapping with the keys {', '.join(_KEYS)}.")
    name = entry.get("name")
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise ConfigError(f"rule {number} needs a `name`, a text of one line that is not empty.")
    _only(entry, f"key of rule '{name}'", _KEYS)
    for key in ("metric", "better"):
        if key not in entry:
            raise ConfigError(
                f"rule '{name}' needs `{key}`. Valid choices: {', '.join(METRICS if key == 'metric' else BETTER)}."
            )
    if entry["metric"] not in tuple(METRICS):
        raise ConfigError(unknown(f"metric of rule '{name}'", entry["metric"], METRICS))
    if entry["better"] not in BETTER:
        raise ConfigError(unknown(f"`better` of rule '{name}'", entry["better"], BETTER))
    metric = METRICS[entry["metric"]]
    return Rule(
        name=name,
        metric=metric.name,
        better=entry["better"],
        absolute=_allowance(entry, name, "absolute", *_most(metric)),
        relative=_allowance(entry, name, "relative", *_times(entry["better"])),
        topologies=_patterns(entry, name, "topologies"),
        tasks=_patterns(entry, name, "tasks"),
    )


def _only(found: Mapping[Any, Any], kind: str, keys: Iterable[str]) -> None:
    for key in found:
        if key not in keys:
            raise ConfigError(unknown(kind, key, keys))


def _most(metric: Metric) -> tuple[float, str]:
    """Below what an absolute allowance must lie, and why."""
    if metric.scores:
        return 1.0, f"{metric.name} lies between 0 and 1, so that a change of 1 or more cannot be"
    if metric.ratio:
        return TIMES, "what may grow by so many times single's tokens is not judged at all"
    return LARGEST, f"no run has such a figure of {metric.name}"


def _times(better: str) -> tuple[float, str]:
    """The same of a relative one."""
    if better == "higher":
        return 1.0, "a figure cannot fall by more than all of it"
    return TIMES, "what may grow by so many times is not judged at all"


def _allowance(entry: Mapping[str, Any], name: str, key: str, below: float, why: str) -> float:
    value = entry.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise ConfigError(f"rule '{name}': `{key}` must be a number of at least 0, got {_shown(value)}.")
    if value >= below:
        raise ConfigError(f"rule '{name}': `{key}` must be below {below:,g}, got {_shown(value)}: {why}.")
    return float(value)


def _shown(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > 64:
        return f"an integer of {value.bit_length():,} bits"
    return f"{value!r:.60}"


def _patterns(entry: Mapping[str, Any], name: str, key: str) -> tuple[str, ...]:
    value = entry.get(key, ["*"])
    if not isinstance(value, list) or not value or not all(isinstance(v, str) and v for v in value):
        raise ConfigError(f"rule '{name}': `{key}` must be a list of patterns such as [\"*\"], got {value!r:.60}.")
    return tuple(value)


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
