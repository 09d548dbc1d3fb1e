"""What became of delegated subtasks, and what they cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from results.tally import Tally


@dataclass(frozen=True, slots=True)
class Delegations:
    """The subtasks of some runs. ``ended``: status of a subtask's last try → subtasks, which they sum up to.

    ``tokens``: of the workers' calls; ``copied_tokens``: in results, copied from the material; both over all tries.
    ``card_tokens``: mean over the subtasks of their context cards, None without a subtask.
    """

    subtasks: int
    tries: int
    ended: Mapping[str, int]
    tokens: int
    copied_tokens: int
    card_tokens: float | None


def delegated(tally: Tally) -> Delegations:
    """Add up the delegations of some runs."""
    tries = tally.tries
    ended = {status: rows.total("ended") for (status,), rows in tries.groups("status")}
    subtasks = tries.total("ended")
    return Delegations(
        subtasks=subtasks,
        tries=tries.total("tries"),
        ended={status: n for status, n in ended.items() if n},
        tokens=tries.total("tokens"),
        copied_tokens=tries.total("copied"),
        card_tokens=tries.total("card") / subtasks if subtasks else None,
    )
