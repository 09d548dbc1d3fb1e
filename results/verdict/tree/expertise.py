"""Question 4: does each expert know something that the others do not?

004: "take away any one agent's expert system prompt and see whether quality clearly drops. If nothing changes, your
experts know nothing different".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from results.bridge import BASELINE
from results.comparison.cells import Cell, Scenario, Values
from results.comparison.comparison import Comparison
from results.comparison.contrast import MIN_EFFECT, Difference, of
from results.stats import MIN_CLUSTERS
from results.verdict.tree.between import Between, between
from results.verdict.tree.commands import ABLATE, ablated, ablation
from results.verdict.tree.equal_money import some_team_beats
from results.verdict.tree.exceeds import ROUNDING, exceeding, sure
from results.verdict.tree.question import Answer, Figure, Question
from results.verdict.tree.rows import Rows
from results.verdict.tree.siblings import BRIEF, siblings

UNTAGGED, MIXED = "untagged", "mixed"
"""Tags of samples that need no field, and of those that need several (tasks/specialists/README.md)."""
SUITE = "specialists"
"""The suite that was written for this question."""
NAME = "do experts know different things"
ASKED = (
    f"a brief taken away costs > {MIN_EFFECT:g} more score on samples that need its field than on those that "
    f"need none, and the whole team scores > {MIN_EFFECT:g} more than {BASELINE} with all briefs"
)


@dataclass(frozen=True, slots=True)
class Experts:
    """One team. ``lost``: score lost without a brief, on samples tagged with its role − on untagged ones; ``gained``:
    whole team − ``single``; ``by_role``: score lost on the samples tagged with each role."""

    team: Cell
    lost: Between
    gained: Difference
    by_role: dict[str, float]

    @property
    def p_value(self) -> float | None:
        """For both being above MIN_EFFECT: the greater of the two (intersection-union)."""
        both = [self.lost.p_above(MIN_EFFECT)]
        both.append(None if self.gained.found is None else self.gained.found.p_above(MIN_EFFECT))
        known = [p for p in both if p is not None]
        return max(known) if len(known) == len(both) else None

    @property
    def means(self) -> bool:
        """Whether both are, by the means."""
        return min(self.lost.value, self.gained.value) > MIN_EFFECT + ROUNDING


def expertise(comparison: Comparison, rows: Rows) -> Question:
    scenario = comparison.scenario
    tags = rows.tags(scenario)
    found = [e for e in (_experts(comparison, team, tags) for team in scenario.teams) if e is not None]
    if not found:
        return Question(4, NAME, ASKED, Answer.NOT_ASKED, _not_asked(scenario, tags))
    figures = tuple(f for e in found for f in _figures(e))
    roles = "; ".join(f"{e.team.label}: {_by_role(e)}" for e in found)
    names = [e.team.label for e in found]
    if scenario.simulated:
        yes, how = tuple(e.team.label for e in found if e.means), "by the means"
    else:
        p_values = [e.p_value for e in found]
        if None in p_values:
            few = f"no interval is honest from fewer than {MIN_CLUSTERS} clusters of samples of either kind; {roles}"
            return Question(4, NAME, ASKED, Answer.UNCLEAR, few, figures)
        yes, how = exceeding(names, p_values), sure(len(found))
    if not yes:
        return Question(4, NAME, ASKED, Answer.NO, f"of no team, {how}; {roles}", figures)
    why = f"of {', '.join(yes)}, {how}; {roles}"
    return Question(4, NAME, ASKED, Answer.YES, why, figures, (some_team_beats(comparison, among=yes),))


def _experts(comparison: Comparison, team: Cell, tags: Sequence[frozenset[str]]) -> Experts | None:
    """None where no brief of this team was taken away, or where its samples lack one of both kinds."""
    scenario = comparison.scenario
    ablated = [c for c in siblings(scenario, team, BRIEF) if any(c.ablate in some for some in tags)]
    gained = of(scenario, "score", team, comparison.single)
    if not ablated or gained is None:
        return None
    needing, free = np.full(len(tags), np.nan), np.full((len(ablated), len(tags)), np.nan)
    by_role = {}
    for number, cell in enumerate(ablated):
        lost = team.values["score"] - cell.values["score"]
        mine = np.array([cell.ablate in some and MIXED not in some for some in tags])
        needing = np.where(mine, lost, needing)
        free[number] = np.where([UNTAGGED in some for some in tags], lost, np.nan)
        if not np.isnan(lost[mine]).all():
            by_role[cell.ablate] = float(scenario.by_cluster(np.where(mine, lost, np.nan)).mean())
    found = between(
        scenario.by_cluster(needing).tolist(),
        scenario.by_cluster(_mean(free)).tolist(),
        samples=(int((~np.isnan(needing)).sum()), int((~np.isnan(_mean(free))).sum())),
        simulated=scenario.simulated,
    )
    return None if found is None else Experts(team, found, gained, by_role)


def _mean(free: Values) -> Values:
    """Over the roles that were taken away in turn; NaN where any of it is."""
    return np.asarray(free.mean(axis=0), np.float64)


def _figures(found: Experts) -> tuple[Figure, ...]:
    mark, name = f"> {MIN_EFFECT:g}", found.team.label
    return (
        Figure("score lost without a brief, tagged − untagged", found.lost, mark, name),
        Figure(f"score of the whole team − {BASELINE}", found.gained, mark, name),
    )


def _by_role(found: Experts) -> str:
    return ", ".join(f"without {role} {lost:+.3f} on its samples" for role, lost in sorted(found.by_role.items()))


def _not_asked(scenario: Scenario, tags: Sequence[frozenset[str]]) -> str:
    tagged = any(UNTAGGED in some for some in tags)
    if tags and not tagged and any(siblings(scenario, team, BRIEF) for team in scenario.teams):
        return f"no sample is tagged `{UNTAGGED}`: a suite has to say which samples need no field"
    command = ablation(scenario, ABLATE) if tagged else ablated(SUITE, ABLATE)
    return f"no cells of a team with a brief taken away, on samples whose tags name its role: {command}"
