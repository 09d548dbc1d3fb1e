"""One dispatched sub-agent: its own context, its own tools, one order, one result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from harness.accounting.ledger import Caller
from harness.accounting.parts import Part, joined
from harness.accounting.purposes import Purpose, Stance
from harness.agents.agent import Agent, Returned, Step
from harness.agents.completions import CallParts
from harness.agents.faults import own_fault
from harness.agents.tools import ASK, Tool
from harness.delegation.desk import Desk, Receipt, forbidden_call
from harness.delegation.log import Try
from harness.dispatch.definition import SubAgent
from harness.dispatch.harvest import SubStep
from harness.models.protocol import Json
from harness.session import Session

DONE = (
    "When you are done, give the result as your answer, without any tool call: it goes back to whoever sent the order."
)
ISOLATED = f"""\
You see only the order that follows, not the task that it comes from. You cannot ask back.
{DONE}"""
"""What a sub-agent with an order and no context is told of its place."""
PROMPT = """\
You are a sub-agent of the type {name}. {prompt}
{place}"""

OnStep = Callable[[SubStep], None]
"""Called with each finished step."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a sub-agent ended. ``status``: as in the ``delegations`` table; ``parts``: its last product; ``text``: why
    there is none, or why it is not accepted."""

    status: str
    parts: tuple[Part, ...] = ()
    text: str = ""


def made(
    session: Session, definition: SubAgent, name: str, *, parent: Caller | None = None, stance: Stance | None = None,
    model: str | None = None, tools: Sequence[Tool] | None = None, specialties: Collection[str] | None = None,
) -> Agent:  # fmt: skip
    """A sub-agent that sees its order alone; one that may ask whoever set the task is not told that it cannot ask.
    ``parent``: who dispatches it; None: code places it. ``stance``: None: its type's. ``model``: a name in
    ``model.roles``. ``tools``: of which it gets those of its type; None: the task's. ``specialties``: as for any
    agent."""
    prompt = session.ablated(definition.name, definition.prompt, " ", "\n")
    place = DONE if ASK in definition.tags else ISOLATED
    return session.agent(
        name,
        role=definition.name,
        stance=definition.stance if stance is None else stance,
        tools=definition.tools(session.tools if tools is None else tools),
        scaffold=PROMPT.format(name=definition.name, prompt=prompt, place=place),
        parent=parent,
        model=model,
        specialties=specialties,
    )


@dataclass(slots=True)
class SubAgentRun:
    """``on_step``: told of each finished step; ``objection``: why a step's text is not taken as it stands, for the
    sub-agent to read before it goes on, None if it is. ``response_format``: asked of the model beside the order;
    ``intent``: what its calls are for, None: as its type says. ``steps``: those finished so far, also while it runs."""

    agent: Agent
    definition: SubAgent
    desk: Desk
    tried: Try
    max_steps: int
    on_step: OnStep
    objection: Callable[[Step], str | None] | None = None
    response_format: Json | None = None
    intent: Purpose | None = None
    steps: list[SubStep] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.agent.name

    @property
    def session(self) -> Session:
        return self.agent.session

    async def work(self, order: list[Part]) -> Result:
        """Work on an order to the end. A fault of the provider and a limit of this agent's own are results; a breach of
        the run's or the experiment's limit is raised."""
        self.agent.on_result = self._note
        self.agent.tell(*order)
        intent = self.intent or self.definition.intent
        try:
            for _ in range(self.max_steps):
                step = await self.agent.step(intent, response_format=self.response_format)
                forbidden = forbidden_call(self.tried.order, step, self.agent)
                if forbidden is not None:
                    return Result("forbidden", text=f"forbidden action: {forbidden}")
                objection = None if self.objection is None else self.objection(step)
                if objection is not None:
                    self.agent.note(objection)
                elif step.final:
                    receipt = await self._hand_in(step)
                    if receipt.again is None:
                        return Result(receipt.status, step.parts, receipt.text)
                    self.agent.tell(receipt.again)
        except Exception as fault:
            own = own_fault(fault)
            if own is None:
                raise
            return Result("failed", text=own.text)
        return Result("failed", text=f"max_steps: not done after {self.max_steps} steps")

    async def _hand_in(self, step: Step) -> Receipt:
        receipt, self.tried = await self.desk.receive(self.tried, joined(step.parts))
        return receipt

    def _note(self, call: CallParts, result: Returned) -> None:
        given, text = joined(call.arguments), joined(result.parts)
        done = SubStep.of(len(self.steps) + 1, call.name.text, result.failed, given, text)
        self.steps.append(done)
        self.on_step(done)
