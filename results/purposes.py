"""What the tokens and the money were spent on, in both views of the cost model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from results.tally import CLASSES, Tally, class_of


@dataclass(frozen=True, slots=True)
class View:
    """Spending by purpose in one view. ``pusd``: picodollars; None when any of it is unknown."""

    tokens: Mapping[str, int]
    pusd: Mapping[str, int] | None

    def class_tokens(self, name: str) -> int:
        """Tokens of one class: work, coordination or verification."""
        return sum(n for purpose, n in self.tokens.items() if class_of(purpose) == name)

    @property
    def coordination_share(self) -> float | None:
        """Coordination / (work + coordination + verification), in tokens; None when there are none."""
        return _share(self.tokens)

    @property
    def coordination_share_usd(self) -> float | None:
        """The same in USD; None when nothing was spent or something is unknown."""
        return None if self.pusd is None else _share(self.pusd)


@dataclass(frozen=True, slots=True)
class PurposeTable:
    """Both views of the same runs, judge left out.

    ``content``: each token has the purpose of its part. ``activity``: each call, prompt and fees included, counts as
    the purpose that holds most of its completion. ``fee_pusd``: what has no purpose in the content view (None:
    unknown), so that content + fees = activity = the bill.
    """

    content: View
    activity: View
    fee_pusd: int | None


def by_purpose(tally: Tally) -> PurposeTable:
    """Add up some runs by purpose. Purposes that nothing was spent on are absent."""
    fees = tally.activity
    unknown = int(fees["fee_unknown"].sum()) or int(fees["pusd_unknown"].sum())
    return PurposeTable(
        _view(tally.content, "purpose"),
        _view(tally.activity, "activity"),
        None if unknown else int(fees["fee"].sum()),
    )


def _view(frame: pd.DataFrame, key: str) -> View:
    sums = frame.groupby(key)[["tokens", "pusd", "pusd_unknown"]].sum()
    spent = sums[(sums["tokens"] != 0) | (sums["pusd"] != 0)]
    known = not int(sums["pusd_unknown"].sum())
    return View(
        {str(p): int(n) for p, n in spent["tokens"].items()},
        {str(p): int(n) for p, n in spent["pusd"].items()} if known else None,
    )


def _share(spent: Mapping[str, int]) -> float | None:
    total = sum(n for purpose, n in spent.items() if class_of(purpose) in CLASSES)
    part = sum(n for purpose, n in spent.items() if class_of(purpose) == "coordination")
    return part / total if total else None
