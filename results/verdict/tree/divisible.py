"""Question 2: can the task be divided into parts that do not need each other?

004: "the criterion is plain: does the wall-clock time speed up more than twofold?", "independent is the premise".
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from results.bridge import BASELINE
from results.comparison.cells import Values
from results.comparison.comparison import Comparison
from results.comparison.contrast import MIN_EFFECT, difference, of, quotient
from results.verdict.tree.commands import SILENCE, ablation, sweep
from results.verdict.tree.exceeds import Side, ruling
from results.verdict.tree.question import Answer, Figure, Outcome, Prediction, Question, Share
from results.verdict.tree.rows import Declared
from results.verdict.tree.siblings import SILENT, siblings

TIMES = 2.0
"""How much more work than critical path, and how much faster."""
EVEN_PERCENT = 95
"""Of the samples have to be explained by equal parts, none after another."""
SUITE = "suite"
"""Whose the declared numbers are."""
ELSE_DAG = f"≥ {EVEN_PERCENT} %, or\nthe leaf is dag"
NAME = "does it divide"
ASKED = f"work ÷ critical path of the declared graph ≥ {TIMES:g}, in the mean over samples"
CAVEAT = (
    "two numbers of a graph cannot tell dependent parts from unequal ones, or from a last step that gathers; a DAG "
    "schedule is right for all of these"
)


def divisible(comparison: Comparison, declared: Declared) -> Question:
    scenario = comparison.scenario
    found = quotient(scenario, declared.work, declared.path)
    if found is None or found.value is None:
        declare = "let the suite declare graph_work and graph_critical_path (docs/write-a-suite.md)"
        why = f"no run of {BASELINE} has both; {declare}, then {sweep(scenario)}"
        if scenario.imported:
            why = "imported rows do not say what a task is made of"
        return Question(2, NAME, ASKED, Answer.NOT_ASKED, why)
    each = _ratios(declared)
    wide, even = (Share(int(some.sum()), len(each), found.clusters) for some in (each >= TIMES, _even(each)))
    yes = found.value >= TIMES * (1 - 1e-12)  # sums of floats
    figures = (
        Figure("work ÷ critical path", replace(found, found=None), f"≥ {TIMES:g}", SUITE),  # declared, not measured
        Figure(f"samples with {TIMES:g} or more times as much work as critical path", wide, who=SUITE),
        Figure("samples with a whole number of times as much, as of equal parts", even, ELSE_DAG, SUITE),
    )
    why = "declared by the suite, a ratio of sums over clusters"
    if yes:
        why += "; equal parts, none after another, explain the numbers" if independent(declared) else f"; {CAVEAT}"
    predictions = (_faster(comparison, declared), _quiet(comparison)) if yes else ()
    return Question(2, NAME, ASKED, Answer.YES if yes else Answer.NO, why, figures, predictions)


def independent(declared: Declared) -> bool:
    """Whether the declared numbers are those of equal parts, none after another: on 95 % of samples the work is a whole
    multiple of the critical path. It is all that the rows tell: they know neither the number of parts nor the largest.
    """
    each = _ratios(declared)
    return bool(len(each)) and 100 * int(_even(each).sum()) >= EVEN_PERCENT * len(each)


def _ratios(declared: Declared) -> Values:
    each = declared.work / declared.path
    return np.asarray(each[~np.isnan(each)], np.float64)


def _even(each: Values) -> npt.NDArray[np.bool_]:
    return np.isclose(each, np.round(each), rtol=1e-9, atol=0.0)


def _faster(comparison: Comparison, declared: Declared) -> Prediction:
    """Whether single's time − 2 × the team's is above 0: the same test as whether the ratio's set lies above 2."""
    scenario, single = comparison.scenario, comparison.single.values["wall_s"]
    says = f"some team is more than {TIMES:g} times as fast as {BASELINE} with parallel tools, under the same limits"
    if not scenario.teams:
        return Prediction(says, Outcome.UNCLEAR, f"no team ran here: {sweep(scenario)}")
    times = {t.label: quotient(scenario, single, t.values["wall_s"]) for t in scenario.teams}
    figures = tuple(
        Figure(f"wall-clock {BASELINE} ÷ team", q, f"> {TIMES:g}", name) for name, q in times.items() if q is not None
    )
    spare = {t.label: difference(scenario, single, TIMES * t.values["wall_s"]) for t in scenario.teams}
    found = ruling(spare, 0.0, 0.0)
    why = found.why.replace("above 0", f"more than {TIMES:g} times as fast")
    if found.side is Side.SOME_ABOVE and declared.together is False:
        why += f"; but {BASELINE} never called two tools at once: it had parallel tools off, or did not use them"
        return Prediction(says, Outcome.UNCLEAR, why, figures)
    return Prediction(says, found.outcome(Side.SOME_ABOVE), f"{why}; {_TOOLS[declared.together]}", figures)


_TOOLS = {
    None: f"no run of {BASELINE} had two tool calls that it could have made at once",
    True: f"{BASELINE} called several tools at once",
    False: f"{BASELINE} called its tools one by one",
}


def _quiet(comparison: Comparison) -> Prediction:
    """Whether a team whose workers may not write to each other is as good."""
    scenario = comparison.scenario
    says = f"without messages between its workers no team loses {MIN_EFFECT:g} of score"
    losses = {
        team.label: of(scenario, "score", team, silent)
        for team in scenario.teams
        for silent in siblings(scenario, team, SILENT)
    }
    if not losses:
        return Prediction(says, Outcome.UNCLEAR, f"no cells with topology.messages=off: {ablation(scenario, SILENCE)}")
    figures = tuple(
        Figure("score lost without messages", loss, f"< {MIN_EFFECT:g}", name)
        for name, loss in losses.items()
        if loss is not None
    )
    found = ruling(losses, MIN_EFFECT, MIN_EFFECT, MIN_EFFECT)
    return Prediction(says, found.outcome(Side.ALL_BELOW), found.why, figures)
