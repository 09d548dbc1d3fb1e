"""What a review may come to, and how an evaluator's or an architect's words are read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from harness.delegation.checks.result import NoJson, Result


class Verdict(StrEnum):
    """004: REVIEW_EXCEEDED ends the revisions of a step and lets nothing pass; AUTO_PASS_WITH_WARNING is for LOW risk
    only, where the evaluator failed and the caller has said that this may pass."""

    PASS = "PASS"
    REVISE = "REVISE"
    REVIEW_EXCEEDED = "REVIEW_EXCEEDED"
    AUTO_PASS_WITH_WARNING = "AUTO_PASS_WITH_WARNING"


@dataclass(frozen=True, slots=True)
class Judgement:
    """``errors``: what is wrong, none with a PASS; ``by``: who says so, as an author of parts; ``blocked``: why the
    expert cannot do it, by its own word; ``replan``: the order itself is wrong; ``warning``: why nobody has judged."""

    verdict: Verdict
    errors: tuple[str, ...]
    by: str
    blocked: str | None = None
    replan: bool = False
    warning: str = ""


class Ruling(StrEnum):
    REVISED_INSTRUCTION = "REVISED_INSTRUCTION"
    ACCEPT_WITH_CAVEATS = "ACCEPT_WITH_CAVEATS"


class Unreadable(ValueError):
    """An answer that is not in the form that was asked for; the text says what is wrong with it."""


def read_judgement(text: str, by: str) -> Judgement:
    """An evaluator's answer. Raises Unreadable."""
    said = _object(text)
    verdict, errors, replan = said.get("verdict"), said.get("errors", []), said.get("replan", False)
    if verdict not in (Verdict.PASS, Verdict.REVISE):
        raise Unreadable('"verdict" must be "PASS" or "REVISE".')
    if not isinstance(errors, list) or not all(isinstance(e, str) for e in errors):
        raise Unreadable('"errors" must be a list of texts.')
    if not isinstance(replan, bool):
        raise Unreadable('"replan" must be true or false.')
    found = tuple(e.strip() for e in errors if e.strip())
    if verdict == Verdict.PASS:
        if found or replan:
            raise Unreadable('"PASS" goes with no errors and without "replan".')
        return Judgement(Verdict.PASS, (), by)
    if not found and not replan:
        raise Unreadable('"REVISE" needs at least one error.')
    return Judgement(Verdict.REVISE, found or ("The order itself is wrong.",), by, replan=replan)


def read_ruling(text: str) -> tuple[Ruling, str]:
    """An architect's answer: the ruling, and its instruction or its caveats. Raises Unreadable."""
    said = _object(text)
    for ruling, key in ((Ruling.REVISED_INSTRUCTION, "instruction"), (Ruling.ACCEPT_WITH_CAVEATS, "caveats")):
        if said.get("ruling") == ruling:
            words = said.get(key)
            if not isinstance(words, str) or not words.strip():
                raise Unreadable(f'"{ruling}" needs "{key}", a text.')
            return ruling, words.strip()
    raise Unreadable(f'"ruling" must be one of {", ".join(json.dumps(r) for r in Ruling)}.')


def _object(text: str) -> dict[str, Any]:
    try:
        found = Result.of(text).plain
    except NoJson as fault:
        raise Unreadable(str(fault)) from None
    if not isinstance(found, dict):
        raise Unreadable("The answer must be one JSON object.")
    return found
