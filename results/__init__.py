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
    from results.comparison.comparison import Comparison, compare
    from results.comparison.render import print_comparison
    from results.comparison.sheets import comparison_sheets
    from results.crossover.analysis import crossovers
    from results.crossover.render import print_crossovers
    from results.crossover.tables import Crossover
    from results.delegations import Delegations, delegated
    from results.exchange.column_map import ColumnMap
    from results.exchange.exporting import export_rows
    from results.exchange.importing import import_rows
    from results.exchange.merging import merge_stores
    from results.frames import Results, dataset, load
    from results.gate.hold import gated
    from results.gate.render import print_gate
    from results.isolation import compression
    from results.matrix.render import print_suites
    from results.purposes import PurposeTable, by_purpose
    from results.render import print_summary
    from results.report.report import write_report
    from results.store import ExperimentInfo, Store
    from results.summary import Summary, summarize
    from results.summary_tables import summary_sheets
    from results.tally import Tally, tallied
    from results.validate import Report, check
    from results.verdict.prices import Prices
    from results.verdict.render import print_roi
    from results.verdict.roi import Roi, roi
    from results.verdict.sheets import verdict_sheets
    from results.yardstick import Yardstick, yardsticks

_HOME = {
    "Against": "against",
    "Bridge": "bridge",
    "ColumnMap": "exchange.column_map",
    "Comparison": "comparison.comparison",
    "Crossover": "crossover.tables",
    "Delegations": "delegations",
    "ExperimentInfo": "store",
    "Prices": "verdict.prices",
    "PurposeTable": "purposes",
    "Report": "validate",
    "Results": "frames",
    "Roi": "verdict.roi",
    "Store": "store",
    "Summary": "summary",
    "Tally": "tally",
    "Yardstick": "yardstick",
    "against_first": "against",
    "bridges": "bridge",
    "by_purpose": "purposes",
    "check": "validate",
    "compare": "comparison.comparison",
    "comparison_sheets": "comparison.sheets",
    "compression": "isolation",
    "crossovers": "crossover.analysis",
    "dataset": "frames",
    "delegated": "delegations",
    "export_rows": "exchange.exporting",
    "gated": "gate.hold",
    "import_rows": "exchange.importing",
    "load": "frames",
    "merge_stores": "exchange.merging",
    "print_claims": "claims.render",
    "print_comparison": "comparison.render",
    "print_crossovers": "crossover.render",
    "print_gate": "gate.render",
    "print_roi": "verdict.render",
    "print_suites": "matrix.render",
    "print_summary": "render",
    "refuse_foreign": "claims.report",
    "roi": "verdict.roi",
    "summarize": "summary",
    "summary_sheets": "summary_tables",
    "tallied": "tally",
    "verdict_sheets": "verdict.sheets",
    "write_report": "report.report",
    "yardsticks": "yardstick",
}

__all__ = [
    "Against",
    "Bridge",
    "ColumnMap",
    "Comparison",
    "Crossover",
    "Delegations",
    "ExperimentInfo",
    "Prices",
    "PurposeTable",
    "Report",
    "Results",
    "Roi",
    "Store",
    "Summary",
    "Tally",
    "Yardstick",
    "against_first",
    "bridges",
    "by_purpose",
    "check",
    "compare",
    "comparison_sheets",
    "compression",
    "crossovers",
    "dataset",
    "delegated",
    "export_rows",
    "gated",
    "import_rows",
    "load",
    "merge_stores",
    "print_claims",
    "print_comparison",
    "print_crossovers",
    "print_gate",
    "print_roi",
    "print_suites",
    "print_summary",
    "refuse_foreign",
    "roi",
    "summarize",
    "summary_sheets",
    "tallied",
    "verdict_sheets",
    "write_report",
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
