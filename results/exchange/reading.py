"""A row of a foreign file as what it says of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from results.exchange.column_map import ColumnMap
from results.exchange.files import Foreign, Row
from results.exchange.tokens import Paid, Used, by_model, priced, split
from results.exchange.values import amount, score, structure, truth, whole
from results.words import FAMILIES, GRADED, STATUSES

PASSES = 1.0
"""The threshold where nobody names one."""


@dataclass(frozen=True, slots=True)
class Told:
    """One run. ``epoch``: as written. ``family``: empty where no column has it. None: not known."""

    row: Row
    experiment: str
    agent: str
    task: str
    sample: str
    epoch: str
    score: float
    threshold: float
    status: str
    error: str | None
    used: Used | None
    paid: Paid | None
    uncached_usd: float | None
    seconds: float | None
    cluster: str
    model: str
    family: str
    material: str
    params: Mapping[str, Any] | None
    ablate: str | None
    simulated: bool

    @property
    def passed(self) -> bool:
        return self.status in GRADED and self.score >= self.threshold


def told(file: Foreign, chosen: ColumnMap, stem: str) -> list[Told]:
    """The runs of a file. ``stem``: what task and experiment are called where nothing else names them.

    Raises CorpusError for the first value that cannot be used, or a column that the file does not have.
    """
    columns = {name: file.column(spec) for name, spec in chosen.columns.items()}
    if "simulated" in file.columns:  # rows of a simulation never turn into evidence by being passed on
        columns.setdefault("simulated", ("simulated",))
    return [_Reader(row, chosen, columns, stem).told() for row in file.rows]


class _Reader:
    """One row, and where its fields stand."""

    def __init__(self, row: Row, chosen: ColumnMap, columns: Mapping[str, tuple[str, ...]], stem: str) -> None:
        self._row = row
        self._map = chosen
        self._columns = columns
        self._stem = stem

    def told(self) -> Told:
        agent, status = self._name("agent"), self._status()
        task = self._named("task", self._map.task or self._stem)
        sample = self._named("sample", task)
        gained, threshold = self._score(status), self._threshold()
        partial = self._map.unknown.get(agent, ())
        used = None if "tokens" in partial else self._used()
        paid = None if "usd" in partial else self._paid(used)
        made = Told(
            row=self._row,
            experiment=self._named("experiment", self._map.experiment or self._stem),
            agent=agent,
            task=task,
            sample=sample,
            epoch=self._text("epoch"),
            score=gained,
            threshold=threshold,
            status=status,
            error=self._text("error") or None,
            used=used,
            paid=paid,
            uncached_usd=self._uncached(paid),
            seconds=None if "seconds" in partial else self._seconds(),
            cluster=self._named("cluster", sample),
            model=self._text("model"),
            family=self._family(),
            material=self._text("material"),
            params=self._params(),
            ablate=self._text("ablate") or None,
            simulated=self._truth("simulated") is True,
        )
        self._agrees(made)
        return made

    def _text(self, field: str) -> str:
        """What stands there; empty where there is no column, or nothing in it."""
        parts = [self._row.cells[c] for c in self._columns.get(field, ())]
        return self._map.join.join(parts) if any(parts) else ""

    def _at(self, field: str) -> str:
        """The name of its column, for errors."""
        return "+".join(self._columns[field])

    def _name(self, field: str) -> str:
        text = self._text(field)
        if not text:
            raise self._row.wrong(self._at(field), f"no value; every row needs its {field}.")
        return text

    def _named(self, field: str, otherwise: str) -> str:
        return self._name(field) if field in self._columns else otherwise

    def _truth(self, field: str) -> bool | None:
        text = self._text(field)
        return truth(self._row, self._at(field), text) if text else None

    def _status(self) -> str:
        text = self._text("status")
        if not text:
            return "error" if self._text("error") else "ok"
        ours = self._map.statuses.get(text, text.lower())
        if ours not in STATUSES:
            choices = ", ".join(sorted(STATUSES))
            hint = f"A YAML map tells what other words mean, as statuses: {{{text:.20}: ok}}."
            raise self._row.wrong(self._at("status"), f"unknown status '{text:.80}'. Valid choices: {choices}. {hint}")
        return ours

    def _score(self, status: str) -> float:
        field = "score" if "score" in self._columns else "passed"
        text = self._text(field)
        if text and field == "passed":
            return float(truth(self._row, self._at(field), text))
        if text:
            return score(self._row, self._at(field), text, self._map.percent)
        if status in GRADED:
            raise self._row.wrong(self._at(field), "no score. A run that failed needs a status, failed or error.")
        return 0.0

    def _threshold(self) -> float:
        text = self._text("threshold")
        if not text:
            return PASSES if self._map.threshold is None else self._map.threshold
        return score(self._row, self._at("threshold"), text, self._map.percent)

    def _agrees(self, made: Told) -> None:
        """Whether it passed, as the row says, is what its score and the threshold say."""
        says = self._truth("passed")
        if says is None or made.status not in GRADED or says == made.passed:
            return
        raise self._row.wrong(
            self._at("passed"),
            f"says {str(says).lower()}, but the score is {made.score:g} and {made.threshold:g} is needed to pass. Give "
            f"the threshold by --threshold or a column, or map only one of score and passed.",
        )

    def _used(self) -> Used | None:
        """None where a count is missing, or where 0 tokens are no measurement."""
        told = self._text("without_usage")
        if told and whole(self._row, self._at("without_usage"), told):
            return None
        used = self._counts()
        if used is not None and not used.prompt + used.completion and self._map.zero_tokens == "unknown":
            return None
        return used

    def _counts(self) -> Used | None:
        fields = ("prompt_tokens", "completion_tokens", "tokens")
        read, written, both = (whole(self._row, self._at(f), text) if (text := self._text(f)) else None for f in fields)
        text = self._text("tokens_by_model")
        parts = by_model(self._row, self._at("tokens_by_model"), text) if text else ()
        if parts:
            sums = sum(p for _, p, _ in parts), sum(c for _, _, c in parts)
            if (read, written) not in ((None, None), sums):
                raise self._row.wrong(
                    self._at("tokens_by_model"), f"{sums[0]}/{sums[1]} tokens by model, but {read}/{written} in all."
                )
            read, written = sums
        if read is None or written is None:
            known = read is None and written is None and both is not None
            return Used(both or 0, 0, together=True) if known else None
        if both is not None and both != read + written:
            raise self._row.wrong(self._at("tokens"), f"{both} tokens, but {read} read and {written} written.")
        return Used(read, written, parts)

    def _paid(self, used: Used | None) -> Paid | None:
        if self._truth("usd_complete") is False:
            return None
        exact, text = self._text("pusd"), self._text("usd")
        if exact:
            return split(whole(self._row, self._at("pusd"), exact, "pUSD"), used)
        if text:
            return split(round(amount(self._row, self._at("usd"), text, "USD") * 10**12), used)
        if self._map.prices and used is not None:
            field = next(f for f in ("tokens_by_model", "model", "prompt_tokens", "tokens") if f in self._columns)
            return priced(self._row, self._at(field), used, self._text("model"), self._map.prices)
        return None

    def _uncached(self, paid: Paid | None) -> float | None:
        """As billed where no column says otherwise."""
        if paid is None:
            return None
        text = self._text("usd_uncached")
        if "usd_uncached" in self._columns:
            return float(amount(self._row, self._at("usd_uncached"), text, "USD")) if text else None
        return paid.pusd / 10**12

    def _seconds(self) -> float | None:
        text = self._text("seconds")
        return float(amount(self._row, self._at("seconds"), text, "seconds")) if text else None

    def _family(self) -> str:
        text = self._text("family").lower()
        if text and text not in FAMILIES:
            raise self._row.wrong(self._at("family"), f"'{text:.80}' is neither single nor team.")
        return text

    def _params(self) -> Mapping[str, Any] | None:
        text = self._text("params")
        return structure(self._row, self._at("params"), text) if text else None
