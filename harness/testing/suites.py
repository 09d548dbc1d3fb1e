"""What every suite owes: subclass this in a test and say how to make yours.

    from harness.testing.suites import SuiteConformance

    class TestMine(SuiteConformance):
        def suite(self):
            return Mine()

        def dumps(self, suite, sample):
            return [everything_to_read, every_candidate]

Each method is one promise.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.accounting.purposes import Purpose, Stance
from harness.session import Session
from harness.suite import Grade, Sample, Suite
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.topology import Answer

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@dataclass(frozen=True)
class Solo:
    """One agent with the task's tools, or without any: the least that can solve a sample."""

    tools: bool = True
    family: ClassVar[Literal["single", "team"]] = "single"
    messages: ClassVar[bool] = False

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        tools = session.tools if self.tools else ()
        agent = session.agent("solver", role="single", stance=Stance.LEAD, tools=tools)
        agent.tell(session.statement())
        return Answer((await agent.run(Purpose.ANSWER, 60)).text)


class SuiteConformance:
    """Promises of one suite. ``malformed``: how many malformed answers its grader has to survive, in five wrappings
    each (fewer where each starts a process); ``samples``: how many samples are looked at, at least two; ``closed``:
    whether everything needed stands in the statement, so that no tool is needed to solve it; ``unread``: else, the most
    that is scored without any tool."""

    malformed = 200
    samples = 3
    closed = False
    unread = 0.0

    def suite(self) -> Any:
        """A new instance of the suite under test, small."""
        raise NotImplementedError("say how to make your suite")

    def key(self, suite: Any, sample_id: str) -> str:
        """The perfect answer: the suite's own method ``key`` unless told otherwise."""
        return str(suite.key(sample_id))

    def dumps(self, suite: Any, sample: Sample) -> Sequence[str]:
        """Answers that give away everything and decide nothing, in the form of an answer: all material, all
        candidates."""
        raise NotImplementedError("say what a dump of the material and one of the candidates look like")

    def _grade(self, suite: Suite, sample: Sample, *answers: str) -> float:
        """The best score of these answers."""

        async def graded() -> list[Grade]:
            return [await suite.grade(sample, answer) for answer in answers]

        grades = asyncio.run(graded())
        assert all(0 <= grade.score <= 1 for grade in grades)
        json.dumps([grade.detail for grade in grades], ensure_ascii=False).encode("utf-8")  # it goes into a row
        return max(grade.score for grade in grades)

    def _some(self, suite: Suite) -> list[Sample]:
        suite.load()
        found = [suite.sample(sample_id) for sample_id in list(suite.sample_ids())[: self.samples]]
        assert len(found) > 1, "a suite of one sample shows nothing about another one's key"
        return found

    def test_the_key_scores_one_and_nothing_scores_nothing(self) -> None:
        suite = self.suite()
        for sample in self._some(suite):
            assert self._grade(suite, sample, self.key(suite, sample.id)) == 1, sample.id
            for nothing in ("", "[]", "{}", "null", sample.statement):
                assert self._grade(suite, sample, nothing) == 0, (sample.id, nothing[:80])

    def test_another_samples_key_and_dumps_score_nothing(self) -> None:
        suite = self.suite()
        samples = self._some(suite)
        for sample, other in zip(samples, [*samples[1:], samples[0]], strict=True):
            assert self._grade(suite, sample, self.key(suite, other.id)) == 0, (sample.id, other.id)
            dumps = self.dumps(suite, sample)
            assert dumps
            for dump in dumps:
                assert self._grade(suite, sample, dump) == 0, (sample.id, dump[:200])

    def test_the_grader_survives_whatever_comes(self) -> None:
        suite = self.suite()
        sample = self._some(suite)[0]

        @settings(max_examples=self.malformed, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(_malformed(self.key(suite, sample.id)))
        def survives(answer: str) -> None:
            half = len(answer) // 2
            self._grade(suite, sample, answer, f"```\n{answer}\n```", answer + answer, answer[half:], f"[{answer}]")

        survives()

    def test_samples_are_the_same_every_time_and_declare_themselves(self) -> None:
        one, two = self.suite(), self.suite()
        samples = self._some(one)
        ids = list(one.sample_ids())
        assert len(set(ids)) == len(ids)
        for sample in samples:
            again = two.sample(sample.id)
            assert (again.statement, again.brief) == (sample.statement, sample.brief)
            assert (again.material_hash, again.tags) == (sample.material_hash, sample.tags)
            assert sample.material_tokens >= 0 and 0 < sample.graph_critical_path <= sample.graph_work
        assert len({sample.material_hash for sample in samples}) == len(samples)

    def test_the_key_is_not_shown(self) -> None:
        suite = self.suite()
        for sample in self._some(suite):
            shown = sample.statement + sample.brief + "".join(map("".join, sample.earlier))
            assert self.key(suite, sample.id) not in shown

    def test_the_simulated_model_solves_it_by_reading_and_not_otherwise(self, tmp_path: Path) -> None:
        """Without any error of its own, and only where the evidence comes into its prompt."""
        suite = self.suite()
        suite.load()
        found = records(cell(Solo(), faultless(suite.oracle()), suite=suite))
        assert [(r.run.sample_id, r.run.score) for r in found] == [(i, 1.0) for i in suite.sample_ids()]
        assert faults(found, tmp_path) == []
        if not self.closed:
            blind = records(cell(Solo(tools=False), faultless(suite.oracle()), suite=suite))
            assert max(r.run.score for r in blind) <= self.unread, "evidence must be read, not stand in the statement"


def _malformed(key: str) -> st.SearchStrategy[str]:
    """Texts, JSON of any shape, and the key cut, doubled, nested, or with a piece of it replaced."""
    at = st.integers(0, max(0, len(key) - 1))
    junk = st.text(max_size=20)
    return st.one_of(
        st.text(),
        _JSON.map(lambda value: json.dumps(value)),
        st.lists(_JSON, max_size=3).map(lambda rows: json.dumps([{"question": r, "answer": r} for r in rows])),
        st.tuples(at, at).map(lambda cut: key[min(cut) : max(cut)]),
        st.tuples(at, junk, at).map(lambda t: key[: t[0]] + t[1] + key[t[2] :]),
        st.sampled_from(["[" * n + tail for n in (1, 30, 1200) for tail in ("", key)]),
        st.sampled_from(['[{"a":' * n for n in (1, 30, 1200)]),
    )
