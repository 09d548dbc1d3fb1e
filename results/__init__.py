"""What runs leave behind, and how to read it: ``results.load("runs").runs`` is a pandas frame.

Names are imported when first used, so that writing rows never pays for analysing them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from results.against import Against, against_first
    from results.bridge import Bridge, bridges
    from results.claims.render import print_claims
    from results.claims.report import refuse_foreign
    from results.delegations import Delegations, delegated
    from results.frames import Results, dataset, load
    from results.gate.hold import gated
    from results.gate.render import print_gate
    from results.isolation import compression
    from results.matrix.render import print_suites
    from results.purposes import PurposeTable, by_purpose
    from results.render import print_summary
    from results.store import ExperimentInfo, Store
    from results.summary import Summary, summarize
    from results.tally import Tally, tallied
    from results.validate import Report, check
    from results.yardstick import Yardstick, yardsticks

_HOME = {
    "Against": "against",
    "Bridge": "bridge",
    "Delegations": "delegations",
    "ExperimentInfo": "store",
    "PurposeTable": "purposes",
    "Report": "validate",
    "Results": "frames",
    "Store": "store",
    "Summary": "summary",
    "Tally": "tally",
    "Yardstick": "yardstick",
    "against_first": "against",
    "bridges": "bridge",
    "by_purpose": "purposes",
    "check": "validate",
    "compression": "isolation",
    "dataset": "frames",
    "delegated": "delegations",
    "gated": "gate.hold",
    "load": "frames",
    "print_claims": "claims.render",
    "print_gate": "gate.render",
    "print_suites": "matrix.render",
    "print_summary": "render",
    "refuse_foreign": "claims.report",
    "summarize": "summary",
    "tallied": "tally",
    "yardsticks": "yardstick",
}

__all__ = [
    "Against",
    "Bridge",
    "Delegations",
    "ExperimentInfo",
    "PurposeTable",
    "Report",
    "Results",
    "Store",
    "Summary",
    "Tally",
    "Yardstick",
    "against_first",
    "bridges",
    "by_purpose",
    "check",
    "compression",
    "dataset",
    "delegated",
    "gated",
    "load",
    "print_claims",
    "print_gate",
    "print_suites",
    "print_summary",
    "refuse_foreign",
    "summarize",
    "tallied",
    "yardsticks",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'results' has no attribute '{name}'")
    value = getattr(import_module(f"results.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
