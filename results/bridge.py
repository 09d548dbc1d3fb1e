"""The bridge: what a team spent beyond ``single`` on the same samples, term by term (docs/cost-model.md).

team − single = coordination + Δ verification + duplicated task text + other Δ work + Δ fees, exactly, in tokens and in
picodollars. Totals come from the calls, terms from their shares, so the identity is a check and not a definition.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from harness.errors import StoreError
from results.columns import Columns
from results.labels import read_params
from results.purposes import by_purpose
from results.tally import UNKNOWN, Tally, class_of
from results.writing import counted

BASELINE = "single"
TERMS = ("coordination", "verification", "duplicated_task", "other_work", "unknown", "fees")
"""In the order of the identity; ``unknown`` (foreign traces only) is zero in our own runs."""


@dataclass(frozen=True, slots=True)
class Terms:
    """One side of the bridge, in tokens or in pUSD. All terms are team minus single."""

    single_total: int
    team_total: int
    coordination: int
    verification: int
    duplicated_task: int  # `task` text first sent to another agent of the run
    other_work: int
    unknown: int
    fees: int  # always 0 in tokens
    resent_work: int  # that part of the work terms which the same agent had been sent before: history

    @property
    def delta(self) -> int:
        return self.team_total - self.single_total

    def percent(self, term: str) -> float | None:
        """A term (or ``delta``) as a percentage of single's total; None when that is zero."""
        value: int = getattr(self, term)
        return 100 * value / self.single_total if self.single_total else None


@dataclass(frozen=True, slots=True)
class Bridge:
    """A team cell against a ``single`` cell of the same experiment, task, model and swept parameters.

    ``pairs``: (sample, epoch) present in both on the same material; ``team_only`` and ``single_only``: left out.
    ``untold``: whether what any of it was spent on is not known (imported rows). ``unmeasured``: attempts of the pairs
    without usage, of either side; their tokens are in no figure. ``pusd`` (as billed) is None when any attempt of a
    pair has no known cost; ``uncached_usd`` is (single, team) as if nothing had been read from or written to a cache,
    None likewise. ``wall_s``: (single, team) summed over the pairs.
    """

    experiment_id: str
    task: str
    simulated: bool
    topology: str
    cell_id: str
    single_cell_id: str
    params: str
    pairs: int
    team_only: int
    single_only: int
    untold: bool
    unmeasured: int
    tokens: Terms
    pusd: Terms | None
    uncached_usd: tuple[float, float] | None
    wall_s: tuple[float, float]

    @property
    def speedup(self) -> float | None:
        """Single's wall-clock / the team's, a ratio of sums over the pairs; None when the team took no time."""
        single, team = self.wall_s
        return single / team if team else None


def bridges(tally: Tally) -> tuple[Bridge, ...]:
    """Every team cell against every ``single`` cell it can be compared with, in order of topology and cell."""
    return tuple(_bridges(tally))


def _bridges(tally: Tally) -> Iterator[Bridge]:
    runs = tally.runs.having(setting=tally.runs.texts("params").renamed(setting))
    for _, group in runs.groups("experiment_id", "task", "model", "simulated", "setting"):
        cells = list(group.groups("topology", "family", "cell_id"))
        singles = [cell for (topology, _, _), cell in cells if topology == BASELINE]
        for (_, family, _), team in cells:
            if family == "team":
                for single in singles:
                    found = _bridge(tally, team, single)
                    if found is not None:
                        yield found


def setting(params: str) -> str:
    """What a cell was set to apart from its topology and its task, which rows have columns for: JSON, sorted keys."""
    chosen = read_params(params)
    rest = {k: v for k, v in chosen.items() if k not in ("topology", "task") and not k.startswith("topology.")}
    return json.dumps(rest, sort_keys=True, ensure_ascii=False)


def _bridge(tally: Tally, team: Columns, single: Columns) -> Bridge | None:
    of_team, of_single = by_pair(team), by_pair(single)
    both = of_team.keys() & of_single.keys()
    if not both:
        return None
    first = {name: team.texts(name).tolist()[0] for name in ("experiment_id", "task", "topology", "cell_id", "setting")}
    name = f"{first['topology']} ({first['cell_id']})"
    teams, singles = tally.of(of_team[p] for p in both), tally.of(of_single[p] for p in both)
    return Bridge(
        experiment_id=first["experiment_id"],
        task=first["task"],
        simulated=bool(team.numbers("simulated")[0]),
        topology=first["topology"],
        cell_id=first["cell_id"],
        single_cell_id=single.texts("cell_id").tolist()[0],
        params=first["setting"],
        pairs=len(both),
        team_only=len(team) - len(both),
        single_only=len(single) - len(both),
        untold=any(UNKNOWN in side.activity.texts("activity").tolist() for side in (teams, singles)),
        unmeasured=teams.activity.total("unmeasured") + singles.activity.total("unmeasured"),
        tokens=_terms(name, _side(teams, "tokens", 0), _side(singles, "tokens", 0)),
        pusd=_usd(name, teams, singles),
        uncached_usd=_known_pair(singles, teams, "cost_uncached_usd") if _all_known(singles, teams) else None,
        wall_s=_known_pair(singles, teams, "wall_s") or (0.0, 0.0),
    )


def _all_known(*sides: Tally) -> bool:
    """Whether the cost of every attempt is known; what is as if uncached is otherwise a sum of a part."""
    return all(side.runs.numbers("cost_complete").all() for side in sides)


def _known_pair(singles: Tally, teams: Tally, column: str) -> tuple[float, float] | None:
    """(single, team): a column of floats summed over the pairs; None when any of it is unknown."""
    single, team = (math.fsum(side.runs.numbers(column).tolist()) for side in (singles, teams))
    return None if math.isnan(single) or math.isnan(team) else (single, team)


def by_pair(cell: Columns) -> dict[tuple[str, int, str], str]:
    """(sample, epoch, material) → run id. Raises StoreError when a cell holds one twice."""
    pairs = list(
        zip(
            cell.texts("sample_id").tolist(),
            cell.numbers("epoch").tolist(),
            cell.texts("material_hash").tolist(),
            strict=True,
        )
    )
    found = dict(zip(pairs, cell.texts("run_id").tolist(), strict=True))
    if len(found) < len(pairs):
        (sample, _, _), _ = Counter(pairs).most_common(1)[0]
        raise StoreError(
            f"cell '{cell.texts('cell_id').tolist()[0]}' holds sample '{sample}' more than once in the same epoch "
            f"({counted(len(pairs) - len(found), 'such run')}), so there are no pairs. "
            f"Run `python -m results validate`."
        )
    return found


def _usd(name: str, teams: Tally, singles: Tally) -> Terms | None:
    fees = by_purpose(teams).fee_pusd, by_purpose(singles).fee_pusd
    if fees[0] is None or fees[1] is None:
        return None
    return _terms(name, _side(teams, "pusd", fees[0]), _side(singles, "pusd", fees[1]))


@dataclass(frozen=True, slots=True)
class _Side:
    total: int
    by_class: dict[str, int]
    duplicated: int
    resent: int
    fees: int


def _side(tally: Tally, column: str, fees: int) -> _Side:
    content = tally.content
    classes = content.having(kind=content.texts("purpose").renamed(class_of))
    prompt, reread = content.texts("direction").equal("prompt"), content.texts("reread")
    work = classes.texts("kind").equal("work")
    return _Side(
        total=tally.activity.total(column),
        by_class={kind: rows.total(column) for (kind,), rows in classes.groups("kind")},
        duplicated=content.where(prompt & content.texts("purpose").equal("task") & reread.equal("cross")).total(column),
        resent=content.where(prompt & work & reread.equal("self")).total(column),
        fees=fees,
    )


def _terms(name: str, team: _Side, single: _Side) -> Terms:
    change = {
        c: team.by_class.get(c, 0) - single.by_class.get(c, 0)
        for c in ("work", "coordination", "verification", "unknown")
    }
    duplicated = team.duplicated - single.duplicated
    terms = Terms(
        single_total=single.total,
        team_total=team.total,
        coordination=change["coordination"],
        verification=change["verification"],
        duplicated_task=duplicated,
        other_work=change["work"] - duplicated,
        unknown=change["unknown"],
        fees=team.fees - single.fees,
        resent_work=team.resent - single.resent,
    )
    explained = sum(int(getattr(terms, term)) for term in TERMS)
    if explained != terms.delta:
        raise StoreError(
            f"the bridge of {name} does not close: the calls differ by {terms.delta:,} from single's, their shares "
            f"explain {explained:,}. Run `python -m results validate` to find the rows."
        )
    return terms
