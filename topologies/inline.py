"""A lead that delegates by tags in its text, which the engine intercepts (seed document 000, section 2.2, "v1").

Each tag is an order to a fresh worker. All workers of one reply start together, the lead is blocked until the last has
ended, and then reads all results in one message; nobody asks back, nothing is reported in between. Costs: orders are
written and read, results are read and restated, and a tag that is not well-formed is written again, since no provider
checks the form of a text. Pays: when the model has no function calls, and the parts take about equally long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from harness.accounting.purposes import Purpose, Stance
from harness.delegation.desk import Desk
from harness.delegation.rules import PLAIN_WORDS
from harness.dispatch.dispatcher import Bounds
from harness.errors import above_zero
from harness.inline.interceptor import Interceptor
from harness.inline.tags import markup
from harness.limits import exceeded
from harness.session import Session
from harness.suite import Sample
from harness.team.roster import LEAD
from harness.topology import Answer

LEAD_PROMPT = """\
You may hand parts of the task to sub-agents, at most {delegations} in all, by writing tags into your text:
<delegate>the order, in plain words</delegate>
Write nothing else into a tag and no tag inside another. Each tag goes to a sub-agent of its own, which sees only its \
order, reads what the order names with its own tools, and sends back one result. The sub-agents of one reply work at \
the same time; you go on when all of them are done, with their results in one message, in the order of your tags.
Hand out what takes much reading and gives a short result, in parts that do not depend on each other. In each order, \
name the documents to read, repeat the questions word for word, and say what to send back. Do not read yourself what \
you have handed out.
A result begins with [SUCCESS], or with [FAILED] and why: then do that part yourself or send a better order.
When you have every result, give the final answer in the format the task asks for, without any tag or tool call."""


@dataclass(frozen=True)
class Inline:
    """``max_delegations``: tags of one run that get a worker; more are refused. ``lead_steps``, ``worker_steps``: model
    calls. ``worker_timeout_s``: how long a worker is waited for; then it is interrupted and left out, and its lead
    reads that it failed. Tags beside tool calls count too: the calls are run first, then the workers."""

    family: ClassVar[Literal["single", "team"]] = "team"
    needs_bus: ClassVar[bool] = False
    max_delegations: int = 8
    lead_steps: int = 24
    worker_steps: int = 8
    worker_timeout_s: float = 120.0

    def __post_init__(self) -> None:
        above_zero(self, "topology", "max_delegations", "lead_steps", "worker_steps", "worker_timeout_s")

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        bounds = Bounds(self.max_delegations, self.worker_steps, self.worker_timeout_s)
        interceptor = Interceptor(session, Desk(session, PLAIN_WORDS), bounds)
        lead = session.agent(
            LEAD,
            role="lead",
            stance=Stance.LEAD,
            tools=session.tools,
            scaffold=LEAD_PROMPT.format(delegations=self.max_delegations),
        )
        lead.markup = markup
        lead.tell(session.statement())
        for _ in range(self.lead_steps):
            step = await lead.step(Purpose.ANSWER)
            results = await interceptor.answer(lead, step)
            if results:
                lead.tell(*results)
            elif step.final:
                return Answer(step.text)
        raise exceeded("lead_steps", self.lead_steps, self.lead_steps + 1, "run")
