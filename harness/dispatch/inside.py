"""A worker that is a whole topology: it gets an order like any other, and its answer is the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.accounting.ledger import Caller
from harness.accounting.parts import ENGINE, OUTSIDE, Part, joined
from harness.accounting.purposes import Purpose
from harness.agents.faults import own_fault
from harness.agents.tools import Tool
from harness.delegation.desk import Desk
from harness.delegation.log import Try
from harness.dispatch.harvest import SubStep
from harness.dispatch.subagent import Result
from harness.errors import LimitExceeded, first_fault
from harness.limits import exceeded
from harness.session import Session
from harness.topology import Topology

OUTER = ("run_", "experiment_")
"""How the names of limits begin that end more than a worker."""


@dataclass(slots=True)
class InsideRun:
    """As ``SubAgentRun``. ``session``: the one of whoever gives the order; ``tools``: what the topology may use of the
    task's; ``parent``: the agent that dispatches it, None if code places it. It has no steps of its own to be
    harvested: what its agents did stands in their rows. Nobody looks inside it for actions that the order forbids."""

    session: Session
    topology: Topology
    name: str
    tools: Sequence[Tool]
    desk: Desk
    tried: Try
    parent: Caller | None = None
    steps: list[SubStep] = field(default_factory=list)

    async def work(self, order: list[Part]) -> Result:
        """Work on an order to the end. What ends the topology by its own fault is a result; a breach of the run's or
        the experiment's limit is raised, and so is a defect. A result that is sent back is made anew, by new agents who
        read the order with all that was wrong."""
        told = list(order)
        for number in range(1, self.tried.order.max_retries + 2):
            try:
                text = await self._answer(told, self.name if number == 1 else f"{self.name}/try_{number}")
            except Exception as fault:
                own = own_fault(fault)
                if own is None:
                    raise
                return Result("failed", text=own.text)
            receipt, self.tried = await self.desk.receive(self.tried, text)
            if receipt.again is None:
                return Result(receipt.status, (Part(text, self.name, Purpose.ANSWER),), receipt.text)
            told += [Part("\n\n", ENGINE, Purpose.DISPATCH), receipt.again]
        raise AssertionError("unreachable: the last try is not sent back")

    async def _answer(self, told: Sequence[Part], name: str) -> str:
        author = next((p.author for p in told if p.author not in OUTSIDE), ENGINE)
        session = self.session.inside(name, Part(joined(list(told)), author, Purpose.DISPATCH), self.tools, self.parent)
        try:
            return (await self.topology(session.sample, session)).text
        except BaseExceptionGroup as group:
            raise _own(first_fault(group)) from None
        except LimitExceeded as reached:
            raise _own(reached) from None


def _own(fault: BaseException) -> BaseException:
    """A limit that the topology has set itself is its own, whatever it would end on its own."""
    if isinstance(fault, LimitExceeded) and not str(fault.facts["limit"]).startswith(OUTER):
        facts = fault.facts
        return exceeded(str(facts["limit"]), facts["bound"], facts["value"], "agent")
    return fault
