"""How much a team's sub-agents read for what they handed back (docs/cost-model.md)."""

from __future__ import annotations

from results.frames import Results


def compression(results: Results) -> dict[str, float]:
    """Topology → source tokens that its sub-agents read, each text once an agent / tokens of the results they sent.

    Sub-agents are those below depth 0; source is what task tools returned. Topologies without sub-agents, or whose
    sub-agents sent nothing, are absent.
    """
    calls = results.frame("calls", ["run_id", "operation_id", "attempt", "depth"])
    columns = ["run_id", "operation_id", "attempt", "direction", "author", "purpose", "reread", "tokens", "topology"]
    shares = results.frame("shares", columns).merge(calls, on=["run_id", "operation_id", "attempt"])
    first = (shares["direction"] == "prompt") & (shares["reread"] != "self")
    source = first & (shares["author"] == "tool") & (shares["purpose"] == "task") & (shares["depth"] > 0)
    read = shares[source].groupby("topology")["tokens"].sum()
    messages = results.frame("messages", ["topology", "type", "delivery", "tokens"])
    handed = messages[(messages["type"] == "result") & (messages["delivery"] != "duplicate")]
    sent = handed.groupby("topology")["tokens"].sum()
    return {str(t): float(read.get(t, 0)) / float(n) for t, n in sent.items() if n}
