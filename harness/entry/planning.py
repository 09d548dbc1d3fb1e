"""``plan=true``: what a command would take, before anything is spent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

from harness.accounting.ledger import PUSD
from harness.bus.memory import MemoryBus
from harness.cell import Cell
from harness.clock.protocol import Clock
from harness.clock.runner import run as run_clock
from harness.entry.wiring import NeedsOracle, Plan
from harness.experiment import Part, PlannedCell, refuse_unpriced
from harness.limits import Limits, Scope
from harness.models.protocol import Model
from harness.models.roles import STRONG
from harness.models.simulated import SimulatedModel
from harness.records import RunRecord
from harness.run import run_sample

SAMPLES = 3
"""Most samples of a cell that are simulated for its estimate."""
_HEAD = ("cell", "model", "runs", "calls", "prompt", "completion", "USD", "USD uncached")


@dataclass(frozen=True, slots=True)
class Usd:
    """An amount in USD. ``complete``: nothing of it is unknown, so it is no lower bound; None: all of it is."""

    amount: float | None
    complete: bool = True

    def __str__(self) -> str:
        if self.amount is None:
            return "unknown"
        return f"{'' if self.complete else 'at least '}{self.amount:,.4f}"

    @classmethod
    def sum(cls, amounts: Sequence[Usd]) -> Usd:
        known = [a.amount for a in amounts if a.amount is not None]
        return cls(sum(known) if known else None, len(known) == len(amounts) and all(a.complete for a in amounts))


@dataclass(frozen=True, slots=True)
class Estimate:
    """What all planned runs of a cell, or of a command, would take, scaled up from simulated ones. Tokens are those of
    prompts and completions; ``usd`` as the model's provider would bill them with what it caches, ``usd_uncached``
    without. ``roles``: of all agents. ``judge_tokens``, ``judge_usd``: what a judge would take, on top.
    ``trouble``: why simulated runs did not end well, one sentence a run;
    ``warnings``: what they warn of."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: Usd
    usd_uncached: Usd
    roles: frozenset[str] = frozenset()
    judge_tokens: int = 0
    judge_usd: Usd = Usd(0.0)
    trouble: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def show(plan: Plan) -> None:
    """Print, for each cell and in total, the planned runs and what they would take. Nothing real is opened or sent, and
    nothing is stored. A suite without an oracle cannot be simulated: its cells show the planned runs only. Raises
    ConfigError for what running the plan would refuse before its first sample: a budget over an unpriced model."""
    for planned in plan.cells:
        refuse_unpriced(planned.cell)
    print(
        "PLAN: nothing was sent to a model and nothing is stored. Calls, tokens and USD are estimates from simulated\n"
        f"runs of at most {SAMPLES} samples of each cell, and never evidence about a real model.\n"
    )
    estimates = [estimate(planned) for planned in plan.cells]
    known = [e for e in estimates if e is not None]
    pairs = list(zip(plan.cells, estimates, strict=True))
    rows = [(_named(p.cell), _models(p.cell, e), f"{p.planned:,}", *_figures(e)) for p, e in pairs]
    runs = sum(p.planned for p in plan.cells)
    whole = _sum(known) if len(known) == len(estimates) else None
    table([_HEAD, *rows, ("total", "", f"{runs:,}", *_figures(whole))])
    for line in _remarks(plan, estimates, whole):
        print(line)


def estimate(planned: PlannedCell) -> Estimate | None:
    """The estimate for one cell; None when its suite has no oracle."""
    cell = _rehearsal(planned.cell)
    if cell is None:
        return None

    async def main(clock: Clock) -> list[RunRecord]:
        async with AsyncExitStack() as opened:
            parts: list[Part] = [cell.model, *cell.model.roles.values(), cell.bus]
            for part in parts:
                opened.push_async_callback(part.close)
                await part.open(clock)
            scope = Scope("experiment")
            return [await run_sample(cell, sample, 0, clock, scope) for sample in _spread(planned.sample_ids)]

    found = run_clock("virtual", main, watchdog_s=planned.clock.watchdog_s)
    rows = [r.run for r in found]

    def scaled(values: Iterable[int]) -> int:
        return round(sum(values) * planned.planned / len(rows)) if rows else 0

    def usd(values: Sequence[float | None], complete: bool) -> Usd:
        known = [v for v in values if v is not None]
        return Usd(sum(known) * planned.planned / len(rows) if known else None, complete and len(known) == len(rows))

    complete = all(r.cost_complete for r in rows)

    return Estimate(
        calls=scaled(r.calls for r in rows),
        prompt_tokens=scaled(r.prompt_tokens for r in rows),
        completion_tokens=scaled(r.completion_tokens for r in rows),
        usd=usd([None if r.cost_pusd is None else r.cost_pusd / PUSD for r in rows], complete),
        usd_uncached=usd([r.cost_uncached_usd for r in rows], complete),
        roles=frozenset((*(c.role for r in found for c in r.calls), *cell.grader.models)),
        judge_tokens=scaled(r.judge_tokens for r in rows),
        judge_usd=usd([r.judge_cost_usd for r in rows], True),
        trouble=tuple(f"{r.status}: {r.error}" for r in rows if r.status != "ok"),
        warnings=tuple(dict.fromkeys(text for r in rows for text in json.loads(r.warnings))),
    )


def _rehearsal(cell: Cell) -> Cell | None:
    """The cell with nothing real in it: a simulated model that costs what the real one would, messages in memory. A
    model that is itself simulated plays itself, with its own settings."""
    if isinstance(cell.model, NeedsOracle):
        return replace(cell, bus=MemoryBus(), rehearsal=True)
    oracle = cell.suite.oracle()
    if oracle is None:
        return None

    def simulated(real: Model) -> SimulatedModel:
        model = SimulatedModel(strong=None)
        if real.window_tokens:  # 0: the model finds it out when it is opened
            model.window_tokens = real.window_tokens
        model.pricing = real.pricing
        model.consult(oracle)
        return model

    model = simulated(cell.model)
    roles = {role: simulated(real) for role, real in cell.model.roles.items()}
    model.roles = roles
    return replace(cell, model=model, bus=MemoryBus(), rehearsal=True)


def _spread(sample_ids: Sequence[str]) -> list[str]:
    """The first sample, the last, and one in the middle, or all if there are no more."""
    last = len(sample_ids) - 1
    return (
        [sample_ids[i] for i in sorted({round(i * last / (SAMPLES - 1)) for i in range(SAMPLES)})] if last >= 0 else []
    )


def _sum(estimates: Sequence[Estimate]) -> Estimate:
    return Estimate(
        calls=sum(e.calls for e in estimates),
        prompt_tokens=sum(e.prompt_tokens for e in estimates),
        completion_tokens=sum(e.completion_tokens for e in estimates),
        usd=Usd.sum([e.usd for e in estimates]),
        usd_uncached=Usd.sum([e.usd_uncached for e in estimates]),
        judge_tokens=sum(e.judge_tokens for e in estimates),
        judge_usd=Usd.sum([e.judge_usd for e in estimates]),
    )


def _named(cell: Cell) -> str:
    """A cell by what distinguishes it."""
    params = {"topology": cell.topology_name, "task": cell.task_name, **json.loads(cell.params)}
    return " ".join(f"{key}={value}" for key, value in params.items())


def _models(cell: Cell, e: Estimate | None) -> str:
    """The main model and those beside it; the stronger one only where it is asked, as far as that is known."""
    asked = [r for r in cell.model.roles if r != STRONG or e is None or STRONG in e.roles]
    beside = [f"{role}={cell.model.roles[role].name}" for role in asked]
    return ", ".join([cell.model.name, *beside])


def _figures(e: Estimate | None) -> tuple[str, ...]:
    if e is None:
        return ("-",) * 5
    return f"{e.calls:,}", f"{e.prompt_tokens:,}", f"{e.completion_tokens:,}", str(e.usd), str(e.usd_uncached)


def table(rows: Sequence[Sequence[str]], left: int = 2) -> None:
    """Print so many columns of names to the left, and figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            text.ljust(w) if i < left else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def _remarks(plan: Plan, estimates: Sequence[Estimate | None], whole: Estimate | None) -> list[str]:
    """What the figures do not say by themselves."""
    mute = {p.cell.task_name: None for p, e in zip(plan.cells, estimates, strict=True) if e is None}
    lines = [
        f"note: task={task} has no oracle, so its runs cannot be simulated and nothing is estimated." for task in mute
    ]
    for planned, e in zip(plan.cells, estimates, strict=True):
        if e is None:
            continue
        lines += [f"note: '{_named(planned.cell)}': {warning}." for warning in e.warnings]
        if e.judge_tokens:
            lines.append(
                f"note: '{_named(planned.cell)}': its judge comes on top: {e.judge_tokens:,} tokens, {e.judge_usd} USD."
            )
        if e.trouble:
            lines.append(
                f"note: {len(e.trouble)} simulated runs of '{_named(planned.cell)}' did not end well, so its "
                f"figures may be off ({e.trouble[0]})."
            )
    if whole is not None and (whole.usd.amount is None or not whole.usd.complete):
        lines.append(
            "note: USD is unknown for models without a price; set model.price, or model.prices_as if it has it."
        )
    return lines if whole is None else lines + _stopped(plan.limits, whole)


def _stopped(limits: Limits, whole: Estimate) -> list[str]:
    tokens = whole.prompt_tokens + whole.completion_tokens + whole.judge_tokens
    spent = (
        ("experiment_usd", limits.experiment_usd, Usd.sum([whole.usd, whole.judge_usd]).amount),
        ("experiment_tokens", limits.experiment_tokens, tokens),
    )
    return [
        f"note: limits.{name}={bound:g} would stop the command before the last run."
        for name, bound, value in spent
        if bound is not None and value is not None and value > bound
    ]
