"""The cells that foreign runs fall into: an agent on a task, in one setting."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.errors import CorpusError
from results.exchange.agents import Agent
from results.exchange.reading import Told

_Key = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Placed:
    """A run with its place. ``params``: JSON, as of our own cells."""

    told: Told
    agent: Agent
    cell_id: str
    params: str
    epoch: int


def placed(told: Sequence[Told], agents: Mapping[str, Agent], epochs: Mapping[str, int]) -> list[Placed]:
    """Every run in its cell; cells are numbered in the order of the file, ``c0``, ``c1``, … in each experiment.

    Raises CorpusError for a run that is there twice, and for a sample with two clusters.
    """
    models: dict[tuple[str, str], dict[str, None]] = {}
    for one in told:
        models.setdefault((one.agent, _given(one)), {})[one.model] = None
    numbers: dict[str, dict[_Key, str]] = {}
    made = []
    for one in told:
        agent = agents[one.agent]
        params = _params(one, agent, apart=len(models[one.agent, _given(one)]) > 1)
        cells = numbers.setdefault(one.experiment, {})
        key = (agent.topology, one.task, one.model, params, one.ablate or "")
        made.append(Placed(one, agent, cells.setdefault(key, f"c{len(cells)}"), params, epochs[one.epoch]))
    _once(made)
    _one_cluster(told)
    return made


def _given(one: Told) -> str:
    return json.dumps(one.params, sort_keys=True)


def _params(one: Told, agent: Agent, apart: bool) -> str:
    """``topology.*`` are those that tell agents apart, so that they do not keep them from being compared. ``apart``:
    whether the agent was run with several models."""
    chosen = {"task": one.task} if one.params is None else dict(one.params)
    chosen["topology"] = agent.topology
    if agent.name != agent.topology:
        chosen["topology.agent"] = agent.name
    if apart:
        chosen["topology.model"] = one.model
    return json.dumps(chosen, sort_keys=True, ensure_ascii=False)


def _once(runs: Sequence[Placed]) -> None:
    seen: dict[tuple[str, ...], Told] = {}
    for run in runs:
        one = run.told
        key = (one.experiment, run.cell_id, one.sample, one.material, str(run.epoch))
        before = seen.setdefault(key, one)
        if before is not one:
            raise CorpusError(
                f"{one.row.file}, line {one.row.line}: agent '{one.agent}' has task '{one.task}', sample "
                f"'{one.sample}', epoch {one.epoch or 0} already in {before.row.file}, line {before.row.line}. Map "
                f"'sample' and 'epoch' so that every run is there once, or remove one of the lines."
            )


def _one_cluster(told: Sequence[Told]) -> None:
    seen: dict[tuple[str, ...], Told] = {}
    for one in told:
        before = seen.setdefault((one.experiment, one.task, one.sample, one.material), one)
        if before.cluster != one.cluster:
            raise CorpusError(
                f"{one.row.file}, line {one.row.line}: sample '{one.sample}' is of cluster '{one.cluster}', but of "
                f"'{before.cluster}' in {before.row.file}, line {before.row.line}. A sample has one cluster."
            )
