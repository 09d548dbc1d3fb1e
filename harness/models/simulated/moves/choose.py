"""Asked which of several numbered attempts is the best, the model writes its number."""

from __future__ import annotations

from harness.agreement import ballots, closest
from harness.models.oracle import Item
from harness.models.simulated.prompt.attempts import attempts_in, without_attempts
from harness.models.simulated.prompt.findings import Entry
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.answering import is_right


def applies(view: View) -> bool:
    return bool(attempts_in(view.messages))


def act(view: View) -> Act:
    """The one with most entries that hold up against the evidence; where that leaves several, and where there is no
    evidence at all, the one among them that agrees most with the others."""
    attempts = attempts_in(view.messages)
    known = [item for item in view.questions if _is_known(view, item)]
    marks = {number: sum(_holds_up(view, item, text) for item in known) for number, text in attempts.items()}
    best = [number for number in attempts if marks[number] == max(marks.values())]
    return Act(best[closest(ballots([attempts[number] for number in best]))])


def _is_known(view: View, item: Item) -> bool:
    """Whether the item's evidence stands in the prompt elsewhere than in the attempts, which prove nothing."""
    texts = [without_attempts(m.text) if m.role == "user" else m.text for m in view.messages]
    return bool(item.evidence) and all(any(view.knowledge.where(t, e) >= 0 for t in texts) for e in item.evidence)


def _holds_up(view: View, item: Item, attempt: str) -> bool:
    """Whether an attempt answers a question and no fault is found with it."""
    given = view.entries_in([attempt]).get(item.question, [])
    return bool(given) and all(_passes(view, item, e) for e in given)


def _passes(view: View, item: Item, entry: Entry) -> bool:
    """Not noticed as wrong, or taken for wrong; the same entry in two attempts is judged the same."""
    rules = view.behaviour.review
    doubts = view.draws.request("doubts", item.question, repr(sorted(map(repr, entry.items()))))
    return doubts >= (rules.false_alarm if is_right(item, entry) else rules.catch)
