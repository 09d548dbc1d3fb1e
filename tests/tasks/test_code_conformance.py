"""code_search as a suite."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.suite import Sample
from harness.testing.suites import SuiteConformance
from tasks.code_search import CodeSearch
from tasks.code_search.code.index import Index


class TestGenerated(SuiteConformance):
    def suite(self) -> CodeSearch:
        return CodeSearch(corpus="generated", tokens=9_000, limit=2)

    def dumps(self, suite: CodeSearch, sample: Sample) -> Sequence[str]:
        case = suite.problem(sample.id)
        index = Index.of(case.files)
        names = (
            *(d.qualified for d in (*index.functions, *index.classes)),
            *(f"{d.file.name}:{d.line}" for d in (*index.functions, *index.classes)),
            *(file.name for file in case.files),
        )
        everything = [question.entry(names) for question in case.questions]
        each = [question.entry((name,)) for question in case.questions for name in names]
        both = [q.entry(n) for q in case.questions for n in (q.answer, *q.wrong)]
        whole = "\n\n".join(file.text for file in case.files)
        return [whole, json.dumps(everything), json.dumps(each), json.dumps(both)]


class TestStandardLibrary(TestGenerated):
    malformed = 3

    def suite(self) -> CodeSearch:
        return CodeSearch(tokens=6_000, limit=2)
