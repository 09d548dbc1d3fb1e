"""Asked to judge an answer by a rubric, or to compare two, the model writes a verdict."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.models.simulated.prompt.judging import Case, case_in
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.judging import share_right


def applies(view: View) -> bool:
    return _case(view) is not None


def act(view: View) -> Act:
    """The share that seems right, as a number of the scale asked for (halves upwards); of two answers the one with the
    greater share. It knows neither whose answer it is nor which stands first, so it favours none."""
    case = _case(view)
    if case is None:
        return Act()
    seen = [share_right(view, case, answer) for answer in case.answers]
    reason = "; ".join(_remark(faults) for _, faults in seen)
    if case.highest is not None:
        return _verdict(reason, "score", int(seen[0][0] * case.highest + 0.5))
    (a, _), (b, _) = seen
    return _verdict(reason, "better", "tie" if a == b else "A" if a > b else "B")


def _case(view: View) -> Case | None:
    return case_in(view.system, next((m.text for m in view.messages if m.role == "user"), ""))


def _remark(faults: Sequence[str]) -> str:
    return f"wrong or missing: {', '.join(faults)}" if faults else "nothing is wrong or missing"


def _verdict(reason: str, field: str, value: int | str) -> Act:
    return Act(json.dumps({"reason": reason, field: value}))
