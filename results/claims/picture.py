"""The rows of one experiment by cell, as the measures of claims read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from harness.accounting.purposes import CLASS_OF
from harness.errors import StoreError
from results.frames import Results

_CLASS = {purpose.value: kind for purpose, kind in CLASS_OF.items()}
JUDGE = "judge"


@dataclass(frozen=True)
class CellRows:
    """One cell: its runs, their calls, and their shares with agent, role and depth of the call (judge left out)."""

    runs: pd.DataFrame
    calls: pd.DataFrame
    shares: pd.DataFrame

    @property
    def count(self) -> int:
        return len(self.runs)

    @property
    def samples(self) -> frozenset[tuple[str, str]]:
        """(sample, material) of its runs."""
        return frozenset(zip(self.runs["sample_id"], self.runs["material_hash"], strict=True))

    @property
    def tokens(self) -> int:
        return int(self.shares["tokens"].sum())

    def by(self, key: str) -> dict[str, int]:
        """Tokens by ``role``, ``activity``, ``purpose`` or ``kind`` (the purpose's class), largest first."""
        sums = self.shares.groupby(key)["tokens"].sum().sort_values(ascending=False, kind="stable")
        return {str(k): int(v) for k, v in sums.items()}

    def usd(self, key: str) -> dict[str, float]:
        """USD a run by ``role``, ``activity``, ``purpose`` or ``kind``, as billed; what is not priced is left out."""
        sums = self.shares.groupby(key)["cost_pusd"].sum() / 10**12 / self.count
        return {str(k): float(v) for k, v in sums.items()}

    def of(self, *purposes: str) -> int:
        """Tokens of these purposes, content view."""
        return int(self.shares.loc[self.shares["purpose"].isin(purposes), "tokens"].sum())


def newest(results: Results) -> str:
    """The experiment of claims that was opened last. Raises StoreError if there is none."""
    for manifest in reversed(results.manifests):
        cells = manifest.get("cells") or [{}]
        if cells[0].get("config", {}).get("report") == "claims":
            return str(manifest["experiment_id"])
    raise StoreError("no experiment of claims is stored here: run `python -m harness +experiment=claims` first.")


class Picture:
    """Raises StoreError for rows of more than one experiment."""

    def __init__(self, results: Results) -> None:
        if len(results.experiment_ids) != 1:
            raise StoreError(
                f"claims are read from one experiment, and there are {len(results.experiment_ids)}: name one with "
                "--experiment ID."
            )
        (self.experiment_id,) = results.experiment_ids
        calls = results.frame("calls")
        calls = calls[calls["activity"] != JUDGE]
        shares = results.frame("shares")
        key = ["run_id", "operation_id", "attempt"]
        shares = shares[shares["purpose"] != JUDGE].merge(calls[[*key, "agent", "role", "depth", "activity"]], on=key)
        shares["kind"] = shares["purpose"].map(_CLASS)
        self._calls, self._shares, self._runs = calls, shares, results.frame("runs")
        self._cells = {
            str(cell): json.loads(params)
            for cell, params in self._runs[["cell_id", "params"]].drop_duplicates().itertuples(index=False)
        }

    @property
    def simulated(self) -> bool:
        return bool(self._runs["simulated"].any())

    def find(self, params: Mapping[str, Any]) -> CellRows | None:
        """The cell that differs from the experiment's common settings in just these; None if there is none."""
        wanted = dict(params)
        found = [cell for cell, own in self._cells.items() if own == wanted]
        if not found:
            return None
        runs = self._runs[self._runs["cell_id"] == found[0]]
        ids = set(runs["run_id"])
        return CellRows(
            runs, self._calls[self._calls["run_id"].isin(ids)], self._shares[self._shares["run_id"].isin(ids)]
        )
