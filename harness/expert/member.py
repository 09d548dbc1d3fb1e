"""The experts of a team: who they are, and what each may use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.accounting.parts import OUTSIDE
from harness.agents.tools import TAGS, Tool, granted
from harness.errors import ConfigError, unknown
from harness.graders.grader import GRADER
from harness.suite import Sample
from harness.team.roster import LONGEST_NAME, NAMES, ROSTER_CAP
from harness.topology import Topology

PLANNER = "planner"
EVALUATOR = "evaluator"
ARCHITECT = "architect"
GENERALIST = "generalist"
"""Who gets the whole task where no plan comes about."""
TAKEN = frozenset({PLANNER, EVALUATOR, ARCHITECT, GENERALIST, GRADER, *OUTSIDE})


@dataclass(frozen=True)
class Expert:
    """One expert. ``does``: its field in a few words, as the planner reads it; ``brief``: its specialty, appended to
    its system prompt. ``tags``: the task's tools it may use, by tag (read, write, exec, ask); None: all but those that
    ask whoever set the task. ``specialties``: roles of ``Sample.specialties`` whose part of the task's brief it gets,
    and of no other; None: the whole brief. ``model``: name in ``model.roles`` of the model it runs on; None: the one of
    its name, if there is one, else the main one. ``inside``: the topology that such an expert is, instead of an
    agent."""

    name: str = ""
    does: str = ""
    brief: str = ""
    tags: list[str] | None = None
    specialties: list[str] | None = field(default=None)
    model: str | None = None
    inside: Topology | None = None

    def __post_init__(self) -> None:
        for tag in self.tags or ():
            if tag not in TAGS:
                raise ConfigError(unknown(f"tag of expert '{self.name}'", tag, TAGS))

    @property
    def described(self) -> str:
        """As the planner reads of it."""
        return f"{self.name} ({self.does})" if self.does else self.name

    def tools(self, task_tools: Sequence[Tool]) -> tuple[Tool, ...]:
        """Those of the task's tools that it may use."""
        return granted(task_tools, self.tags)


def check_experts(experts: Sequence[Expert], generators: int) -> None:
    """Raise ConfigError for a team that is too large, or has a name that is taken, empty or reserved."""
    if not experts and not 1 <= generators <= ROSTER_CAP:
        raise ConfigError(f"topology.generators={generators}: a team has 1 to {ROSTER_CAP} members.")
    if len(experts) > ROSTER_CAP:
        raise ConfigError(f"topology.experts has {len(experts)} members; a team has 1 to {ROSTER_CAP}.")
    names = [e.name for e in experts]
    for name in names:
        plain = name.isprintable() and len(name) <= LONGEST_NAME and "/" not in name
        if not name.strip() or not plain or name in TAKEN or names.count(name) > 1:
            raise ConfigError(
                f"topology.experts: the name {name[:LONGEST_NAME]!r} is empty, repeated or reserved "
                f"({', '.join(sorted(TAKEN))}), or not one line of at most {LONGEST_NAME} characters without '/'."
            )


def team_of(experts: Sequence[Expert], generators: int, sample: Sample) -> dict[str, Expert]:
    """The experts for one sample, by name: those that are configured; else one for each of the sample's specialties;
    else generalists."""
    if not experts and sample.specialties:
        experts = [Expert(s.role, s.title, specialties=[s.role]) for s in sample.specialties]
    return {e.name: e for e in experts or [Expert(name) for name in NAMES[:generators]]}
