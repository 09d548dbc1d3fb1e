"""What a topology is: one async callable that solves one sample in one session."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, cast, runtime_checkable

from harness.errors import ConfigError, placed, unknown
from harness.models.protocol import Model
from harness.suite import Sample, inside_sample

if TYPE_CHECKING:
    from harness.session import Session

INSIDE = "inside"
"""The setting in which a topology stands that is a worker."""
NO_TESTS = " (It is a worker there, and visible tests belong to whoever owns the sample.)"


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
    """Whether its runs need a bus: it does, or a topology in its settings."""
    own = topology.family == "team" and bool(getattr(topology, "needs_bus", True))
    return own or any(joins_bus(inner) for _, inner in inner_topologies(topology))


def inner_topologies(settings: object, key: str = "topology") -> Iterator[tuple[str, Topology]]:
    """The topologies that stand in a topology's settings, and not in those of another one there, each with its full
    key, in the order of the settings. ``settings``: the topology, or a value in it; ``key``: its own."""
    for name, value in _settings(settings).items():
        if callable(value) and getattr(value, "family", None) in ("single", "team"):
            yield f"{key}.{name}", cast("Topology", value)
        else:
            yield from inner_topologies(value, f"{key}.{name}")


def _settings(settings: object) -> Mapping[Any, Any]:
    """What stands in a dataclass, a mapping or a list, by its key; nothing in anything else."""
    if is_dataclass(settings) and not isinstance(settings, type):
        return {f.metadata.get("key", f.name): getattr(settings, f.name) for f in fields(settings) if f.init}
    if isinstance(settings, Mapping):
        return settings
    return dict(enumerate(settings)) if isinstance(settings, list | tuple) else {}


def refuse_misfit(topology: Topology, model: Model, sample: Sample, key: str = "topology") -> None:
    """Raise ConfigError, with full keys, for a model or a sample that a topology cannot work with, or one in its
    settings. What stands in a setting called ``inside`` is a worker, and is asked with what a worker gets."""
    if isinstance(topology, Particular):
        worker = INSIDE in key.split(".")
        given = inside_sample(sample, sample.statement) if worker else sample
        if (error := _misfit(topology, model, given)) is not None:
            error = placed(error, key, _settings(topology))
            where = "" if key == "topology" or key in str(error) else f"{key}: "
            untested = worker and _misfit(topology, model, sample) is None
            raise ConfigError(f"{where}{error}{NO_TESTS if untested else ''}", **error.facts)
    for where, inner in inner_topologies(topology, key):
        refuse_misfit(inner, model, sample, where)


def _misfit(topology: Particular, model: Model, sample: Sample) -> ConfigError | None:
    try:
        topology.check(model, sample)
    except ConfigError as error:
        return error
    return None


async def solved(topology: Topology, session: Session) -> str:
    """The text of the answer that a topology gives to its session's sample. Raises what the topology raises, and
    TypeError for what is no answer."""
    answer = await topology(session.sample, session)
    if not (isinstance(answer, Answer) and isinstance(answer.text, str)):
        raise TypeError(f"returned {answer!r:.80}; a topology returns an Answer with a text")
    return answer.text


def refuse_ablation(ablate: str | None, roles: Collection[str]) -> None:
    """Raise ConfigError for a role that has no brief of its own to take away. ``roles``: those that have one."""
    if ablate is not None and ablate not in roles:
        hint = "" if roles else "No role of this configuration has a brief of its own. "
        raise ConfigError(unknown("role in topology.ablate", ablate, roles, f"{hint}null leaves nothing out."))


def ablated(topology: Topology) -> str | None:
    """What its settings leave out on purpose, for the rows, with the key of a topology in them; None if nothing."""
    silent = "messages" if getattr(topology, "messages", True) is False else None
    own = [name for name in (getattr(topology, "ablate", None), silent) if name]
    inside = ((key.partition(".")[2], ablated(inner)) for key, inner in inner_topologies(topology))
    return ", ".join([*own, *(f"{key}: {what}" for key, what in inside if what)]) or None
