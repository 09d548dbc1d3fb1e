"""The engine's side of delegation by tags: it starts a worker for each, and the lead waits for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.agents.agent import Agent, Step
from harness.agents.panel import together
from harness.delegation.desk import Desk
from harness.dispatch.definition import SubAgent
from harness.dispatch.dispatcher import Bounds
from harness.dispatch.errand import completed
from harness.dispatch.report import outcome, over_cap, report
from harness.dispatch.subagent import ISOLATED, Result, SubAgentRun
from harness.inline.tags import FORM, marked, markup
from harness.session import Session

HOW = "tag"
"""How an attempt to delegate by a tag is named in the rows."""
WORKER = SubAgent("worker", "does one order", "Do what the order asks for, with your own tools.", ["read"])
PROMPT = f"""\
You are a sub-agent. {WORKER.prompt}
{ISOLATED}"""
NO_FURTHER = "Refused: a sub-agent cannot hand work on. Do the work yourself, or say what blocks you."
SEND_AGAIN = (
    f"Not taken: {{faults}}. Write an order as {FORM}, with nothing else in the tag and no tag inside another. Send "
    "what was not taken again in this form, or do that part yourself."
)


@dataclass(slots=True)
class Interceptor:
    """The workers of one lead in one run."""

    session: Session
    desk: Desk
    bounds: Bounds
    _started: int = 0

    async def answer(self, lead: Agent, step: Step) -> list[Part]:
        """What the lead reads after a completion; nothing if there were no tags in it.

        All workers of a completion start together, and this returns when the last has ended. One message: for each
        well-formed tag, in their order, its result or refusal; then what is wrong with the others.
        """
        text = marked(step.text)
        replies: list[str | SubAgentRun] = []
        faults = []
        for number, tag in enumerate(text.tags, 1):
            if tag.fault is None:
                replies.append(await self._sent(text.order(tag), lead, number))
            else:
                faults.append(f"tag {number} is {tag.fault}")
                self.session.unparsable(lead.name, faults[-1])
        results = await self._results([r for r in replies if isinstance(r, SubAgentRun)], lead.name)
        told = [self._reply(r, results) for r in replies]
        if faults:
            told.append([Part(SEND_AGAIN.format(faults="; ".join(faults)), ENGINE, self.session.engine_purpose)])
        between = Part("\n\n", ENGINE, Purpose.REPORT)
        return [part for n, block in enumerate(told) for part in ((between, *block) if n else block)]

    async def _sent(self, order: str, lead: Agent, number: int) -> str | SubAgentRun:
        """A worker for an order, or why it gets none."""
        refusal = self.session.refuse_depth(lead.caller, HOW) or over_cap(
            self._started, self.bounds.dispatches, "delegation", "delegations"
        )
        if refusal is not None:
            self.session.refuse(lead.name, refusal, tag=number)
            return refusal
        taken = await self.desk.take(order, lead.name)
        self._started += 1
        agent = self.session.agent(
            f"{WORKER.name}_{self._started}",
            role=WORKER.name,
            stance=WORKER.stance,
            tools=WORKER.tools(self.session.tools),
            scaffold=PROMPT,
            parent=lead.caller,
        )
        agent.markup = markup
        tried = self.desk.begin(taken, agent.name, WORKER.name)
        objection = partial(self._objection, agent)
        return SubAgentRun(agent, WORKER, self.desk, tried, self.bounds.worker_steps, lambda _: None, objection)

    async def _results(self, runs: Sequence[SubAgentRun], lead: str) -> dict[str, Result]:
        """How each worker ended, by its name."""
        limit = self.bounds.worker_timeout_s
        work = {
            run.agent.name: partial(completed, run, self.desk.told(run.tried.order, lead), limit, "worker_timeout_s")
            for run in runs
        }
        return await together(self.session, work)

    def _reply(self, reply: str | SubAgentRun, results: dict[str, Result]) -> Sequence[Part]:
        if isinstance(reply, str):
            return [Part(reply, ENGINE, self.session.engine_purpose)]
        name = reply.agent.name
        status, said = outcome(results[name])
        return report(status, reply.tried.order, name, said, results[name])

    def _objection(self, worker: Agent, step: Step) -> str | None:
        """A worker's tag is an attempt to delegate, well-formed or not. Each is refused and counted."""
        refusal = None
        for number, tag in enumerate(marked(step.text).tags, 1):
            if tag.fault is not None:
                self.session.unparsable(worker.name, f"tag {number} is {tag.fault}")
            refusal = self.session.refuse_depth(worker.caller, HOW) or NO_FURTHER
            self.session.refuse(worker.name, refusal, tag=number)
        return refusal
