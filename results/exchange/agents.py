"""Which agent is the baseline, which are further single agents, which are teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.errors import ConfigError, StoreError, unknown
from results.bridge import BASELINE
from results.exchange.column_map import ColumnMap
from results.exchange.reading import Told
from results.layout import partition

SINGLE, TEAM = "single", "team"
"""The families."""


@dataclass(frozen=True, slots=True)
class Agent:
    """``name``: as the file calls it; ``topology``: as it is stored."""

    name: str
    topology: str
    family: str


def agents(told: Sequence[Told], chosen: ColumnMap) -> Mapping[str, Agent]:
    """Name → agent, in the order of the file. Raises ConfigError for a name that is not there, or has two roles."""
    names = list(dict.fromkeys(t.agent for t in told))
    baseline = chosen.single
    if baseline is None:
        raise ConfigError(
            f"which agent is the baseline that all others are compared with? Say --single NAME; the agents are: "
            f"{', '.join(names)}."
        )
    for option, wanted in (("--single", (baseline,)), ("--family", chosen.family), ("unknown", chosen.unknown)):
        for name in wanted:
            if name not in names:
                raise ConfigError(f"{option}: {unknown('agent', name, names)}", name=name)
    if baseline != BASELINE and BASELINE in names:
        raise ConfigError(
            f"an agent is called '{BASELINE}', which is what the baseline is called in the store, but --single names "
            f"'{baseline}'. Rename one of them in the file."
        )
    said = _families(told)
    made = {}
    for name in names:
        alone = name == baseline or name in chosen.family
        if alone and said[name] == TEAM:
            raise ConfigError(f"agent '{name}' is a team by its column, and a single agent by --single or --family.")
        family = SINGLE if alone else said[name] or TEAM
        made[name] = Agent(name, BASELINE if name == baseline else name, family)
    for task in dict.fromkeys(t.task for t in told):
        for agent in made.values():
            _named(agent.topology, task)
    return made


def _families(told: Sequence[Told]) -> dict[str, str]:
    """Agent → what its column says, empty for nothing."""
    found: dict[str, str] = {}
    for one in told:
        if found.setdefault(one.agent, one.family) != one.family:
            raise one.row.wrong("family", f"agent '{one.agent}' is {one.family or 'nothing'} here and "
                                          f"{found[one.agent] or 'nothing'} in a row before.")  # fmt: skip
    return found


def _named(topology: str, task: str) -> None:
    """Whether both can name folders of the store."""
    try:
        partition(topology, task)
    except StoreError as error:
        raise ConfigError(f"{error} Agents and tasks name folders of the store.") from error
