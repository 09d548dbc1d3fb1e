"""qa_corpus as a suite."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.suite import Sample
from harness.testing.suites import SuiteConformance
from tasks.qa_corpus import QaCorpus


class TestPythonDocs(SuiteConformance):
    def suite(self) -> QaCorpus:
        return QaCorpus(docs=4, limit=2)

    def dumps(self, suite: QaCorpus, sample: Sample) -> Sequence[str]:
        bundle = suite.problem(sample.id)
        whole = "\n\n".join(document.text for document in bundle.documents)
        every = [q.entry(a, "x") for q in bundle.questions for a in (q.answer, *q.wrong, "another")]
        quoted = [q.entry(whole, entry["clause_ref"]) for q, entry in zip(bundle.questions, bundle.key(), strict=True)]
        return [whole, json.dumps(every), json.dumps(quoted)]


class TestGenerated(TestPythonDocs):
    def suite(self) -> QaCorpus:
        return QaCorpus(corpus="generated", docs=3, limit=2)
