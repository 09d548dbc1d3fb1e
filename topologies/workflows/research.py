"""Several routes over the same question, claims checked by others, one answer with its citations (seed document 004,
"Deep Research"). For any task.

args: `routes`: how each route goes about it, a list of texts; `checks`: how many agents check the claims (default 2).

An answer that is a JSON list of entries is taken apart into claims, which are about the same point if their first field
says the same; any other answer, such as files that must fit together, is one claim as a whole. Equal claims are checked
once. Nobody is asked to combine what needs no combining: answers that all agree and hold, and whole answers, of which
one is taken by rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable
from functools import partial
from typing import Any

from harness.workflow.script import AgentFailed, agent, args, log, parallel, phase

META = {
    "name": "research",
    "description": "Routes in parallel, independent checks of each claim, one answer.",
    "phases": ["Search", "Check", "Combine"],
}

ROUTES = [
    "go through the material from the first piece to the last.",
    "take up one point after the other, and look it up where it is most likely to stand.",
    "before you settle on an answer, look for what speaks against it.",
]
CHECKS = 2
ROUTE = "{task}\n\nHow to go about it: {route} Give the whole answer, with no other fields than its format shows."
CHECK = """{task}

Others have answered this; do not answer it again. Try to refute each of their findings below: look up yourself what \
it says. It is refuted only if what you have looked up shows that it is wrong.
{findings}"""
COMBINE = """{task}

Others have answered this. Combine their findings below into one answer, in the format that is asked for above. Where \
findings differ, take the one that more have given. Do not use one that was refuted: if nothing else was found on its \
point, look that up yourself.
{findings}"""
REFUTED = {
    "type": "object",
    "properties": {
        "refuted": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"finding": {"type": "integer"}, "why": {"type": "string"}},
                "required": ["finding", "why"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["refuted"],
    "additionalProperties": False,
}


async def main(task: str) -> str:
    routes, wanted = args.get("routes", ROUTES), args.get("checks", CHECKS)
    for name in args:
        if name not in ("routes", "checks"):
            raise ValueError(f"unknown topology.args.{name}. Valid choices: routes, checks.")
    if not isinstance(routes, list) or not routes or not all(isinstance(route, str) for route in routes):
        raise ValueError(f"topology.args.routes={routes!r}: give a list of texts, one for each route.")
    if not isinstance(wanted, int) or wanted < 0:
        raise ValueError(f"topology.args.checks={wanted!r}: give a whole number from 0.")

    phase("Search")
    drafts = await parallel([partial(_route, task, route, n) for n, route in enumerate(routes, 1)])
    answers = [draft for draft in drafts if draft is not None]
    if not answers:
        raise AgentFailed("no route has come to an answer")
    lists = [entries for entries in map(_entries, answers) if entries is not None]
    whole = len(lists) < len(answers)
    claims = _counted([[answer.strip()] for answer in answers] if whole else lists)

    phase("Check")
    shown = "\n".join(f"[finding {n}]\n{claim}" for n, claim in enumerate(claims, 1))
    checkers = range(1, wanted + 1) if claims else ()
    verdicts = await parallel([partial(_check, task, shown, n) for n in checkers])
    checks = [_reasons(verdict) for verdict in verdicts if verdict is not None]
    if len(checkers) and not checks:
        log("no check has come to an end: the claims are unchecked")
    against = {n: [why[n] for why in checks if n in why] for n in range(1, len(claims) + 1)}
    refuted = {n: why for n, why in against.items() if why and 2 * len(why) >= len(checks)}

    if whole:  # the one with the fewest refutations, of these the one that most routes have given
        return min(enumerate(claims.items(), 1), key=lambda c: (len(against[c[0]]), -c[1][1]))[1][0]
    if not refuted and all(given == len(answers) for given in claims.values()):
        return str(answers[0])

    phase("Combine")
    told = []
    for n, (claim, given) in enumerate(claims.items(), 1):
        held = f", refuted: {' '.join(refuted[n][0].split())}" if n in refuted else ""
        told.append(f"[finding {n}] given by {given} of {len(answers)}{held}\n{claim}")
    combined: str = await agent(COMBINE.format(task=task, findings="\n".join(told)), type="solver", label="combine")
    return combined


def _route(task: str, route: str, number: int) -> Awaitable[Any]:
    return agent(ROUTE.format(task=task, route=route), type="solver", label=f"route_{number}")


def _check(task: str, findings: str, number: int) -> Awaitable[Any]:
    prompt = CHECK.format(task=task, findings=findings)
    return agent(prompt, schema=REFUTED, type="reviewer", label=f"check_{number}")


def _reasons(verdict: dict[str, Any]) -> dict[int, str]:
    """Finding → why it is refuted, as one check has it. What it leaves open is null."""
    return {r["finding"]: r["why"] or "no reason given" for r in verdict["refuted"] or () if r["finding"] is not None}


def _entries(answer: str) -> list[str] | None:
    """The entries of an answer, each as JSON; None if it is no list of objects."""
    fenced = re.fullmatch(r"```\w*\s*\n(.*)\n\s*```", answer.strip(), re.S)
    try:
        found = json.loads(fenced[1] if fenced else answer)
    except ValueError:
        return None
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        return None
    return [json.dumps(entry, ensure_ascii=False) for entry in found]


def _counted(lists: list[list[str]]) -> dict[str, int]:
    """Claim → how many routes have given it, those about one point next to each other."""
    given: dict[str, int] = {}
    for claims in lists:
        for claim in dict.fromkeys(claims):
            given[claim] = given.get(claim, 0) + 1
    points = list(dict.fromkeys(map(_point, given)))
    return dict(sorted(given.items(), key=lambda c: points.index(_point(c[0]))))


def _point(claim: str) -> str:
    """What a claim is about."""
    try:
        return str(next(iter(json.loads(claim).values()), ""))
    except (ValueError, AttributeError):
        return claim
