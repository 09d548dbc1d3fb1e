"""How much a team's sub-agents read for what they handed back (docs/cost-model.md)."""

from __future__ import annotations

import pandas as pd

from results.frames import Results

_ATTEMPT = ["run_id", "operation_id", "attempt"]


def compression(results: Results) -> dict[str, float]:
    """Topology → source tokens that its sub-agents read, each text once an agent / tokens of the results they sent.

    Sub-agents are those below depth 0; source is what task tools returned. What they sent is their result messages, or,
    in a topology without such messages, what of their writing those above them have read. Topologies without
    sub-agents, or whose sub-agents sent nothing, are absent.
    """
    calls = results.frame("calls", [*_ATTEMPT, "agent", "depth"])
    columns = [*_ATTEMPT, "direction", "author", "purpose", "reread", "tokens", "topology"]
    shares = results.frame("shares", columns).merge(calls, on=_ATTEMPT)
    read = source_read(shares).groupby("topology")["tokens"].sum()
    sent = handed_up(shares, calls).groupby("topology")["tokens"].sum().to_dict()
    messages = results.frame("messages", ["topology", "type", "delivery", "tokens"])
    handed = messages[(messages["type"] == "result") & (messages["delivery"] != "duplicate")]
    sent |= handed.groupby("topology")["tokens"].sum().to_dict()
    return {str(t): float(read.get(t, 0)) / float(n) for t, n in sent.items() if n}


def source_read(shares: pd.DataFrame) -> pd.DataFrame:
    """The shares that are source in the prompts of sub-agents, each text once an agent. ``shares``: with the ``depth``
    of their call."""
    first = (shares["direction"] == "prompt") & (shares["reread"] != "self")
    return shares[first & (shares["author"] == "tool") & (shares["purpose"] == "task") & (shares["depth"] > 0)]


def handed_up(shares: pd.DataFrame, calls: pd.DataFrame) -> pd.DataFrame:
    """The shares that are sub-agents' writing in the prompts of those above them, where it is read for the first time.
    ``shares``: with the ``depth`` of their call; ``calls``: with ``run_id``, ``agent`` and ``depth``."""
    depths = calls[["run_id", "agent", "depth"]].drop_duplicates(["run_id", "agent"])
    authors = depths.rename(columns={"agent": "author", "depth": "author_depth"})
    read = shares[(shares["direction"] == "prompt") & (shares["reread"] == "new")].merge(
        authors, on=["run_id", "author"]
    )
    return read[read["author_depth"] > read["depth"]]
