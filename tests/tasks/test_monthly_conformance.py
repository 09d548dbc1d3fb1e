"""monthly_figures as a suite."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.suite import Sample
from harness.testing.suites import SuiteConformance
from tasks.monthly_figures import MonthlyFigures


class TestOneDocument(SuiteConformance):
    def suite(self) -> MonthlyFigures:
        return MonthlyFigures(pages=4, samples=3)

    def dumps(self, suite: MonthlyFigures, sample: Sample) -> Sequence[str]:
        problem = suite.problem(sample.id)
        whole = "\n\n".join(document.text for document in problem.documents)
        every = [m.entry(a, u) for m in problem.months for a, u in ((m.amount, m.unit), *m.wrong, ("missing", m.unit))]
        quoted = [m.entry(whole, m.unit) for m in problem.months]
        nothing = [m.entry("missing", m.unit) for m in problem.months]
        return [whole, *(json.dumps(entries, ensure_ascii=False) for entries in (every, quoted, nothing))]


class TestSeveralDocuments(TestOneDocument):
    malformed = 20
    samples = 2

    def suite(self) -> MonthlyFigures:
        return MonthlyFigures(documents=3, pages=2, samples=2)
