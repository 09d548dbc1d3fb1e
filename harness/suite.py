"""What a task suite is to the engine: samples, their tools, a grader, and an oracle for the simulated model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeGuard

from harness.agents.tools import Tool
from harness.errors import ConfigError, unknown
from harness.models.oracle import Oracle

VisibleTests = Callable[[str], Awaitable[Sequence[str]]]
"""From an answer to what fails, one sentence each."""


@dataclass(frozen=True, slots=True)
class Specialty:
    """What one specialist knows. ``role``: its name in a team of experts; ``title``: in a few words, what it is about,
    as colleagues know it; ``text``: how it stands in ``Sample.brief``, heading included, exactly once; ``neutral``: a
    text of as many o200k_base tokens that says nothing to the point and takes its place when it is ablated."""

    role: str
    title: str
    text: str
    neutral: str


@dataclass(frozen=True, slots=True)
class Sample:
    """What a solver may see of one problem. The key stays inside the suite.

    ``brief``: instructions and domain knowledge every solver gets in its system prompt, identical over topologies.
    ``specialties``: the parts of the brief that a team of experts divides among its members, each getting its own only
    and all that is nobody's; everybody else gets the whole brief.
    ``statement``: the task itself, the first user message. ``output_schema``: JSON schema of the deliverable, or None
    for free text. ``graph_work`` and ``graph_critical_path``: total and longest-path weight of the declared dependency
    graph of the sample's parts (equal when nothing is divisible). ``visible``: the task's visible tests, which anybody
    may run on an answer: what fails, one sentence each, empty if they pass; they know no key, and None where the task
    has none. ``earlier``: what stands before the statement in the conversation of whoever owns the sample, as turns of
    (what was asked, what the solver itself is taken to have answered). ``model``: name in ``model.roles`` of the model
    that its agents run on, unless the topology gives one another; None: as configured. ``material_tokens``: declared
    size of everything a solver might have to read, o200k_base tokens. ``material_hash``: sha256 over statement, brief,
    material and key; samples that are told apart only by what is to be compared (who is said to have written a draft)
    leave that out of it.
    """

    id: str
    statement: str
    brief: str
    output_schema: Mapping[str, Any] | None
    material_tokens: int
    material_hash: str
    graph_work: float
    graph_critical_path: float
    cluster_id: str = ""
    tags: tuple[str, ...] = ()
    visible: VisibleTests | None = None
    earlier: tuple[tuple[str, str], ...] = ()
    model: str | None = None
    specialties: tuple[Specialty, ...] = ()

    def briefed(self, roles: Collection[str] | None = None, *, neutral: bool = False) -> str:
        """The brief of an agent with these specialties only; None: the whole brief. ``neutral``: what they say is
        replaced by text of equal length that says nothing. Raises ConfigError for an unknown role."""
        if roles is None:
            return self.brief
        told = self.brief
        known = [s.role for s in self.specialties]
        for role in roles:
            if role not in known:
                raise ConfigError(unknown("specialty", role, known))
        for specialty in self.specialties:
            if specialty.role not in roles:
                told = told.replace(f"\n\n{specialty.text}", "")
            elif neutral:
                told = told.replace(specialty.text, specialty.neutral)
        return told


def inside_sample(
    sample: Sample, statement: str, output_schema: Mapping[str, Any] | None = None,
    specialties: Collection[str] | None = None,
) -> Sample:  # fmt: skip
    """A part of a sample as the whole task of a worker that is a topology: what was said before, and the visible tests,
    belong to whoever owns the sample. ``specialties``: of its agents together; None: all of them. Raises ConfigError
    for an unknown one."""
    kept = sample.specialties if specialties is None else tuple(s for s in sample.specialties if s.role in specialties)
    return replace(
        sample, statement=statement, brief=sample.briefed(specialties), output_schema=output_schema, earlier=(),
        visible=None, specialties=kept,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grade:
    """``score`` in 0..1; ``detail`` is JSON-ready and goes to the run's ``graded`` event."""

    score: float
    detail: Mapping[str, Any] = field(default_factory=dict)


class Suite(Protocol):
    """A user's suite is a dataclass with these members plus a YAML file in ``conf/task/`` on Hydra's search path.

    The constructor must be cheap; ``load`` reads and checks the material and raises HarnessError before any sample
    starts. Samples are built on demand so that memory stays flat over any number of them.
    """

    @property
    def name(self) -> str: ...

    @property
    def pass_threshold(self) -> float:
        """The score from which a run counts as passed."""

    def load(self) -> None:
        """Read and check the material once."""

    def sample_ids(self) -> Sequence[str]:
        """All sample ids, in order, after the suite's own ``limit`` and ``sample_ids`` options."""

    def sample(self, sample_id: str) -> Sample: ...

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """The task's own tools for one sample, the same for every topology."""

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Score an answer against the key. Never raises on any answer text, however malformed."""

    def oracle(self) -> Oracle | None:
        """For the simulated model; None when the suite cannot be simulated."""


class Keyed(Protocol):
    """A suite that can show its key to a judge (``grader.key_shown``). No topology ever gets a suite."""

    def key(self, sample_id: str, /) -> str:
        """What is right, as text that a person can compare an answer with."""


def offers_key(suite: object) -> TypeGuard[Keyed]:
    """Whether a suite has that method; a setting of its own that is called ``key`` is none."""
    return callable(getattr(suite, "key", None))
