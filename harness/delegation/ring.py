"""The validation ring: a worker's result is reviewed like submitted code (seed document 003, section 2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.delegation.checks.check import Check, Sources
from harness.delegation.checks.conformity import schema_errors
from harness.delegation.checks.criterion import Criterion
from harness.delegation.checks.registry import CHECKS
from harness.delegation.checks.result import NoJson, Result, entries
from harness.delegation.checks.schemas import Layout, check_schema, layout, normalised, types
from harness.delegation.materials import Materials
from harness.delegation.order import TaskOrder, blocker
from harness.errors import ConfigError, unknown

__all__ = ["MOST_FEEDBACK", "Verdict", "check_schema", "judge", "normalised"]

MOST_FEEDBACK = 4_000
"""Characters of all errors together: they stand in the next order."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """``errors``: what is wrong with a result, concretely; ``blocked``: why the worker says that it cannot be done,
    None if it does not say so. Neither: the result passed."""

    errors: tuple[str, ...]
    blocked: str | None

    @property
    def passed(self) -> bool:
        return not self.errors and self.blocked is None


async def judge(order: TaskOrder, text: str, materials: Materials) -> Verdict:
    """Review a result in three steps, each taken only when the one before found nothing: the output schema, the checks
    within the result, the checks against the material that ``input_ref`` names.

    With an output schema, the text must be one JSON value (a Markdown fence around it is allowed, prose is not); if the
    schema asks for a text only, prose is that text, quoted or not. Without a schema it must be JSON only if a criterion
    needs entries or fields; otherwise prose is looked at as a whole.
    Raises ConfigError for a criterion whose check is not in the registry.
    """
    blocked = blocker(text)
    if blocked is not None:
        return Verdict((), blocked)
    checks = [(_check(criterion), criterion) for criterion in order.acceptance_criteria]
    schema = None if order.output_schema is None else normalised(order.output_schema)
    there = layout(schema)
    try:
        result = _result(text, there, _prose_may_be(schema, checks))
    except NoJson as fault:
        return Verdict((str(fault),), None)
    errors = [] if schema is None else schema_errors(result.plain, schema)
    if not errors:
        found = entries(result.exact, there)
        errors = _errors(checks, "consistency", found, {})
        if not errors and any(check.step == "source" for check, _ in checks):
            sources = {ref: await materials.read(ref) for ref in order.input_ref}
            errors = _errors(checks, "source", found, sources)
    return Verdict(bounded(errors), None)


def bounded(errors: Iterable[str]) -> tuple[str, ...]:
    """Each error once, in order, at most ``MOST_FEEDBACK`` characters together; the last says how many are left out."""
    all_errors = list(dict.fromkeys(errors))
    told: list[str] = []
    left = MOST_FEEDBACK - 30  # room for the last one
    for error in all_errors:
        left -= len(error)
        if told and left < 0:
            return (*told, f"… and {len(all_errors) - len(told):,} more errors")
        told.append(error[:MOST_FEEDBACK])
    return tuple(told)


def _check(criterion: Criterion) -> Check:
    check = CHECKS.get(criterion.check)
    if check is None:
        raise ConfigError(unknown("check", criterion.check, CHECKS))
    return check


def _prose_may_be(schema: Mapping[str, Any] | None, checks: Sequence[tuple[Check, Criterion]]) -> bool:
    return schema is None and not any(check.whole or "field" in c.parameters for check, c in checks)


def _result(text: str, there: Layout, prose: bool) -> Result:
    """The result as JSON; as one text if it is prose and may be. Raises NoJson."""
    kinds = types(there.entry) if there.kind == "one" else None
    text_only = kinds is not None and kinds <= {"string", "null"}
    whole = Result(text.strip(), text.strip())
    try:
        found = Result.of(text)
    except NoJson:
        if prose or text_only:
            return whole
        raise
    return whole if text_only and not isinstance(found.plain, str | None) else found


def _errors(checks: Sequence[tuple[Check, Criterion]], step: str, found: Sequence[Any], sources: Sources) -> list[str]:
    return [
        error
        for check, criterion in checks
        if check.step == step
        for error in check.errors(criterion.parameters, found, sources)
    ]
