"""What a gate found, before anything is shown of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from results.gate.baseline import Provenance
from results.gate.metrics import Metric
from results.gate.rows import CellKey
from results.stats import Interval


class Verdict(StrEnum):
    """Of one rule and one cell, or of all together."""

    PASS = "pass"
    FAIL = "regression"
    OPEN = "inconclusive"  # of real rows: too few, or too different from each other, to say
    UNKNOWN = "could not evaluate"


EXIT_CODES = {Verdict.PASS: 0, Verdict.FAIL: 1, Verdict.OPEN: 2, Verdict.UNKNOWN: 2}


@dataclass(frozen=True, slots=True)
class Figures:
    """What a rule read of real rows. ``baseline``, ``candidate``: means over the clusters of samples that both have, in
    the metric's unit; ``worse``: how much the candidate is worse (negative: better), ``interval``: of that, at
    ``level``; ``allowed``: how much it may be; ``skewed``: so long a tail that the interval holds the truth less often
    than its level says (docs/coverage.md)."""

    metric: Metric
    baseline: float
    candidate: float
    worse: float
    allowed: float
    clusters: int
    interval: Interval | None = None
    level: float | None = None
    skewed: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """One rule on one cell. ``cell``: None for a rule that fits no cell. ``says``: why, one sentence; empty for a pass
    of simulated rows. ``figures``: of real rows that could be judged."""

    rule: str
    cell: CellKey | None
    simulated: bool
    verdict: Verdict
    says: str = ""
    figures: Figures | None = None


Value = int | float | str | bool | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One column of one simulated run that is not as before; None: unknown. ``rules``: those whose metric reads it.
    ``parts``: where ``column`` is a table of which the run has many rows, the columns in which these differ; from what
    to what is not kept."""

    cell: CellKey
    sample: str
    epoch: int
    column: str
    before: Value
    after: Value
    rules: tuple[str, ...]
    parts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"sample '{self.sample}' (epoch {self.epoch}): {self.change}"

    @property
    def change(self) -> str:
        """The column, from what to what."""
        return f"{self.column} {self.what}"

    @property
    def what(self) -> str:
        """From what to what."""
        if self.parts:
            return f"with other {', '.join(self.parts)}"
        return f"{_written(self.before)} → {_written(self.after)}"


def _written(value: Value) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool | str):
        return str(value).lower() if isinstance(value, bool) else value or "(empty)"
    return f"{value:,}" if isinstance(value, int) else repr(value)


@dataclass(frozen=True, slots=True)
class Report:
    """``judgements``: in the order of cells and rules. ``differences``: of simulated rows, in the order of cells, runs
    and columns. ``notes``: what a reader must know and no rule judges. ``baseline``, ``candidate``: where they are;
    ``update``: the command that makes the candidate the baseline. ``made``: where the baseline's rows come from, None
    where it could not be read. ``exempt``: columns in which simulated rows were allowed to differ → in how many runs
    they do; empty where no simulated row was judged."""

    baseline: str
    candidate: str
    update: str
    judgements: tuple[Judgement, ...]
    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()
    made: Provenance | None = None
    exempt: Mapping[str, int] = field(default_factory=dict)

    def count(self, *verdicts: Verdict) -> int:
        """How many judgements ended so."""
        return sum(j.verdict in verdicts for j in self.judgements)

    @property
    def verdict(self) -> Verdict:
        """A regression wins over what could not be evaluated; without judgements nothing has passed."""
        for verdict in (Verdict.FAIL, Verdict.UNKNOWN, Verdict.OPEN):
            if self.count(verdict):
                return verdict
        return Verdict.PASS if self.judgements else Verdict.UNKNOWN

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    @property
    def sentence(self) -> str:
        """The verdict with its numbers: all that happened, whichever wins."""
        counts = ", ".join(f"{self.count(v)} {v}" for v in Verdict)
        hidden = sum(self.exempt.values())
        beside = f"; {hidden:,} differences in exempt columns were not judged" if hidden else ""
        return f"{self.verdict} (exit code {self.exit_code}): {len(self.judgements)} judgements, {counts}{beside}"

    @property
    def exemptions(self) -> str:
        """Which columns are exempt and what that hid, one sentence; empty without any."""
        if not self.exempt:
            return ""
        said = ", ".join(f"{column} ({runs:,} runs differ)" for column, runs in self.exempt.items())
        return f"exempt columns of simulated rows, in which no difference is judged: {said}"


def broken(baseline: str, candidate: str, update: str, error: str) -> Report:
    """The report of a gate that could compare nothing at all."""
    judged = Judgement("gate", None, False, Verdict.UNKNOWN, error)
    return Report(baseline, candidate, update, (judged,))


def first(of: Sequence[object], most: int = 3) -> str:
    """The first few, and how many there are besides."""
    more = f" and {len(of) - most:,} more" if len(of) > most else ""
    return "; ".join(map(str, of[:most])) + more
