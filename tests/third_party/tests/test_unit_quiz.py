"""The suite keeps what every suite owes."""

import json

from harness.testing.suites import SuiteConformance
from second_opinion.suite import FACTS, UnitQuiz


class TestUnitQuiz(SuiteConformance):
    closed = True  # everything needed stands in the statement

    def suite(self):
        return UnitQuiz()

    def key(self, suite, sample_id):
        asked = suite.sample(sample_id).statement.split("\n")
        items = filter(None, map(suite.oracle().lookup, asked))
        return json.dumps([dict(item.right) for item in items])

    def dumps(self, suite, sample):
        return [json.dumps([{"question": q, "answer": a} for q in FACTS for a in FACTS[q]])]
