"""What a plan would cost, before any of its steps is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.accounting.ledger import PUSD
from harness.accounting.parts import joined
from harness.accounting.tokens import count_tokens
from harness.accounting.usage import Usage
from harness.agents.agent import Agent
from harness.delegation.materials import Materials
from harness.delegation.rendering import order_parts
from harness.expert import prompts
from harness.expert.member import Expert
from harness.expert.plan import Plan, Risk, Step, sole_last
from harness.expert.settings import Settings
from harness.session import Session

STEP_OUTPUT = 2_000
"""Tokens of one product (004, "coordination tax": about 2,000 tokens of output for the work of one agent's round)."""
REPORT_OUTPUT = 500
"""Tokens of one verdict, or of what was found wrong (004, same place: about 500 tokens for a report)."""
SOURCES = {
    "prompts": "counted: brief, roles, statement, orders, o200k_base",
    "material": "counted: what the orders' input_ref names, read whole once by the expert and once by its evaluator",
    "output": f"assumed: {STEP_OUTPUT:,} tokens a product and for the answer, {REPORT_OUTPUT:,} a verdict (004)",
    "calls": "assumed: two a product and a verdict where there is material to read (ask for it, answer), else one",
    "combining": "in the upper figure, unless one last step's product is the answer: files are merged by code",
    "usd": "the model's price card without caching; null: its price is unknown",
    "not_counted": "tool schemas, messages, explorers, escalation, re-planning, and the calls by which the plan came",
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls, prompt and completion tokens, and picodollars (None: unknown)."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    pusd: int | None = 0

    def __add__(self, other: Estimate) -> Estimate:
        known = self.pusd is not None and other.pusd is not None
        return Estimate(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            (self.pusd or 0) + (other.pusd or 0) if known else None,
        )

    def as_json(self) -> dict[str, Any]:
        usd = None if self.pusd is None else self.pusd / PUSD
        return {
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "usd": usd,
        }


@dataclass(slots=True)
class Estimator:
    """``agent_for``: whether an agent reviews a step, by its risk. ``planner``: it has been told what it merges on."""

    session: Session
    settings: Settings
    experts: Mapping[str, Expert]
    planner: Agent
    materials: Materials
    agent_for: Mapping[Risk, bool]

    async def of(self, plan: Plan) -> tuple[Estimate, Estimate]:
        """From no revision to all revisions, and to results that the planner has to combine."""
        least, most = Estimate(), Estimate()
        for step in plan.steps:
            once, *again = await self._step(step)
            least += once
            most = sum(again, most + once)
        if sole_last(plan.steps) is None:
            told = sum(p.weight for p in self.planner.conversation.parts()) + STEP_OUTPUT * len(plan.steps)
            most += self._call("planner", [told], STEP_OUTPUT)  # files are merged by code
        return least, most

    async def _step(self, step: Step) -> list[Estimate]:
        """One product with its review, and each revision of it with its review: a revision reads all that was said
        before."""
        expert = self.experts[step.expert]
        order = count_tokens(joined(order_parts(step.order, "planner")))
        texts = [await self.materials.read(ref) for ref in step.order.input_ref]
        material = sum(count_tokens(text) for text in texts if text is not None)
        brief = count_tokens(self.session.sample.briefed(expert.specialties))
        role = count_tokens(prompts.GENERATOR) + count_tokens(expert.brief)
        whole = count_tokens(prompts.GOAL) + count_tokens(self.session.statement().text)
        told = brief + role + whole + STEP_OUTPUT * len(step.depends_on) + order
        model = expert.model or expert.name
        review = Estimate()
        if self.agent_for[step.risk]:
            general = count_tokens(self.session.sample.briefed(()))
            asked = general + count_tokens(prompts.EVALUATOR) + STEP_OUTPUT + order
            review = self._call("evaluator", _read(asked, material), REPORT_OUTPUT)
        once = self._call(model, _read(told, material), STEP_OUTPUT)
        before = told + material
        revisions = [
            self._call(model, [before + n * (STEP_OUTPUT + REPORT_OUTPUT)], STEP_OUTPUT)
            for n in range(1, step.order.max_retries + 1)
        ]
        return [made + review for made in (once, *revisions)]

    def _call(self, model: str, prompts_told: list[int], output: int) -> Estimate:
        """Calls in a row, of which the last one writes the output."""
        usage = Usage(sum(prompts_told), output)
        priced = self.session.model.roles.get(model) or self.session.main
        bill = priced.pricing.bill(usage)
        return Estimate(
            len(prompts_told), usage.prompt_tokens, usage.completion_tokens, None if bill is None else bill.total_pusd
        )


def _read(told: int, material: int) -> list[int]:
    """The prompts of the calls that read material and then answer."""
    return [told, told + material] if material else [told]
