"""The closed registry of checks, and how a lead writes an acceptance criterion that names one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from harness.delegation.checks.check import Check
from harness.delegation.checks.consistency import CONSISTENCY
from harness.delegation.checks.contradictions import contradictions
from harness.delegation.checks.criterion import Criterion, CriterionRefused
from harness.delegation.checks.source import SOURCE
from harness.errors import unknown

__all__ = ["CHECKS", "TEXT", "CriterionRefused", "contradictions", "criteria_schema", "parse"]

CHECKS: Mapping[str, Check] = MappingProxyType({check.name: check for check in (*CONSISTENCY, *SOURCE)})
"""Name → check, in the order in which they are described."""
TEXT = "text"
"""In the place of a check: a criterion in free text, which nothing checks."""


def parse(raw: Any) -> Criterion | str:
    """The criterion that a lead wrote; its words, if it is in free text. Raises CriterionRefused.

    Free text is ``{"check": "text", "text": "…"}`` or the bare text. Parameters that are null are as good as not there.
    """
    if isinstance(raw, str) and raw.strip():
        return raw.strip()
    if not isinstance(raw, Mapping):
        raise CriterionRefused(f"it must be an object with a check. {_choices()}")
    given = {str(name): value for name, value in raw.items() if value is not None}
    name = given.pop("check", TEXT if "text" in given else None)
    if name == TEXT:
        text = given.get("text")
        if not isinstance(text, str) or not text.strip() or len(given) > 1:
            raise CriterionRefused(f'a criterion in free text is {{"check": "{TEXT}", "text": "…"}}. {_choices()}')
        return text.strip()
    check = CHECKS.get(name) if isinstance(name, str) else None
    if check is None:
        raise CriterionRefused(unknown("check", name, (*CHECKS, TEXT)))
    fault = check.refuse(given)
    if fault is not None:
        raise CriterionRefused(fault)
    return Criterion(check.name, given)


def criteria_schema() -> dict[str, Any]:
    """The JSON schema of one criterion in a tool's parameters: one flat object. A choice between an object and a text
    would be closer to what ``parse`` takes, but small models fill it in badly; free text has a place in the object."""
    said = "; ".join(f"{check.name}: {check.says}" for check in CHECKS.values())
    number = {"type": "number"}
    text = {"type": "string"}
    return {
        "type": "object",
        "properties": {
            "check": {"type": "string", "enum": [*CHECKS, TEXT], "description": said},
            "field": {**text, "description": "of every entry"},
            "min": number,
            "max": number,
            "value": number,
            "values": {"type": "array", "items": text},
            "pattern": text,
            "unit": text,
            "decimals": {"type": "integer"},
            "by": text,
            "text": {**text, "description": f"free text, for check {TEXT}"},
        },
        "required": ["check"],
    }


def _choices() -> str:
    return f"Valid checks: {', '.join((*CHECKS, TEXT))}."
