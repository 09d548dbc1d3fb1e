"""One command from its words to its exit code."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.entry.commandline import CommandLine
from harness.entry.compose import Composed
from harness.entry.composition import composition
from harness.entry.manifest import ExperimentInfo, new_experiment_id
from harness.entry.rerun import rerun_commands
from harness.entry.signals import interrupts, orderly_end
from harness.entry.wiring import Plan, Store, wire
from harness.errors import HarnessError
from harness.experiment import Experiment, Outcome, Stop
from harness.limits import Scope
from harness.progress import progress
from harness.records import RunRecord

BUG = 1
INCOMPLETE = 1
BROKEN_PIPE = 128 + signal.SIGPIPE
INTERRUPTED = 128 + signal.SIGINT
REASONS_SHOWN = 10
DRIFT = "tokeniser drift"
"""A warning for whoever reads the rows: nothing on the command line mends it."""
REASON_CUT = 400
"""Characters kept of an error when the command says why runs did not end well."""


class Incomplete(HarnessError):
    """Planned rows were not written."""

    exit_code = INCOMPLETE


def run(argv: Sequence[str]) -> int:
    """Do what ``sys.argv`` asks for. Exit codes: 0 every planned row was written (or help or a plan was printed), 1
    rows are missing or the harness has a defect, 2 the input is wrong, 128 + n stopped by signal n.

    ``HARNESS_TRACEBACK=1`` in the environment prints where an error came from.
    """
    with interrupts() as interrupted:
        try:
            code = _run(list(argv))
            sys.stdout.flush()
            return code
        except KeyboardInterrupt:
            return INTERRUPTED
        except BrokenPipeError:
            # Whoever read our output has enough; Python would complain once more when it flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return BROKEN_PIPE
        except Exception as error:
            if interrupted():
                return INTERRUPTED
            if isinstance(error, HarnessError):
                return _tell(f"error: {error}", error.exit_code)
            what = f"{type(error).__name__}: {error}"
            return _tell(f"error: a defect in the harness: {what}. HARNESS_TRACEBACK=1 shows where.", BUG)


def run_elsewhere(cell: Composed, command: CommandLine, experiment_id: str) -> None:
    """One cell of a sweep in a process that another launcher started. Raises HarnessError when rows are missing."""
    plan = wire([cell], command, experiment_id)
    if _only_planned(plan):
        return
    outcome, _ = _conduct(replace(plan, settings=replace(plan.settings, progress="none")))
    if outcome.missing:
        raise Incomplete(_missing(plan, outcome, command))


def _run(argv: list[str]) -> int:
    command = CommandLine.parse(argv)
    experiment_id = new_experiment_id()
    cells = composition(command, experiment_id)
    if not cells:
        return 0
    logging.basicConfig(format="%(name)s: %(message)s", level=logging.WARNING)
    plan = wire(cells, command, experiment_id)
    if plan.settings.report == "claims":
        import results

        results.refuse_foreign([json.loads(planned.cell.params) for planned in plan.cells])
    if _only_planned(plan):
        return 0
    outcome, told = _conduct(plan)
    for text in sorted(told.shown):  # in the order of the samples, not of their ends
        print(f"{text}\n")
    if outcome.written:
        _show(plan)
    code = 0
    if outcome.missing:
        print(f"error: {_missing(plan, outcome, command)}", file=sys.stderr)
        code = INCOMPLETE if outcome.signum is None else 128 + outcome.signum
    for reason, runs in told.reasons.most_common(REASONS_SHOWN):
        print(f"not ok: {runs:,} x {reason}", file=sys.stderr)
    if len(told.reasons) > REASONS_SHOWN:
        print(f"not ok: {len(told.reasons) - REASONS_SHOWN:,} more reasons; see the column error", file=sys.stderr)
    for warning, runs in told.warnings.most_common(REASONS_SHOWN):
        print(f"warning: {runs:,} x {warning}", file=sys.stderr)
    return code


def _only_planned(plan: Plan) -> bool:
    """Print what the command would take, if that is all that was asked for."""
    if plan.settings.plan:
        from harness.entry.planning import show

        show(plan)
    return plan.settings.plan


@dataclass(frozen=True, slots=True)
class _StoreSink:
    store: Store
    info: ExperimentInfo
    reasons: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)

    def begin(self) -> None:
        self.store.open(self.info)

    def write(self, record: RunRecord) -> None:
        self.store.write(record)
        self.shown.extend(record.shown)
        run = record.run
        if run.status != "ok":
            # a limit by its name only: by how much it was passed differs from run to run
            why = (run.error or "").partition(":")[0] if run.status == "limit" else run.error or ""
            self.reasons[f"{run.topology} {run.status}: {why[:REASON_CUT]}"] += 1
        told = (text for text in json.loads(run.warnings) if not text.startswith(DRIFT))
        self.warnings.update(f"{run.topology}: {text}" for text in told)


def _conduct(plan: Plan) -> tuple[Outcome, _StoreSink]:
    """How it went, and what is to be told of the runs."""
    from harness.run import run_sample

    stop = Stop()
    sink = _StoreSink(plan.store, plan.info)
    experiment = Experiment(
        plan.cells,
        run_sample,
        sink,
        Scope("experiment", usd=plan.limits.experiment_usd, tokens=plan.limits.experiment_tokens),
        progress(plan.settings.progress, sys.stderr),
        stop,
        plan.settings.concurrency,
        plan.settings.shuffle,
    )
    status = "interrupted"
    with orderly_end(stop):
        try:
            outcome = experiment.run()
            status = "interrupted" if outcome.missing else "complete"
        finally:
            plan.store.close(status)
    return outcome, sink


def _show(plan: Plan) -> None:
    """The summary on stdout, and how to look deeper."""
    where, experiment = plan.store.dir, plan.info.experiment_id
    if plan.settings.summary:
        # Only here does the engine reach up to the analyses, and only after the last run.
        import results

        # One of them only: each brings imports of its own.
        printer = {"claims": "print_claims", "suites": "print_suites", "summary": "print_summary"}
        getattr(results, printer[plan.settings.report])(results.load(where, experiment), experiment)
    print(f"\nRows: {where} (experiment {experiment})")
    print(f"More: python -m results summary {where} --experiment {experiment}")
    print(f"      python -m results roi {where} --experiment {experiment}")
    print(f"      python -m results report {where} --experiment {experiment} --out report")
    print(f"      python -m results validate {where}")


def _missing(plan: Plan, outcome: Outcome, command: CommandLine) -> str:
    runs = outcome.unfinished
    cut = " or were cut off by it" if outcome.limit is not None else ""
    why = "Not all of the experiment was run"
    if outcome.signum is not None:
        why = f"Stopped by {signal.Signals(outcome.signum).name}"
    elif outcome.limit is not None:
        why = f"Stopped by a limit ({outcome.limit})"
    commands = rerun_commands(command, plan.overrides, outcome.missing, Path(plan.store.dir), plan.info.experiment_id)
    return f"{why}: {runs:,} of {outcome.planned:,} runs are missing{cut}. To run them:\n  " + "\n  ".join(commands)


def _tell(message: str, code: int) -> int:
    if os.environ.get("HARNESS_TRACEBACK") == "1":
        traceback.print_exc()
    print(message, file=sys.stderr)
    return code
