"""Sums that every analysis needs, a row a run and key: small, exact, and made one part at a time.

Tokens and picodollars are added as 64-bit integers. A sum with an unknown in it carries how many (``*_unknown``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from harness.accounting.purposes import CLASS_OF, Purpose
from harness.errors import StoreError
from results.columns import Columns, Numbers
from results.frames import Results
from results.schema import LONG_TEXT, PARTITION_KEYS, SCHEMAS
from results.writing import counted

JUDGE = Purpose.JUDGE.value
RULE = "suite"
"""The grader that is the suite's own rule."""
CLASSES = ("work", "coordination", "verification")
UNKNOWN = Purpose.UNKNOWN.value
"""The purpose of all that an imported run was spent on, and its class."""
_KEPT = [
    c.name for c in SCHEMAS["runs"].columns if c.name not in LONG_TEXT and not (c.kind is str and c.nullable)
] + list(PARTITION_KEYS)
_TRIED = ["run_id", "delegation_id", "try", "status", "tokens", "copied_tokens", "card_tokens"]
_CLASS = {p.value: c for p, c in CLASS_OF.items()}


def class_of(purpose: str) -> str:
    """The class of a purpose as stored; ``unknown`` for a word that is not one."""
    return _CLASS.get(purpose, UNKNOWN)


@dataclass(frozen=True)
class Tally:
    """What the rows of some runs add up to, the judge's calls left out.

    ``runs``: the runs as stored, without long text and text that may be unknown. ``content``, from the shares: run_id,
    direction, purpose, reread → tokens, reasoning, pusd, pusd_unknown. ``activity``, from the attempts: run_id,
    activity → tokens, pusd (fees included), pusd_unknown, fee, fee_unknown, busy_us (microseconds in calls that
    somebody waited for), late (tokens of the others), unmeasured (attempts without usage). ``tries``, from the
    delegations: run_id, status → tries, ended (subtasks whose last try this is), card (tokens of their cards), tokens,
    copied.
    """

    runs: Columns
    content: Columns
    activity: Columns
    tries: Columns

    @property
    def unmeasured(self) -> frozenset[str]:
        """Runs of which some attempt has no usage, so that nobody knows their tokens."""
        return frozenset(self.activity.where(self.activity.numbers("unmeasured") > 0).texts("run_id").tolist())

    def of(self, run_ids: Iterable[str]) -> Tally:
        """The same, of some runs only."""
        wanted = frozenset(run_ids)
        tables = (self.runs, self.content, self.activity, self.tries)
        return Tally(*(c.where(c.texts("run_id").among(wanted)) for c in tables))


def tallied(results: Results) -> Tally:
    """Add up a set of results; memory grows with runs, not with calls. Raises StoreError for a run stored twice."""
    content, activity = [], []
    columns = ["run_id", "direction", "purpose", "reread", "tokens", "reasoning_tokens", "cost_pusd"]
    adding = ["tokens", "reasoning", "pusd", "pusd_unknown"]
    for table in results.snapshot.tables("shares", columns):
        shares = Columns.of(table)
        shares = shares.having(
            reasoning=shares.numbers("reasoning_tokens"),
            pusd=shares.numbers("cost_pusd"),
            pusd_unknown=shares.numbers("cost_pusd_unknown"),
        )
        content.append(shares.sums(["run_id", "direction", "purpose", "reread"], adding))
    columns = ["run_id", "activity", "prompt_tokens", "completion_tokens", "cost_pusd", "fee_pusd"]
    columns += ["started_s", "ended_s", "late", "usage_status"]
    adding = ["tokens", "pusd", "pusd_unknown", "fee", "fee_unknown", "busy_us", "late", "unmeasured"]
    for table in results.snapshot.tables("calls", columns):
        calls = Columns.of(table)
        calls = calls.having(
            tokens=calls.numbers("prompt_tokens") + calls.numbers("completion_tokens"),
            pusd=calls.numbers("cost_pusd"),
            pusd_unknown=calls.numbers("cost_pusd_unknown"),
            fee=calls.numbers("fee_pusd"),
            fee_unknown=calls.numbers("fee_pusd_unknown"),
            busy_us=_busy_us(calls),
            late=(calls.numbers("prompt_tokens") + calls.numbers("completion_tokens")) * calls.numbers("late"),
            unmeasured=calls.texts("usage_status").equal("missing").astype("int64"),
        )
        activity.append(calls.sums(["run_id", "activity"], adding))
    tries = [_tries(Columns.of(table)) for table in results.snapshot.tables("delegations", _TRIED)]
    runs = Columns.of(results.table("runs", _KEPT))
    ids = runs.texts("run_id").tolist()
    if len(set(ids)) < len(ids):
        twice = Counter(ids)
        raise StoreError(
            f"run '{twice.most_common(1)[0][0]}' is stored more than once "
            f"({counted(len(ids) - len(twice), 'such row')}), so its sums would be wrong. "
            f"Run `python -m results validate` to see in which files."
        )
    by_content, by_activity = Columns.joined(content), Columns.joined(activity)
    return Tally(
        runs,
        by_content.where(~by_content.texts("purpose").equal(JUDGE)),
        by_activity.where(~by_activity.texts("activity").equal(JUDGE)),
        Columns.joined(tries),
    )


def _busy_us(calls: Columns) -> Numbers:
    """0 where the times of a call are not known (imported rows, whose wall-clock tells nothing of their calls)."""
    taken = np.nan_to_num(calls.numbers("ended_s") - calls.numbers("started_s"))
    busy: Numbers = (taken * 1e6).round().astype("int64") * (1 - calls.numbers("late"))
    return busy


def _tries(rows: Columns) -> Columns:
    ended = rows.last(["run_id", "delegation_id"], "try")
    counted = rows.having(
        tries=ended.astype("int64") | 1,
        ended=ended.astype("int64"),
        card=rows.numbers("card_tokens") * ended,
        copied=rows.numbers("copied_tokens"),
    )
    return counted.sums(["run_id", "status"], ["tries", "ended", "card", "tokens", "copied"])
