"""What the tokens and the money were spent on, in both views of the cost model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from results.columns import Columns
from results.tally import CLASSES, Tally, class_of

REASONING_MATTERS = 0.1
"""Share of completion tokens from which what hidden reasoning was about could change the picture."""


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
    unknown), so that content + fees = activity = the bill. ``reasoning``: hidden reasoning tokens by content purpose.
    """

    content: View
    activity: View
    fee_pusd: int | None
    completion_tokens: int
    reasoning: Mapping[str, int]

    @property
    def reasoning_share(self) -> float:
        """Hidden reasoning / completion tokens; 0 when nothing was written."""
        return sum(self.reasoning.values()) / self.completion_tokens if self.completion_tokens else 0.0

    @property
    def coordination_bounds(self) -> tuple[float, float] | None:
        """The coordination share (content, tokens) if all hidden reasoning were work, and if all were coordination;
        None unless it exceeds a tenth of the completion tokens (docs/cost-model.md)."""
        total = sum(self.content.class_tokens(c) for c in CLASSES)
        if self.reasoning_share <= REASONING_MATTERS or not total:
            return None
        coordination = self.content.class_tokens("coordination")
        held = sum(n for purpose, n in self.reasoning.items() if class_of(purpose) == "coordination")
        return (coordination - held) / total, (coordination - held + sum(self.reasoning.values())) / total


def by_purpose(tally: Tally) -> PurposeTable:
    """Add up some runs by purpose. Purposes that nothing was spent on are absent."""
    fees = tally.activity
    unknown = fees.total("fee_unknown") or fees.total("pusd_unknown")
    return PurposeTable(
        _view(tally.content, "purpose", not unknown),  # a call of which nothing is known has no shares to say so
        _view(fees, "activity", not unknown),
        None if unknown else fees.total("fee"),
        tally.content.where(tally.content.texts("direction").equal("completion")).total("tokens"),
        _reasoning(tally.content),
    )


def _reasoning(content: Columns) -> dict[str, int]:
    sums = {purpose: rows.total("reasoning") for (purpose,), rows in content.groups("purpose")}
    return {purpose: n for purpose, n in sums.items() if n}


def _view(rows: Columns, key: str, known: bool) -> View:
    sums = {p: (r.total("tokens"), r.total("pusd")) for (p,), r in rows.groups(key)}
    spent = {p: amounts for p, amounts in sums.items() if any(amounts)}
    return View({p: t for p, (t, _) in spent.items()}, {p: c for p, (_, c) in spent.items()} if known else None)


def _share(spent: Mapping[str, int]) -> float | None:
    total = sum(n for purpose, n in spent.items() if class_of(purpose) in CLASSES)
    part = sum(n for purpose, n in spent.items() if class_of(purpose) == "coordination")
    return part / total if total else None
