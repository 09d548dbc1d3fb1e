"""The task's visible tests: what anybody can see of an answer without knowing what is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.code_search.grading import given_in, names_in
from tasks.code_search.questions import CALLERS, DEFINED, SUBCLASSES, Case, Question
from tasks.common.entries import shown

_WHAT = {
    DEFINED: "no line of these files",
    CALLERS: "no function in these files",
    SUBCLASSES: "no class in these files",
}


@dataclass(frozen=True)
class VisibleTests:
    """For one sample (``harness.suite.VisibleTests``)."""

    case: Case

    async def __call__(self, answer: str) -> Sequence[str]:
        """What fails, a sentence each, whatever the text: it holds no array of entries; a question has no entry, or
        several; its entry gives no names; a name is that of nothing in these files that the question could mean."""
        given = given_in(answer)
        if not given:
            return ["the answer holds no JSON array of entries with the label of a question"]
        told = [(question, self._fault(question, given.get(question.label, []))) for question in self.case.questions]
        return [f"{question.label}: {fault}" for question, fault in told if fault is not None]

    def _fault(self, question: Question, values: list[object]) -> str | None:
        if len(values) != 1:
            return f"{len(values)} entries instead of one" if values else "no entry"
        names = names_in(values[0], question.kind)
        if not names:
            return "no names"
        strangers = sorted(names - self.case.known[question.kind])
        if strangers:
            return f"'{shown(strangers[0])}' is {_WHAT.get(question.kind, 'no file of these')}"
        return None
