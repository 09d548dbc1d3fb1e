"""What a topology is: one async callable that solves one sample in one session."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, runtime_checkable

from harness.errors import ConfigError, unknown
from harness.models.protocol import Model
from harness.suite import Sample

if TYPE_CHECKING:
    from harness.session import Session


@dataclass(frozen=True, slots=True)
class Answer:
    """The deliverable, as text in the format that the sample's statement asks for."""

    text: str


class Topology(Protocol):
    """One way for agents to work on one sample.

    A user's topology is a dataclass with these members plus a YAML file in ``conf/topology/`` on Hydra's search path;
    its fields are its parameters. It holds no state between samples: one instance serves all runs of a cell at once.
    ``family`` says what its engine texts are to the ledger: the single family has no coordination by construction. A
    team that sends no messages says so with ``needs_bus = False``, and no bus is opened for it. What it cannot work
    with it refuses in a method ``check`` (``Particular``), if it has one. Two settings mean the same wherever a
    topology has them: ``ablate: str | None``, the role whose brief is replaced by neutral text of equal length
    (``Session.ablated``), and ``messages: bool``, whether workers may write to each other; the rows say what is left
    out (``runs.ablate``).
    """

    family: ClassVar[Literal["single", "team"]]

    async def __call__(self, sample: Sample, session: Session) -> Answer: ...


@runtime_checkable
class Particular(Protocol):
    """A topology that does not work with every model and every task."""

    def check(self, model: Model, sample: Sample, /) -> None:
        """Raise ConfigError for a model, or a task with such samples, that it cannot work with. Called once for each
        cell, with its first sample, before anything runs."""


def joins_bus(topology: Topology) -> bool:
    """Whether its runs need a bus."""
    return topology.family == "team" and bool(getattr(topology, "needs_bus", True))


def refuse_ablation(ablate: str | None, roles: Collection[str]) -> None:
    """Raise ConfigError for a role that has no brief of its own to take away. ``roles``: those that have one."""
    if ablate is not None and ablate not in roles:
        hint = "" if roles else "No role of this configuration has a brief of its own. "
        raise ConfigError(unknown("role in topology.ablate", ablate, roles, f"{hint}null leaves nothing out."))


def ablated(topology: Topology) -> str | None:
    """What its settings leave out on purpose, for the rows; None if nothing."""
    silent = "messages" if getattr(topology, "messages", True) is False else None
    return ", ".join(name for name in (getattr(topology, "ablate", None), silent) if name) or None
