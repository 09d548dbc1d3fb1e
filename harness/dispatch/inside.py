"""A worker that is a whole topology: it gets an order like any other, and its answer is the result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from harness.accounting.ledger import Caller
from harness.accounting.parts import ENGINE, Part, Whole, joined
from harness.accounting.purposes import Purpose, Stance
from harness.agents.faults import own_fault
from harness.agents.tools import Tool
from harness.delegation.desk import Desk
from harness.delegation.log import Try
from harness.delegation.order import DELEGATE, TaskOrder
from harness.dispatch.harvest import SubStep
from harness.dispatch.subagent import Result
from harness.errors import LimitExceeded, first_fault
from harness.limits import exceeded
from harness.session import Session
from harness.topology import Topology, solved

OUTER = ("run_", "experiment_")
"""How the names of limits begin that end more than a worker."""
SILENT = "a timeout of its own"
"""What is said of a fault that says nothing of itself."""
BETWEEN = Part("\n\n", ENGINE, Purpose.DISPATCH)
"""Between what such a worker is told at different times."""


def for_a_topology(order: TaskOrder) -> TaskOrder:
    """An order as such a worker gets it. It may divide the work among its own agents: that is what it is. It has nobody
    else to hand the task on to."""
    return replace(order, forbidden_actions=tuple(a for a in order.forbidden_actions if a != DELEGATE))


@dataclass(frozen=True, slots=True)
class Insider:
    """Such a worker. ``session``: the one of whoever gives it orders; ``name``: its full name; ``tools``: what the
    topology may use of the task's; ``parent``: the agent that dispatches it, None if code places it. ``product``: what
    its answers are to the ledger, None if that depends on what they restate. ``specialties``: as for an agent."""

    session: Session
    topology: Topology
    name: str
    tools: Sequence[Tool]
    parent: Caller | None = None
    product: Purpose | None = None
    specialties: Collection[str] | None = None

    @property
    def caller(self) -> Caller:
        """How rows name it; it makes no call itself."""
        above = self.parent
        assert above is not None, "what code places stands in its agents' rows only"
        session_id = f"{above.session_id}/{self.name}"
        return Caller(self.name, "worker", Stance.WORKER, above.depth + 1, session_id, above.session_id)

    async def answer(self, told: Sequence[Part], orders: Sequence[TaskOrder], *, again: str = "") -> tuple[Part, ...]:
        """Its answer to what it is told, by new agents. ``orders``: those in it: it is not given what one of them
        forbids. ``again``: what keeps its agents apart from those of the times before. Raises what ends the topology: a
        limit of its own as one of an agent's."""
        forbidden = {action for order in orders for action in order.forbidden_actions}
        session = self.session.inside(
            f"{self.name}/{again}" if again else self.name,
            Whole.of(told),
            [tool for tool in self.tools if tool.name not in forbidden and not forbidden & tool.tags],
            self.parent,
            output_schema=orders[0].output_schema if len(orders) == 1 else None,
            specialties=self.specialties,
            ablate=getattr(self.topology, "ablate", None),
        )
        try:
            text = await solved(self.topology, session)
        except BaseExceptionGroup as group:
            raise _own(first_fault(group)) from None
        except LimitExceeded as reached:
            raise _own(reached) from None
        if session.slot is not None and session.slot.answered_s is None:
            session.answered()
        return self._parts(session, text)

    def _parts(self, session: Session, text: str) -> tuple[Part, ...]:
        """The answer as its author wrote it, if one of the agents inside did; else code has made it of theirs."""
        if self.product is not None:
            return (Part(text, self.name, self.product),)
        for agent in reversed(session.own()):
            said = next((t.content for t in reversed(agent.conversation.turns) if t.role == "assistant"), ())
            if said and joined(said) == text:
                return said
        return (Part(text, self.name, Purpose.ANSWER),)


@dataclass(slots=True)
class InsideRun:
    """As ``SubAgentRun``. It has no steps of its own to be harvested: what its agents did stands in their rows."""

    insider: Insider
    desk: Desk
    tried: Try
    steps: list[SubStep] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.insider.name

    @property
    def session(self) -> Session:
        return self.insider.session

    async def work(self, order: list[Part]) -> Result:
        """Work on an order to the end. What ends the topology by its own fault is a result; a breach of the run's or
        the experiment's limit is raised, and so is a defect. A result that is sent back is made anew, by new agents who
        read all that was wrong, and then the order."""
        told = list(order)
        for number in range(1, self.tried.order.max_retries + 2):
            try:
                again = f"try_{number}" if number > 1 else ""
                answer = await self.insider.answer(told, [self.tried.order], again=again)
            except Exception as fault:
                own = own_fault(fault)
                if own is None:
                    raise
                return Result("failed", text=own.text or SILENT)
            receipt, self.tried = await self.desk.receive(self.tried, joined(answer))
            if receipt.again is None:
                return Result(receipt.status, answer, receipt.text)
            told = [receipt.again, BETWEEN, *told]
        raise AssertionError("unreachable: the last try is not sent back")


def _own(fault: BaseException) -> BaseException:
    """A limit that the topology has set itself is its own, whatever it would end on its own."""
    if isinstance(fault, LimitExceeded) and not str(fault.facts["limit"]).startswith(OUTER):
        facts = fault.facts
        return exceeded(str(facts["limit"]), facts["bound"], facts["value"], "agent")
    return fault
