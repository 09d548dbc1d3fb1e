"""Which choice is best at which size, by each criterion, and where that changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

from results.bridge import BASELINE
from results.crossover.fits import Fit
from results.crossover.measured import Measured, Values, average, figure
from results.crossover.pieces import SAME, Pieces, best, constant, highest
from results.crossover.sweep import Sweep
from results.crossover.tables import Choice, Crossing, Stretch, Verdict, Winner

CARRIED = 4.0
"""Crossings are looked for up to so many times the largest size, and down to the smallest by as much; a convention."""
Gains: TypeAlias = Mapping[str, Mapping[float, tuple[float, ...] | None]]


@dataclass(frozen=True, slots=True)
class Criterion:
    """What is best: the largest sum of measures, each times its weight."""

    name: str
    weights: Mapping[str, float]

    def gains(self, values: Values) -> tuple[float, ...] | None:
        """One number a cluster, the larger the better; None where a measure is unknown."""
        columns = []
        for measure, weight in self.weights.items():
            known = values[measure]
            if known is None:
                return None
            columns.append([weight * v for v in known])
        return tuple(math.fsum(row) for row in zip(*columns, strict=True))

    def fits(self, choice: Choice) -> list[tuple[float, Fit]] | None:
        """Weights and curves; None where a measure has none."""
        found = [(weight, choice.fits[measure]) for measure, weight in self.weights.items()]
        known = [(weight, fit) for weight, fit in found if fit is not None]
        return known if len(known) == len(found) else None


def criteria(score_usd: float | None, hour_usd: float) -> tuple[Criterion, ...]:
    """Without a price of a score: costs and score, each for itself. With one: the net return of a sample in USD."""
    if score_usd is None:
        return (
            *(Criterion(cost, {cost: -1.0}) for cost in ("usd", "uncached", "tokens")),
            Criterion("score", {"score": 1.0}),
        )
    worth = {"score": score_usd, **({"hours": -hour_usd} if hour_usd else {})}
    return Criterion("net", {**worth, "usd": -1.0}), Criterion("net uncached", {**worth, "uncached": -1.0})


def verdict(sweep: Sweep, choices: Sequence[Measured], criterion: Criterion) -> Verdict:
    """By one criterion. Choices without a curve for it are in ``winners`` only."""
    curves = [_Curve(m.choice, fits) for m in choices if (fits := criterion.fits(m.choice)) is not None]
    gains = {m.choice.label: {size: criterion.gains(values) for size, values in m.values.items()} for m in choices}
    winners = tuple(_winners(sweep, gains, scores=criterion.name == "score"))
    finder = _Finder(sweep.sizes, gains)
    single = next((curve for curve in curves if curve.choice.topology == BASELINE), None)
    others = [] if single is None else [curve for curve in curves if curve is not single]
    return Verdict(
        criterion=criterion.name,
        judged=tuple(curve.choice.label for curve in curves),
        winners=winners,
        stretches=tuple(_stretches(curves, _limits(curves, sweep.sizes[0], sweep.sizes[-1]))),
        crossings=finder.crossings(curves),
        against_single=tuple(c for curve in others if single is not None for c in finder.crossings([single, curve])),
        searched=finder.searched(curves),
        disputed=tuple(_disputed(curves, winners)),
        error=MappingProxyType({c.choice.label: e for c in curves if (e := c.error()) is not None}),
    )


def _winners(sweep: Sweep, gains: Gains, *, scores: bool) -> Iterator[Winner]:
    for size in sweep.sizes:
        known = {label: own for label, by_size in gains.items() if (own := by_size.get(size)) is not None}
        if not known:
            continue
        first, *rest = _ranked({label: average(own) for label, own in known.items()})
        if not rest:
            yield Winner(size, first, None, None)
            continue
        margins = [mine - its for mine, its in zip(known[first], known[rest[0]], strict=True)]
        yield Winner(size, first, rest[0], figure(margins, sweep.simulated, scores=scores))


def _disputed(curves: Sequence[_Curve], winners: Sequence[Winner]) -> Iterator[float]:
    """Only where the curves judge the same choices as the means."""
    for winner in winners:
        there = [c for c in curves if c.choice.at(winner.size) is not None]
        if len(there) > 1 and winner.choice in {c.choice.label for c in there}:
            found = highest([c.curve(winner.size) for c in there])
            if there[found].choice.label != winner.choice:
                yield winner.size


def _ranked(means: Mapping[str, float]) -> list[str]:
    """The best first; of equals the earlier."""
    left, ranked = dict(means), []
    while left:
        labels = list(left)
        ranked.append(labels[highest([left[label] for label in labels])])
        del left[ranked[-1]]
    return ranked


@dataclass(frozen=True)
class _Curve:
    """What a choice is worth by a criterion, over the size."""

    choice: Choice
    fits: Sequence[tuple[float, Fit]]

    @cached_property
    def curve(self) -> Pieces:
        return self._sum(lambda fit: fit.curve)

    def without(self, size: float) -> Pieces:
        """The same, fitted without one size."""
        return self._sum(lambda fit: fit.without.get(size, fit.curve))

    def _sum(self, chosen: Callable[[Fit], Pieces]) -> Pieces:
        whole = constant(0.0)
        for weight, fit in self.fits:
            whole = whole.plus(chosen(fit).times(weight))
        return whole

    @property
    def reach(self) -> tuple[float, float]:
        return max(fit.reach[0] for _, fit in self.fits), min(fit.reach[1] for _, fit in self.fits)

    @property
    def extends(self) -> bool:
        return all(fit.extends for _, fit in self.fits)

    def error(self) -> float | None:
        """Mean absolute error at sizes left out, where several measures are added up."""
        if len(self.fits) < 2 or self.choice.fixed:
            return None
        off: dict[float, list[float]] = {}
        for weight, fit in self.fits:
            for f in fit.left_out:
                off.setdefault(f.size, []).append(weight * (f.foretold - f.measured))
        whole = [abs(math.fsum(parts)) for parts in off.values() if len(parts) == len(self.fits)]
        return average(whole) if whole else None


def _limits(curves: Sequence[_Curve], low: float, high: float) -> tuple[float, float] | None:
    """The part of a range at which all curves hold; None with fewer than two curves, or where there is none."""
    ends = [curve.reach for curve in curves if not curve.extends]
    low, high = max([low, *(end[0] for end in ends)]), min([high, *(end[1] for end in ends)])
    return (low, high) if len(curves) > 1 and low < high else None


def _stretches(curves: Sequence[_Curve], limits: tuple[float, float] | None) -> list[Stretch]:
    if limits is None:
        return []
    found = best([curve.curve for curve in curves], *limits)
    return [Stretch(low, high, curves[number].choice.label) for low, high, number in found]


@dataclass(frozen=True, slots=True)
class _Finder:
    """``sizes``: all that were measured; ``gains``: choice → size → one number a cluster."""

    sizes: Sequence[float]
    gains: Gains

    def searched(self, curves: Sequence[_Curve]) -> tuple[float, float] | None:
        """From where to where curves can be compared at all."""
        low, high = self.sizes[0], self.sizes[-1]
        counts = low >= 1 and all(float(size).is_integer() for size in self.sizes)
        below = max(1.0, low / CARRIED) if counts else low / CARRIED
        return _limits(curves, below if low > 0 else low, high * CARRIED if high > 0 else high)

    def crossings(self, curves: Sequence[_Curve]) -> tuple[Crossing, ...]:
        """Where the best of these changes."""
        by_label = {curve.choice.label: curve for curve in curves}
        found = _stretches(curves, self.searched(curves))
        return tuple(
            self._crossing(after.low, by_label[before.choice], by_label[after.choice])
            for before, after in pairwise(found)
        )

    def _crossing(self, size: float, below: _Curve, above: _Curve) -> Crossing:
        labels = below.choice.label, above.choice.label
        start, end = max(below.reach[0], above.reach[0]), min(below.reach[1], above.reach[1])
        moved, of = self._moved(size, below, above)
        return Crossing(
            size=size,
            below=labels[0],
            above=labels[1],
            extrapolated=not start <= size <= end,
            between=self._between(size, *labels),
            low=min(moved, default=None),
            high=max(moved, default=None),
            held=len(moved),
            of=of,
        )

    def _moved(self, size: float, below: _Curve, above: _Curve) -> tuple[list[float], int]:
        """Where it lies without each size that a curve was fitted to, and how many such sizes there are."""
        limits = self.searched([below, above])
        fitted = sorted({s for curve in (below, above) for _, fit in curve.fits for s in fit.without})
        moved = []
        for left_out in fitted:
            pair = [below.without(left_out), above.without(left_out)]
            parts = [] if limits is None else best(pair, *limits)
            there = [after[0] for before, after in pairwise(parts) if (before[2], after[2]) == (0, 1)]
            if there:
                moved.append(min(there, key=lambda found: abs(found - size)))
        return moved, len(fitted)

    def _between(self, size: float, below: str, above: str) -> tuple[float, float] | None:
        """The neighbouring measured sizes, nearest to this one, between which the means change places."""
        signs = []
        for at in self.sizes:
            low, high = self.gains[below].get(at), self.gains[above].get(at)
            if low is not None and high is not None:
                before, after = average(low), average(high)
                if abs(after - before) > SAME * max(abs(before), abs(after)):
                    signs.append((at, after > before))
        turns = [(one, other) for (one, was), (other, now) in pairwise(signs) if now and not was]
        return min(turns, key=lambda turn: max(turn[0] - size, size - turn[1], 0.0), default=None)
