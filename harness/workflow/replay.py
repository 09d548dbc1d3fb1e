"""What an agent call left in a run's rows, on its way to the journal and back."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from harness.accounting.parts import Part, joined
from harness.accounting.purposes import Purpose
from harness.delegation.log import Try
from harness.records import CallRow, ShareRow
from harness.session import Session


def recorded(session: Session, name: str, told: Sequence[Part], result: Sequence[Part], tried: Try) -> dict[str, Any]:
    """All that is needed to tell again what an agent, or a worker that is a topology, did and cost. ``name``: its own;
    ``told``: its order; ``result``: its answer. Attempts that end later (of agents that nobody waits for) are not in
    it."""
    calls = [c for c in session.ledger.calls if _belongs(c.agent, name)]
    operations = {c.operation_id for c in calls}
    mark = session.mark().key
    sent = dict.fromkeys(
        p.key
        for agent in session.under(name)
        for p in (*agent.offer.parts, *agent.conversation.parts())
        if p.author != agent.name and p.key != mark
    )
    return {
        "name": name,
        "place": list(_place(session, name)),
        "authors": [p.author for p in told],
        "result": [[p.text, p.author, p.purpose] for p in result],
        "copied_tokens": tried.copied_tokens,
        "sent": list(sent),
        "calls": [asdict(c) for c in calls],
        "shares": [asdict(s) for s in session.ledger.shares if s.operation_id in operations],
    }


def served(session: Session, entry: Mapping[str, Any], name: str, told: Sequence[Part], tried: Try) -> list[Part]:
    """Put a journalled call's attempts into this run's rows: they cost nothing, take no time and say what they would
    have cost. Returns the result."""
    now, old = session.time.now(), str(entry["name"])
    here, there = _place(session, name), _Place(*entry["place"])
    run = next((str(c["run_id"]) for c in entry["calls"]), "")
    same = old == name and here.session_id.removeprefix(session.run_id) == there.session_id.removeprefix(run)
    authors = dict(zip(entry["authors"], (p.author for p in told), strict=False)) | {old: name}
    if same:  # whoever is there by that name is the one, also if others have said the same by now
        authors = {then: known for then, known in authors.items() if then not in session.agents}

    def renamed(agent: str) -> str:
        return authors.get(agent) or (name + agent[len(old) :] if _belongs(agent, old) else agent)

    def operation(id: str) -> str:
        agent, sign, number = id.rpartition("#")
        return f"{renamed(agent)}{sign}{number}"

    def moved(session_id: str | None) -> str | None:
        if session_id is None or not _belongs(session_id, there.session_id):
            return here.above
        rest = session_id[len(there.session_id) :]
        return here.session_id + re.sub(rf"/{re.escape(old)}(?=/|$)", lambda _: f"/{name}", rest)

    for row in entry["calls"]:
        call = CallRow(**row)
        known = call.cost_pusd is not None
        again = replace(
            call,
            run_id=session.run_id,
            operation_id=operation(call.operation_id),
            session_id=moved(call.session_id) or here.session_id,
            parent_session_id=moved(call.parent_session_id),
            depth=call.depth - there.depth + here.depth,
            agent=renamed(call.agent),
            started_s=now,
            ended_s=now,
            queue_s=0.0,
            served_from="journal",
            late=False,
            cost_usd=0.0 if known else None,
            cost_pusd=0 if known else None,
            fee_pusd=0 if known else None,
            cost_uncached_usd=0.0 if known else None,
        )
        shares = [
            replace(
                share,
                run_id=session.run_id,
                operation_id=again.operation_id,
                author=renamed(share.author),
                cost_pusd=None if share.cost_pusd is None else 0,
            )
            for share in (ShareRow(**s) for s in entry["shares"])
            if (share.operation_id, share.attempt) == (call.operation_id, call.attempt)
        ]
        session.ledger.serve(again, shares, session.scope)
    session.ledger.heard((*entry["sent"], session.mark().key))
    result = [Part(text, renamed(author), Purpose(purpose)) for text, author, purpose in entry["result"]]
    session.delegations.end(tried, "success", joined(result), validated=True, copied_tokens=int(entry["copied_tokens"]))
    return result


class _Place(NamedTuple):
    """Where a call's agents stand: the session that theirs are, or are in, the one above it, and how deep."""

    session_id: str
    above: str | None
    depth: int


def _place(session: Session, name: str) -> _Place:
    """Of an agent that code places in this session, or, of a worker that is a topology, of all agents in it."""
    slot = session.slot
    own = (
        _Place(session.run_id, None, 0) if slot is None else _Place(slot.session_id, slot.parent_session_id, slot.depth)
    )
    return own if name in session.agents else _Place(f"{own.session_id}/{name}", own.session_id, own.depth)


def _belongs(agent: str, name: str) -> bool:
    return agent == name or agent.startswith(f"{name}/")
