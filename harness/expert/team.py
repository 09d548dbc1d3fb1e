"""One expert team at work on one sample, from its plan to its answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.agents.offer import Offer
from harness.agents.tools import ToolFailed
from harness.bus.protocol import BusSession
from harness.delegation.desk import Desk
from harness.delegation.order import DELEGATE, TaskOrder
from harness.delegation.rendering import feedback_parts
from harness.delegation.ring import Verdict as Found
from harness.delegation.rules import Delegation
from harness.errors import ConfigError, LimitExceeded, TopologyFailed, single_fault
from harness.expert import preview, prompts
from harness.expert.bench import Bench
from harness.expert.escalation import Escalation, Passed
from harness.expert.estimate import Estimator
from harness.expert.evaluation import AGENT, Evaluation
from harness.expert.happened import Happened
from harness.expert.member import GENERALIST, Expert
from harness.expert.plan import Plan, Risk, Step, sole_last
from harness.expert.planner import AGAIN, Planner
from harness.expert.settings import SINGLE_STEP_FALLBACK, Settings
from harness.expert.state import Machine, State
from harness.expert.verdict import Judgement, Verdict
from harness.expert.work import Work, handed_on
from harness.expert.workspace import Merged, merged
from harness.session import Session


class ExpertRun:
    """Use once. ``channel``: carries the experts' messages, None: they write none; ``group``: where explorers run."""

    def __init__(
        self, session: Session, settings: Settings, channel: BusSession | None, group: asyncio.TaskGroup
    ) -> None:
        self._session = session
        self._settings = settings
        rules = Delegation(max_retries=settings.max_feedback_rounds)
        self._desk = Desk(session, rules, () if settings.explorers else (DELEGATE,))
        self._experts = settings.team(session.sample)
        self._machine = Machine()
        self._planner = Planner(session, settings, self._desk, self._experts)
        everyone = {**self._experts, GENERALIST: Expert(GENERALIST)}
        self._bench = Bench(session, settings, self._desk, everyone, self._planner.name, channel, group)
        self._evaluation = Evaluation(session, settings, self._desk, self._bench.name)
        self._escalation = Escalation(session, settings, self._bench)
        self._passed: dict[str, Work] = {}
        self._order: list[str] = []
        self._degraded: list[str] = []
        self._replans = settings.max_replans

    async def answer(self) -> str:
        """The team's answer. Raises TopologyFailed where it fails in a way that is documented, ConfigError for a stored
        plan that is none for this run, and LimitExceeded ``plan_only`` where only a plan was asked for."""
        self._happened(
            Happened.TEAM_STARTED, experts={e.name: e.does for e in self._experts.values()}, state=self._machine.state
        )
        try:
            plan = await (self._stored() if self._settings.confirm else self._made())
            answer = await self._executed(plan)
        except TopologyFailed as failed:
            self._end(State.FAILED, error=str(failed))
            raise
        caveats = {id: work.caveats for id, work in self._passed.items() if work.caveats}
        self._end(State.DEGRADED if self._degraded else State.COMPLETED, degraded=self._degraded, caveats=caveats)
        return answer

    # -- planning --------------------------------------------------------------------------------------------------

    async def _made(self) -> Plan:
        self._machine.to(State.PLANNING)
        plan = self._or_whole(await self._planner.plan())
        self._machine.to(State.PLAN_READY)
        stored = await self._ready(plan)
        if self._settings.plan_only:
            self._stop(stored)
        self._happened(Happened.PLAN_CONFIRMED, by="engine")
        return plan

    async def _stored(self) -> Plan:
        sample, epoch = self._session.sample, self._session.epoch
        folder = self._settings.plans
        steps = preview.load(folder, sample, epoch, self._experts)
        where = preview.path_of(folder, sample, epoch)
        fault = Offer.of((), Purpose.TASK, ENGINE).fault(self._planner.tool, {"steps": steps})
        try:
            if fault is not None:
                raise ToolFailed(fault)
            plan = await self._planner.read(steps)
        except ToolFailed as refused:
            what = str(refused).removeprefix("Plan refused. ").removesuffix(AGAIN).removesuffix(" Call it again.")
            raise ConfigError(
                f"topology.plans: the plan in {where} cannot be executed: {what} Correct the file, or make it anew "
                "with topology.plan_only=true."
            ) from None
        self._machine.to(State.PLAN_READY)
        await self._ready(plan)
        self._happened(Happened.PLAN_CONFIRMED, by="file", file=where.name)
        return plan

    async def _ready(self, plan: Plan) -> Mapping[str, object]:
        by = {Risk.HIGH: True, Risk.MEDIUM: self._settings.evaluator == AGENT}
        by[Risk.LOW] = self._settings.evaluator_low == AGENT
        estimator = Estimator(
            self._session, self._settings, self._bench.experts, self._planner.agent, self._desk.materials, by
        )
        estimate = await estimator.of(plan)
        told = preview.as_json(plan, self._session.sample, self._session.epoch, list(self._experts), estimate)
        self._happened(Happened.PLAN_READY, **told)
        return told

    def _stop(self, plan: Mapping[str, object]) -> None:
        session, folder = self._session, self._settings.plans
        if not session.rehearsal:
            path = preview.store(folder, session.sample, session.epoch, plan)
            session.show(preview.printed(plan, path, simulated=session.model.simulated))
        session.offer(json.dumps(plan, ensure_ascii=False))
        raise LimitExceeded(
            f"plan_only: the plan is ready and nothing of it is done; confirm it with topology.confirm=true "
            f"topology.plans={folder}",
            limit="plan_only", bound=0, value=0, scope="run",
        )  # fmt: skip

    def _or_whole(self, plan: Plan | str) -> Plan:
        """A plan, or what is to be done without one. Raises TopologyFailed."""
        if isinstance(plan, Plan):
            return plan
        if self._settings.on_planner_failure != SINGLE_STEP_FALLBACK:
            raise TopologyFailed(f"planner: {plan}")
        statement = self._session.statement().text
        order = TaskOrder("", statement, max_retries=self._settings.max_feedback_rounds, forbidden_actions=())
        written = {
            "id": "whole",
            "expert": GENERALIST,
            "depends_on": [],
            "order": {"objective": statement},
        }
        self._passed.clear()
        self._degraded.clear()
        return Plan((Step("whole", GENERALIST, (), Risk.MEDIUM, self._desk.numbered(order), written, whole=True),))

    # -- generating and evaluating ---------------------------------------------------------------------------------

    async def _executed(self, plan: Plan) -> str:
        while (why := await self._levels(plan)) is not None:
            self._replans -= 1
            self._machine.to(State.PLANNING)
            plan = self._or_whole(await self._planner.replan(why, list(self._passed)))
            self._machine.to(State.PLAN_READY)
            await self._ready(plan)
            self._happened(Happened.PLAN_CONFIRMED, by="engine")
        return await self._combined()

    async def _levels(self, plan: Plan) -> list[Part] | None:
        """Do a plan level by level; why it has to be made anew, None if all its steps have passed."""
        self._order = [*self._passed, *(step.id for step in plan.steps)]
        for level in plan.levels():
            open_steps = self._bench.level(level, self._passed)
            while open_steps:
                self._machine.to(State.GENERATING)
                await self._bench.run(open_steps)
                again, stuck, wrong = await self._evaluated(open_steps)
                if wrong and self._replans > 0:
                    return wrong
                for work in again:
                    self._revised(work)
                if stuck:
                    self._machine.to(State.ESCALATING)
                    again += await self._escalated(stuck)
                open_steps = again
            await self._offer()
        return None

    async def _evaluated(self, works: Sequence[Work]) -> tuple[list[Work], list[Work], list[Part]]:
        """Review what there is: steps to be revised, steps that did not pass, and what is wrong with the plan."""
        made = [w for w in works if not w.fault]
        again, stuck, wrong = [], [w for w in works if w.fault], list[Part]()
        if made:
            self._machine.to(State.EVALUATING)
            for work, judged in zip(made, await self._evaluation.of(made), strict=True):
                verdict = self._settled(work, judged)
                work.happened(
                    Happened.EVALUATION_RESULT, verdict=verdict, errors=list(judged.errors), evaluator=judged.by,
                    blocked=judged.blocked, replan=judged.replan, warning=judged.warning,
                )  # fmt: skip
                if verdict == Verdict.REVISE:
                    again.append(work)
                elif verdict == Verdict.REVIEW_EXCEEDED:
                    stuck.append(work)
                    wrong += _against_plan(work, judged)
                else:
                    self._pass(work, degraded=verdict == Verdict.AUTO_PASS_WITH_WARNING)
        return again, stuck, wrong

    def _settled(self, work: Work, judged: Judgement) -> Verdict:
        """The verdict as it stands: a step whose revisions are used up, or whose order is no good, is not revised."""
        assert work.product is not None, "only products are reviewed"
        retry = judged.blocked is None and not judged.replan
        validated = judged.verdict != Verdict.AUTO_PASS_WITH_WARNING
        found = Found(judged.errors, judged.blocked)
        receipt, work.tried = self._desk.settle(
            work.tried, work.product.text, found, validated=validated, retry=retry, review=True
        )
        work.errors, work.by = judged.errors, judged.by
        if judged.blocked is not None:
            work.errors, work.by = (f"BLOCKED: {judged.blocked}",), work.name
        return judged.verdict if receipt.status in ("success", "revise") else Verdict.REVIEW_EXCEEDED

    def _revised(self, work: Work) -> None:
        """The same step is about to be done again by the same expert."""
        work.told = feedback_parts(work.tried.order, work.tried.number, work.by)
        self._session.counters.revisions += 1
        work.happened(Happened.STEP_REVISED, try_=work.tried.number, errors=list(work.errors))

    async def _escalated(self, works: Sequence[Work]) -> list[Work]:
        """The steps of which there is one more attempt; the others have passed. All at once. Raises TopologyFailed for
        the first that is given up."""
        with single_fault():
            async with asyncio.TaskGroup() as group:
                ruled = [group.create_task(self._escalation.of(work, self._passed)) for work in works]
        again = []
        for work, task in zip(works, ruled, strict=True):
            next_one = task.result()
            if isinstance(next_one, TopologyFailed):
                raise next_one
            if isinstance(next_one, Passed):
                self._pass(work, degraded=next_one.degraded)
            else:
                again.append(next_one)
        return again

    def _pass(self, work: Work, *, degraded: bool) -> None:
        self._passed[work.step.id] = work
        if degraded:
            self._degraded.append(work.step.id)
        work.happened(Happened.STEP_COMPLETED, degraded=degraded, caveats=work.caveats)

    # -- the answer ------------------------------------------------------------------------------------------------

    async def _offer(self) -> None:
        """What is graded if a limit ends the run from here on: what code can make of the products so far, else the
        first of them."""
        found = await self._by_code()
        first = self._done()[0].product
        self._session.offer(found if isinstance(found, str) else "" if first is None else first.text)

    async def _by_code(self) -> str | Merged | None:
        """The answer, if no model is needed to make it; files in conflict, if these are all that is needed one for."""
        works = self._done()
        files = await merged(works, self._desk.materials)
        if files is not None:
            return files if files.conflicts else files.text
        last = sole_last([work.step for work in works])
        product = None if last is None else self._passed[last.id].product
        return None if product is None else product.text

    def _done(self) -> list[Work]:
        """What has passed, in the order of the plan."""
        return [self._passed[id] for id in self._order if id in self._passed]

    async def _combined(self) -> str:
        found = await self._by_code()
        if isinstance(found, str):
            return found
        told = handed_on(self._done())
        if found is not None:
            self._happened(Happened.WORKSPACE_CONFLICT, conflicts={n: list(s) for n, s in found.conflicts.items()})
            named = "; ".join(f"{name} (steps {', '.join(steps)})" for name, steps in found.conflicts.items())
            told.append(Part(f"\n\n{prompts.CONFLICT.format(files=named)}", ENGINE, Purpose.SCAFFOLD))
        return await self._planner.merged(told)

    # -- what happened ---------------------------------------------------------------------------------------------

    def _happened(self, what: Happened, **data: object) -> None:
        self._session.events.emit(what, ENGINE, data)

    def _end(self, state: State, **data: object) -> None:
        self._machine.to(state)
        self._happened(Happened.TEAM_COMPLETED, state=state, **data)


def _against_plan(work: Work, judged: Judgement) -> list[Part]:
    """What a product or its evaluator says against the plan itself; nothing, if it says nothing."""
    if judged.blocked is None and not judged.replan:
        return []
    head = Part(f"step {work.step.id} by {work.expert.name}: ", ENGINE, Purpose.SCAFFOLD)
    return [head, Part("; ".join(work.errors), work.by, Purpose.FEEDBACK), Part(". ", ENGINE, Purpose.SCAFFOLD)]
