"""The whole analysis of a store's size sweeps."""

from __future__ import annotations

import math
from collections.abc import Sequence

from harness.errors import ConfigError, StoreError
from results.crossover.equation import Steps, equation, stepped
from results.crossover.measured import Measured, measured
from results.crossover.sweep import Sweep, sweeps
from results.crossover.tables import Crossover
from results.crossover.verdicts import criteria, verdict
from results.frames import Results
from results.tally import Tally, tallied


def crossovers(
    results: Results, *, by: str | None = None, score_usd: float | None = None, hour_usd: float = 0.0
) -> tuple[Crossover, ...]:
    """Every size sweep of some results.

    ``by``: the swept parameter that is the size, as ``task.docs``; None: the only one with three numbers or more.
    ``score_usd``: what a score of 1 instead of 0 is worth in USD, a sample; None: costs and scores are judged apart.
    ``hour_usd``: what an hour of wall-clock costs. Raises ConfigError for prices that are none, StoreError where there
    is no sweep or its cells cannot be compared.
    """
    for name, value in (("score_usd", score_usd), ("hour_usd", hour_usd)):
        if value is not None and not (math.isfinite(value) and value >= 0):
            raise ConfigError(f"{name}={value}: must be a number of USD, 0 or more.")
    if score_usd is None and hour_usd:
        raise ConfigError("hour_usd needs score_usd beside it: time has no price where scores have none. Give both.")
    tally = tallied(results)
    measured_runs = ~tally.runs.texts("run_id").among(tally.unmeasured)
    found, notes = sweeps(tally.runs.having(measured=measured_runs), by)
    steps = stepped(results)
    made = [
        _crossover(sweep, tally, steps, score_usd, hour_usd, notes if not i else ()) for i, sweep in enumerate(found)
    ]
    if score_usd is not None and not any(w.margin for c in made for v in c.verdicts for w in v.winners):
        raise StoreError(
            "at no size is the cost of two choices known, so that no net return can be compared. Leave out --score-usd "
            "to see tokens and scores, or run with a model that has a price."
        )
    return tuple(made)


def _crossover(
    sweep: Sweep, tally: Tally, steps: Steps, score_usd: float | None, hour_usd: float, notes: Sequence[str]
) -> Crossover:
    choices = measured(sweep)
    return Crossover(
        experiment_id=sweep.experiment_id,
        task=sweep.task,
        model=sweep.model,
        simulated=sweep.simulated,
        by=sweep.by,
        setting=sweep.setting,
        sizes=sweep.sizes,
        choices=tuple(m.choice for m in choices),
        verdicts=tuple(verdict(sweep, choices, criterion) for criterion in criteria(score_usd, hour_usd)),
        equations=tuple(equation(m, tally, steps, agents=sweep.agents) for m in choices if _counted(m)),
        notes=(*sweep.notes, *_unknown(choices, sweep), *notes),
    )


def _counted(chosen: Measured) -> bool:
    """Whether all its tokens are known."""
    return all(p.figures["tokens"] is not None for p in chosen.choice.points)


def _unknown(choices: Sequence[Measured], sweep: Sweep) -> list[str]:
    """Where a cost, or its tokens, are unknown, and so not compared."""
    notes = []
    for m in choices:
        named = (("usd", "the cost"), ("uncached", "the cost as if uncached"), ("tokens", "the number of tokens"))
        for measure, what in named:
            sizes = [p.size for p in m.choice.points if p.figures[measure] is None]
            if sizes and (measure != "uncached" or any(p.figures["usd"] for p in m.choice.points if p.size in sizes)):
                where = ", ".join(f"{size:g}" for size in sizes)
                notes.append(
                    f"{what} of {m.choice.label} is not wholly known at {sweep.by} = {where}: not compared there"
                )
    return notes
