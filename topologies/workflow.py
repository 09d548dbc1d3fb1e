"""A script that a person wrote says which agents are called, in which order and on what (seed document 004,
"Workflow").

Nobody plans and nobody leads: orchestration costs no token, and how many agents there are is known beforehand. Costs:
each agent reads the task, or what the script gives it of it, anew, and those after it read its results; the script
cannot change its mind. Pays: for tasks of a known structure (each dimension of a review, each route of a search).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from harness.agents.tools import ASK
from harness.delegation.rules import MOST_RETRIES
from harness.dispatch.definition import BUILT_IN, SubAgent, chosen
from harness.errors import ConfigError, above_zero
from harness.models.protocol import Model
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer, Topology, refuse_ablation
from harness.workflow.bounds import Bounds
from harness.workflow.caller import AgentCaller
from harness.workflow.journal import Journal
from harness.workflow.program import Program, program, read
from harness.workflow.stage import Stage
from harness.workflow.steps import ToolSteps, tool_steps

SHIPPED = Path(__file__).parent / "workflows"
"""Scripts that ``topology.script`` finds by name."""
SOLVER = SubAgent(
    "solver", "a whole task, with leave to ask whoever set it",
    "Do the whole of what the order asks for; if there is a tool for asking and it leaves something open, ask.",
    ["read", "write", "exec", ASK],
)  # fmt: skip
"""The type for an agent that a script gives the task itself to: beside the built-in ones, which get parts."""


@dataclass(frozen=True)
class Workflow:
    """``script``: the name of a shipped script, or the path of one (.py) or of a list of tool steps (.yaml); ``args``:
    what the script finds as ``args``. ``max_agents``: agent calls of one run (004: 1,000); ``max_concurrency``: agents
    at work at once; None: 004's max(1, min(16, cores - 2)) on the real clock, 16 on the virtual one.
    ``parallel_timeout_s``: seconds after which a call of parallel() is not waited for (004: 4 hours). ``script_steps``:
    rounds of loops and calls of functions in the script, and the longest ``range``. ``worker_steps``: model calls of
    one agent; ``worker_timeout_s``: seconds of one agent, None: no bound. ``max_retries``: how often a result is sent
    back that does not fit its schema. ``definitions``: sub-agent types beside the built-in ones; ``inside``: name of a
    type → the topology that such a sub-agent is. ``journal``: a file of finished calls: those that stand there are not
    made again. ``ablate``: the type whose prompt is replaced by neutral text."""

    family: ClassVar[Literal["single", "team"]] = "team"
    needs_bus: ClassVar[bool] = False
    script: str = "research"
    args: dict[str, Any] = field(default_factory=dict)
    definitions: list[SubAgent] = field(default_factory=list)
    inside: dict[str, Topology] = field(default_factory=dict)
    max_agents: int = 1000
    max_concurrency: int | None = None
    parallel_timeout_s: float = 14_400.0
    script_steps: int = 1_000_000
    worker_steps: int = 24
    worker_timeout_s: float | None = None
    max_retries: int = 2
    journal: str | None = None
    ablate: str | None = None
    _program: Program | ToolSteps = field(init=False, compare=False)

    def __post_init__(self) -> None:
        above_zero(self, "topology", "max_agents", "parallel_timeout_s", "script_steps", "worker_steps")
        for name in ("max_concurrency", "worker_timeout_s"):
            if getattr(self, name) is not None:
                above_zero(self, "topology", name)
        if not 0 <= self.max_retries <= MOST_RETRIES:
            raise ConfigError(f"topology.max_retries={self.max_retries}: must lie between 0 and {MOST_RETRIES}.")
        refuse_ablation(self.ablate, [t.name for t in self._types().values() if t.inside is None])
        source = read(self.script, SHIPPED)
        if source.yaml:
            self._refuse_settings()
        object.__setattr__(self, "_program", tool_steps(source) if source.yaml else program(source))

    def _refuse_settings(self) -> None:
        """Raise ConfigError for a setting that has no meaning without agents."""
        for name in ("args", "definitions", "inside", "journal", "ablate"):
            if getattr(self, name):
                raise ConfigError(
                    f"topology.{name} is set, and topology.script={self.script} calls tools only, no agents: leave it "
                    "out, or write a script (.py)."
                )

    def check(self, model: Model, sample: Sample) -> None:
        if self.journal is not None:
            Journal(self.journal).check()

    def _types(self) -> Mapping[str, SubAgent]:
        return chosen([*BUILT_IN, SOLVER.name], [SOLVER, *self.definitions], self.inside)

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        if isinstance(self._program, ToolSteps):
            return Answer(await self._program.run(session))
        journal = None if self.journal is None else Journal(self.journal)
        if journal is not None:
            journal.read()
        bounds = self._bounds()
        caller = AgentCaller(session, self._types(), bounds, self._program.phases, journal)
        return Answer(await Stage(session, self._program, caller, bounds, self.args).run())

    def _bounds(self) -> Bounds:
        return Bounds(
            self.max_agents, self.max_concurrency, self.parallel_timeout_s, self.script_steps, self.worker_steps,
            self.worker_timeout_s, self.max_retries,
        )  # fmt: skip
