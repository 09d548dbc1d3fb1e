"""Where judges sit: one model that is asked for verdicts, in calls that are a judge's in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from harness.accounting.ledger import Caller, Ledger
from harness.accounting.parts import ENGINE, Part, joined
from harness.accounting.purposes import Purpose, Stance
from harness.clock.protocol import Timeline
from harness.delegation.checks.result import NoJson
from harness.graders.grader import GRADER
from harness.graders.prompt import ONCE_MORE
from harness.graders.verdict import Form, Unreadable, Verdict, response_format
from harness.limits import Limits, Scope
from harness.models.operations import Operator
from harness.models.protocol import Json, Model, Request, Response
from harness.models.seeds import request_seed

TRIES = 2
"""How often one verdict is asked for: a text that is none is followed by one more question."""
FREE = "grader"
"""Stands for the topology in the seed of a judge's requests: a judge is blind to who has answered."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Bench:
    """``of_run``: run seed, sample and epoch, from which every request's seed is made. ``scope``: what the calls are
    spent in, never a topology's. ``structured``: the form of a verdict goes along as ``response_format``.
    ``unreadable``: told of each text that is no verdict."""

    model: Model
    run_id: str
    of_run: tuple[int, str, int]
    ledger: Ledger
    limits: Limits
    time: Timeline
    scope: Scope
    structured: bool
    unreadable: Callable[[str, str], None]

    async def verdict(self, number: int, system: Sequence[Part], question: Sequence[Part], form: Form[T]) -> Verdict[T]:
        """The verdict of judge ``number``, from 1. Raises Unreadable where there is none, and what
        ``Operator.operate`` raises."""
        operator = Operator(self.ledger, self.limits, self.time, judge=True)
        caller = Caller(GRADER, GRADER, Stance.REVIEWER, 0, f"{self.run_id}/{GRADER}-{number}", self.run_id)
        messages: list[Json] = [_message("system", system), _message("user", question)]
        prompt = [*system, *question]
        fault = ""
        for ordinal in range((number - 1) * TRIES + 1, number * TRIES + 1):
            request = Request(
                model=self.model.name,
                messages=tuple(messages),
                response_format=response_format(form) if self.structured else None,
                seed=request_seed(*self.of_run, FREE, GRADER, ordinal),
            )
            response = await operator.operate(
                self.model, caller, self.scope, f"{GRADER}#{ordinal}", request, prompt, Purpose.JUDGE, _read
            )
            try:
                return form.read(response.text)
            except NoJson as told:
                fault = str(told)
            self.unreadable(response.text, fault)
            said = Part(response.text, GRADER, Purpose.JUDGE)
            asked = Part(_once_more(form, fault), ENGINE, Purpose.JUDGE)
            messages += [_message("assistant", [said]), _message("user", [asked])]
            prompt += [said, asked]
        raise Unreadable(f"no verdict that can be read from model '{self.model.name}', asked {TRIES} times. {fault}")


def _once_more(form: Form[Any], fault: str) -> str:
    return ONCE_MORE.format(fault=fault, fields='" and "'.join(form.schema["required"]))


def _message(role: str, parts: Sequence[Part]) -> Json:
    return {"role": role, "content": joined(list(parts))}


def _read(response: Response) -> Sequence[Part]:
    """The completion, a tool call that nobody offered included: it has been paid for."""
    calls = "".join(f"{c.name}{c.arguments}" for c in response.tool_calls)
    return [Part(text, GRADER, Purpose.JUDGE) for text in (response.text, calls) if text]
