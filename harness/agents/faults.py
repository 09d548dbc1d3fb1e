"""What may end one agent without ending its run."""

from __future__ import annotations

from typing import NamedTuple

from harness.errors import LimitExceeded, TopologyFailed
from harness.models.protocol import TransportError


class OwnFault(NamedTuple):
    """``reason``: in one word, the limit's name if it was one; ``text``: a sentence for whoever waits for the agent."""

    reason: str
    text: str


def own_fault(fault: Exception) -> OwnFault | None:
    """A limit of the agent's own, a timeout, a fault of its provider, or, of a worker that is a topology, its failure.
    None for all else: a breach of the run's or the experiment's limit ends the run, and so does a defect, which must
    not pass for an agent's failure."""
    if isinstance(fault, LimitExceeded):
        return OwnFault(str(fault.facts["limit"]), str(fault)) if fault.facts["scope"] == "agent" else None
    if isinstance(fault, TimeoutError):
        return OwnFault("timeout", str(fault))
    if isinstance(fault, TopologyFailed):  # of a worker that is a topology
        return OwnFault("failed", str(fault))
    if isinstance(fault, TransportError):
        return OwnFault("error", f"{fault.kind}: {fault}")
    return None
