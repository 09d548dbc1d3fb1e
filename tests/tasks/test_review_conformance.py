"""review as a suite, whoever reviews."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.suite import Sample
from harness.testing.suites import SuiteConformance
from tasks.review import Review


class TestFresh(SuiteConformance):
    unread = 0.9  # the drafts are shown; what shows only beside another file has to be read
    reviewer = "fresh"

    def suite(self) -> Review:
        return Review(reviewer=self.reviewer, limit=3)

    def dumps(self, suite: Review, sample: Sample) -> Sequence[str]:
        drafts = suite.problem(sample.id).drafts
        whole = "\n\n".join(document.text for document in suite.problem(sample.id).documents)
        right = [draft.entry(min(draft.pair.places)) for draft in drafts]
        every = [entry for draft in drafts for entry in (draft.entry(None), draft.right, *draft.item.wrong)]
        return [
            whole,
            json.dumps(right),  # every draft defective, and at the right place
            json.dumps([draft.entry(None) for draft in drafts]),
            json.dumps([{**draft.right, "verdict": "defect", "where": draft.text} for draft in drafts]),
            json.dumps(every),
        ]


class TestSelf(TestFresh):
    malformed = 10  # the grader is the same
    reviewer = "self"
