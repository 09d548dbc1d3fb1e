"""One step in the hands of one expert: what it is told, what it hands in, and how often it has been reviewed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.accounting.parts import ENGINE, Part, joined
from harness.accounting.purposes import Purpose
from harness.agents.agent import Agent, Returned
from harness.agents.completions import CallParts
from harness.delegation.desk import Desk, forbidden_call
from harness.delegation.log import Try
from harness.dispatch.dispatcher import Dispatcher
from harness.dispatch.inside import BETWEEN, Insider, for_a_topology
from harness.errors import TopologyFailed
from harness.expert.happened import Happened
from harness.expert.member import Expert
from harness.expert.plan import Step
from harness.expert.prompts import CAVEATS, UPSTREAM
from harness.limits import exceeded
from harness.session import Session
from harness.team.postbox import Postbox


@dataclass(frozen=True, slots=True)
class Product:
    """What an expert handed in."""

    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        return joined(self.parts)


@dataclass(slots=True)
class Work:
    """``worker``: the expert's agent, or the topology that it is. ``told``: what it reads before it goes on; ``tried``:
    the delegation's try under way; ``ordered_by``: the author of its order. ``product``: the last one that is there;
    ``fault``: why this round has none. ``errors``: what the last review found, by ``by``; ``tier``: of escalation, 0
    before the first; ``caveats``: what an architect has said of the product, by ``ruled_by``."""

    session: Session
    desk: Desk
    step: Step
    expert: Expert
    worker: Agent | Insider
    told: list[Part]
    tried: Try
    max_steps: int
    ordered_by: str
    postbox: Postbox | None = None
    explorers: Dispatcher | None = None
    product: Product | None = None
    fault: str = ""
    errors: tuple[str, ...] = ()
    by: str = ENGINE
    tier: int = 0
    caveats: str = ""
    ruled_by: str = ENGINE
    _before: list[Part] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.worker.name

    def happened(self, what: Happened, **data: object) -> None:
        """An event of this step."""
        self.session.events.emit(what, self.name, {"step": self.step.id, **data})

    async def run(self) -> Product:
        """Work until there is a product. Raises what ends the expert."""
        self.happened(Happened.STEP_STARTED, expert=self.expert.name, try_=self.tried.number, tier=self.tier)
        try:
            made = await (self._inside(self.worker) if isinstance(self.worker, Insider) else self._agent(self.worker))
        except BaseException:
            if self.explorers is not None:
                self.explorers.abandon(f"{self.name} is not at work any more")
            raise
        self.happened(Happened.STEP_OUTPUT, text=made.text)
        return made

    async def _agent(self, agent: Agent) -> Product:
        agent.on_result = self._note
        agent.tell(*self.told)
        for _ in range(self.max_steps):
            if self.postbox is not None:
                inbox = await self.postbox.read(agent.name)
                if inbox:
                    agent.tell(*self.postbox.parts(inbox))
            step = await agent.step(Purpose.REWORK if self.tried.number > 1 else Purpose.ANSWER)
            forbidden = forbidden_call(self.tried.order, step, agent)
            if forbidden is not None:
                text = f"forbidden action: {forbidden}"
                self.desk.fail(self.tried, "forbidden", text)
                raise TopologyFailed(text)
            if step.final:
                return Product(step.parts)
            if step.text:
                self.happened(Happened.STEP_THINKING, text=step.text)
        raise exceeded("generator_steps", self.max_steps, self.max_steps + 1, "agent")

    async def _inside(self, insider: Insider) -> Product:
        """By new agents for each try, who read all that was wrong, and then the order."""
        self._before = [*self.told, *([BETWEEN] if self._before else []), *self._before]
        again = "" if self.tried.number == 1 else f"try_{self.tried.number}"
        return Product(await insider.answer(self._before, [for_a_topology(self.tried.order)], again=again))

    def _note(self, call: CallParts, result: Returned) -> None:
        given, text = joined(call.arguments), joined(result.parts)
        self.happened(Happened.STEP_TOOL_CALL, tool=call.name.text, arguments=given, result=text, failed=result.failed)


def handed_on(works: Sequence[Work]) -> list[Part]:
    """Products as others read them, each under its step, with what is to be known of it."""
    parts: list[Part] = []
    for work in works:
        assert work.product is not None, "only what has passed is handed on"
        head = UPSTREAM.format(step=work.step.id, expert=work.expert.name)
        parts.append(Part(("\n\n" if parts else "") + head, ENGINE, Purpose.SCAFFOLD))
        parts += [part.forwarded() for part in work.product.parts]
        if work.caveats:
            parts += [Part(CAVEATS, ENGINE, Purpose.REVIEW), Part(work.caveats, work.ruled_by, Purpose.REVIEW)]
    return parts
