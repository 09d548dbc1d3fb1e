"""Sums that every analysis needs, a row a run and key: small, exact, and made one part at a time.

Tokens and picodollars are added as 64-bit integers. A sum with an unknown in it carries how many (``*_unknown``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from harness.accounting.purposes import CLASS_OF, Purpose
from harness.errors import StoreError
from results.frames import Results, to_pandas
from results.schema import LONG_TEXT, SCHEMAS
from results.sums import sums

JUDGE = Purpose.JUDGE.value
CLASSES = ("work", "coordination", "verification")
_CLASS = {p.value: c for p, c in CLASS_OF.items()}


def class_of(purpose: str) -> str:
    """The class of a purpose as stored; ``unknown`` for a word that is not one."""
    return _CLASS.get(purpose, "unknown")


@dataclass(frozen=True)
class Tally:
    """What the rows of some runs add up to, the judge's calls left out.

    ``runs``: the runs as stored, without long text. ``content``, from the shares: run_id, direction, purpose, reread →
    tokens, pusd, pusd_unknown, rows. ``activity``, from the attempts: run_id, activity → tokens, pusd (fees included),
    pusd_unknown, fee, fee_unknown, rows.
    """

    runs: pd.DataFrame
    content: pd.DataFrame
    activity: pd.DataFrame

    def of(self, run_ids: Sequence[str]) -> Tally:
        """The same, of some runs only."""
        wanted = set(run_ids)
        return Tally(*(f[f["run_id"].isin(wanted)] for f in (self.runs, self.content, self.activity)))


def tally(results: Results) -> Tally:
    """Add up a set of results; memory grows with runs, not with calls. Raises StoreError for a run stored twice."""
    content, activity = [], []
    for shares in results.snapshot.tables(
        "shares", ["run_id", "direction", "purpose", "reread", "tokens", "cost_pusd"]
    ):
        content.append(sums(shares, ["run_id", "direction", "purpose", "reread"], ["tokens"], ["cost_pusd"]))
    columns = ["run_id", "activity", "prompt_tokens", "completion_tokens", "cost_pusd", "fee_pusd"]
    for calls in results.snapshot.tables("calls", columns):
        calls = calls.append_column("tokens", pc.add(calls["prompt_tokens"], calls["completion_tokens"]))
        activity.append(sums(calls, ["run_id", "activity"], ["tokens"], ["cost_pusd", "fee_pusd"]))
    by_content, by_activity = (to_pandas(pa.concat_tables(found)) for found in (content, activity))
    runs = results.frame("runs", [c for c in SCHEMAS["runs"].full.names if c not in LONG_TEXT])
    twice = runs.loc[runs["run_id"].duplicated(), "run_id"]
    if len(twice):
        raise StoreError(
            f"run '{twice.iloc[0]}' is stored more than once ({len(twice)} such rows), so its sums would be wrong. "
            f"Run `python -m results validate` to see in which files."
        )
    return Tally(
        runs,
        by_content[by_content["purpose"] != JUDGE].rename(columns=_short),
        by_activity[by_activity["activity"] != JUDGE].rename(columns=_short),
    )


def _short(column: str) -> str:
    return column.replace("cost_pusd", "pusd").replace("fee_pusd", "fee")
