"""The cost equation of seed document 004, estimated from what calls were for (docs/crossover.md).

single = steps·c; team = workers·steps·c + C_plan + workers·steps·C_sync + C_merge. A call counts whole, prompt and
completion, for its activity: the terms below divide all activities among them, so that they sum to the run's tokens.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.errors import StoreError
from results.columns import Columns
from results.crossover.fits import COST, FEWEST, foretell, held_out
from results.crossover.measured import Measured
from results.crossover.tables import Equation, Forecast, Terms
from results.frames import Results
from results.tally import Tally

TERM_OF: Mapping[str, str] = {
    "task": "step",
    "answer": "step",
    "rework": "step",
    "plan": "plan",
    "dispatch": "plan",
    "scaffold": "plan",
    "sync": "talk",
    "report": "merge",
    "merge": "merge",
    "review": "verification",
    "feedback": "verification",
}
"""Activity → term; handing out is planning, handing in merging. Any other activity is ``unknown``."""
PARTS = ("step", "plan", "talk", "merge", "verification", "unknown")


def term_of(activity: str) -> str:
    """The term that an activity counts for."""
    return TERM_OF.get(activity, "unknown")


@dataclass(frozen=True, slots=True)
class Steps:
    """``workers``, ``steps``: run → agents that make a step, and steps that they make together."""

    workers: Mapping[str, int]
    steps: Mapping[str, int]


def stepped(results: Results) -> Steps:
    """A step is an operation whose last attempt was work on the task: solving it, or writing a product again."""
    workers: dict[str, int] = {}
    steps: dict[str, int] = {}
    columns = ["run_id", "agent", "operation_id", "attempt", "activity"]
    for table in results.snapshot.tables("calls", columns):
        calls = Columns.of(table)
        made = calls.last(["run_id", "operation_id"], "attempt") & calls.texts("activity").renamed(term_of).equal(
            "step"
        )
        own = calls.having(steps=made.astype("int64")).where(made).sums(["run_id", "agent"], ["steps"])
        for run_id, n in zip(own.texts("run_id").tolist(), own.numbers("steps").tolist(), strict=True):
            workers[run_id] = workers.get(run_id, 0) + 1
            steps[run_id] = steps.get(run_id, 0) + n
    return Steps(workers, steps)


def equation(chosen: Measured, tally: Tally, steps: Steps, *, agents: bool) -> Equation:
    """Of one choice; of one that is the same at every size there is one measurement. Raises StoreError where the calls
    of a run do not add up to it."""
    terms = [_terms(size, run_ids, tally.of(run_ids), steps) for size, run_ids in chosen.run_ids.items()]
    if chosen.choice.fixed:
        return Equation(chosen.choice.label, (terms[0],), ())
    forecasts = _forecasts(terms, agents=agents) if len(terms) >= FEWEST else ()
    return Equation(chosen.choice.label, tuple(terms), forecasts)


def _terms(size: float, run_ids: Sequence[str], tally: Tally, steps: Steps) -> Terms:
    n = len(run_ids)
    activity = tally.activity
    by_term = activity.having(term=activity.texts("activity").renamed(term_of))
    tokens = {term: rows.total("tokens") for (term,), rows in by_term.groups("term")}
    total = tally.runs.total("prompt_tokens") + tally.runs.total("completion_tokens")
    if sum(tokens.values()) != total:
        raise StoreError(
            f"cell '{tally.runs.texts('cell_id').tolist()[0]}': its calls have {sum(tokens.values()):,} tokens, its "
            f"runs {total:,}. Run `python -m results validate` to find the rows."
        )
    workers, made = (sum(of.get(run_id, 0) for run_id in run_ids) for of in (steps.workers, steps.steps))
    mean = {term: tokens.get(term, 0) / n for term in PARTS}
    return Terms(
        size=size,
        runs=n,
        workers=workers / n,
        steps=made / workers if made else None,
        step=tokens.get("step", 0) / made if made else None,
        plan=mean["plan"],
        sync=tokens.get("talk", 0) / made if made else None,
        talk=mean["talk"],
        merge=mean["merge"],
        verification=mean["verification"],
        unknown=mean["unknown"],
        total=total / n,
    )


def _made(terms: Terms) -> float:
    """Steps of a run, of all workers together."""
    return 0.0 if terms.steps is None else terms.workers * terms.steps


def _part(terms: Terms, part: str) -> float:
    """Tokens of a run."""
    if part == "step":
        return 0.0 if terms.step is None else _made(terms) * terms.step
    value: float = getattr(terms, part)
    return value


def _forecasts(terms: Sequence[Terms], *, agents: bool) -> tuple[Forecast, ...]:
    """Of the largest sizes, the smaller ones counting the same each."""
    kept = len(terms) - held_out([t.size for t in terms])
    before, sizes = terms[:kept], [t.size for t in terms]
    made = math.fsum(map(_made, before))
    whole = {part: math.fsum(_part(t, part) for t in before) for part in PARTS}
    growing = [foretell(sizes, [_part(t, part) for t in terms], COST, agents=agents) for part in PARTS]
    found = []
    for number, largest in enumerate(terms[kept:]):
        flat = math.fsum(whole[part] for part in PARTS if part not in A_STEP) / kept
        a_step = math.fsum(whole[part] for part in A_STEP)
        constant = flat + _made(largest) * a_step / made if made else None
        found.append(
            Forecast(largest.size, largest.total, constant, math.fsum(part[number].foretold for part in growing))
        )
    return tuple(found)


A_STEP = ("step", "talk")
"""Terms that the equation multiplies by workers · steps."""
