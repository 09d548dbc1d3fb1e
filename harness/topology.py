"""What a topology is: one async callable that solves one sample in one session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, runtime_checkable

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
    team that sends no messages says so with ``messages = False``, and no bus is opened for it. What it cannot work with
    it refuses in a method ``check`` (``Particular``), if it has one.
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
    return topology.family == "team" and getattr(topology, "messages", True)
