"""The planner: it plans, plans again, and combines what the steps came to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose, Stance
from harness.agents.faults import own_fault
from harness.agents.tools import Arguments, Tool, ToolFailed, asking, with_tags
from harness.delegation.desk import Desk
from harness.delegation.reading import OrderRefused
from harness.errors import TopologyFailed
from harness.expert import prompts
from harness.expert.member import PLANNER, Expert
from harness.expert.plan import Plan, Risk, Step, shape_faults
from harness.expert.settings import Settings
from harness.limits import exceeded
from harness.session import Session

SUBMIT = "submit_plan"
AGAIN = " Correct it and hand it in again."
MERGE_STEPS = 3
"""Model calls for combining: one, and two more should it call a tool that it does not have."""


class Planner:
    """One a team. It owns the sample, and knows its team but nothing of their fields."""

    def __init__(self, session: Session, settings: Settings, desk: Desk, experts: Mapping[str, Expert]) -> None:
        self._session = session
        self._settings = settings
        self._desk = desk
        self._experts = experts
        self._done: Collection[str] = ()
        self._plan: Plan | None = None
        self.tool = self._tool()
        self.agent = session.agent(
            PLANNER,
            role=PLANNER,
            stance=Stance.LEAD,
            tools=[*with_tags(session.tools, frozenset({"read"})), *asking(session.tools), self.tool],
            scaffold=prompts.PLANNER.format(
                experts="; ".join(e.described for e in experts.values()), steps=settings.max_plan_steps
            ),
            specialties=[],
        )
        self.agent.tell(session.statement())

    @property
    def name(self) -> str:
        return self.agent.name

    async def plan(self) -> Plan | str:
        """A plan, or why there is none: the planner failed, or no plan of ``planner_steps`` model calls was good."""
        self._plan = None
        try:
            for _ in range(self._settings.planner_steps):
                step = await self.agent.step(Purpose.PLAN, aside=Purpose.PLAN)
                if self._plan is not None:
                    return self._plan
                if step.final:
                    self.agent.note(prompts.NO_PLAN)
        except Exception as fault:
            own = own_fault(fault)
            if own is None:
                raise
            return own.text
        return f"planner_steps: no plan was accepted in {self._settings.planner_steps} model calls"

    async def replan(self, why: Sequence[Part], done: Collection[str]) -> Plan | str:
        """A plan for what is not done, as ``plan``. ``why``: what is wrong with the old one, in its authors' words."""
        before, _, after = prompts.REPLAN.partition("{why}")
        self._done = tuple(done)
        told = after.format(done=", ".join(done) or "nothing")
        self.agent.tell(Part(before, ENGINE, Purpose.SCAFFOLD), *why, Part(told, ENGINE, Purpose.SCAFFOLD))
        return await self.plan()

    async def merged(self, results: Sequence[Part]) -> str:
        """One answer from all results. Raises TopologyFailed if the planner fails."""
        self.agent.tell(Part(prompts.COMBINE, ENGINE, Purpose.SCAFFOLD), *results)
        try:
            for _ in range(MERGE_STEPS):
                step = await self.agent.step(Purpose.MERGE, tools=False)
                if step.final:
                    return step.text
            raise exceeded("merge_steps", MERGE_STEPS, MERGE_STEPS + 1, "agent")
        except Exception as fault:
            own = own_fault(fault)
            if own is None:
                raise
            raise TopologyFailed(f"planner, combining the results: {own.text}") from fault

    async def read(self, written: Sequence[Mapping[str, Any]], done: Collection[str] = ()) -> Plan:
        """Steps that fit the tool's schema as a plan. Raises ToolFailed with all that is wrong with them."""
        faults = shape_faults(written, self._experts, self._settings.max_plan_steps, done)
        steps = []
        for one in written:
            id = str(one["id"]).strip()
            try:
                order = await self._desk.draft(one["order"])
            except OrderRefused as refused:
                faults.append(f"Step '{id}': {' '.join(refused.faults)}")
                continue
            needs = tuple(dict.fromkeys(str(d).strip() for d in one.get("depends_on", ())))
            steps.append(Step(id, one["expert"], needs, Risk(one.get("risk", Risk.MEDIUM)), order, one))
        if faults:
            raise ToolFailed(f"Plan refused. {' '.join(faults)}{AGAIN}")
        return Plan(tuple(replace(step, order=self._desk.numbered(step.order)) for step in steps))

    def schema(self) -> dict[str, Any]:
        """The JSON schema of a plan. An order need not have an output schema: a step may be to write a file."""
        order = self._desk.schema()
        order["required"] = [name for name in order["required"] if name != "output_schema"]
        step = {
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "a short name of its own"},
                "expert": {"type": "string", "enum": list(self._experts)},
                "depends_on": {
                    "type": "array", "items": {"type": "string"},
                    "description": "ids of the steps whose results it needs",
                },
                "risk": {"type": "string", "enum": list(map(str, Risk))},
                "order": order,
            },
            "required": ["id", "expert", "depends_on", "risk", "order"],
            "additionalProperties": False,
        }  # fmt: skip
        return {
            "type": "object",
            "properties": {"steps": {"type": "array", "items": step}},
            "required": ["steps"],
            "additionalProperties": False,
        }

    def _tool(self) -> Tool:
        async def run(arguments: Arguments) -> Sequence[Part]:
            try:
                plan = await self.read(arguments["steps"], self._done)
                if self._plan is not None:  # of the same completion
                    raise ToolFailed("Plan refused. One is accepted already, and its steps are about to be done.")
            except ToolFailed as refused:
                self._session.refuse(self.name, str(refused), tool=SUBMIT)
                raise
            self._plan = plan
            return (Part(prompts.PLAN_TAKEN, ENGINE, self._session.engine_purpose),)

        return Tool(
            name=SUBMIT,
            description="Hand in the plan of the team's work.",
            parameters=self.schema(),
            tags=frozenset({"delegate"}),
            run=run,
            purpose_of=lambda _: Purpose.PLAN,
        )
