"""What every topology owes: subclass this in a test and say how to make yours.

    from harness.testing.conformance import TopologyConformance

    class TestMine(TopologyConformance):
        def topology(self):
            return Mine()

Each method is one promise. They run on the toy suite with the simulated model, on the virtual clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from weakref import WeakKeyDictionary

from harness.limits import Limits
from harness.models.protocol import Model, Request
from harness.records import RunRecord
from harness.run import ANSWER_CUT
from harness.testing.models import Flaky, Listening, faultless
from harness.testing.runs import bare, cell, faults, records
from harness.testing.toy import BRIEF
from harness.topology import Topology

_WHOLE: WeakKeyDictionary[type, list[RunRecord]] = WeakKeyDictionary()
_STATUSES = {"ok", "limit", "timeout", "failed", "error"}


class TopologyConformance:
    """Promises of one topology. ``failing_calls``: how many of a run's first calls are made to fail, one at a time;
    ``limits``: those of the run, where a promise is not about a limit of its own."""

    failing_calls = 8
    limits = Limits()

    def topology(self) -> Topology:
        """A new instance of the topology under test."""
        raise NotImplementedError("say how to make your topology")

    def model(self) -> Model:
        """A new simulated model that makes no mistakes of its own and knows the toy suite."""
        return faultless()

    def _run(
        self,
        model: Model | None = None,
        *,
        limits: Limits | None = None,
        apart: str = "c0",
        epochs: Sequence[int] = (0,),
        concurrency: int = 1,
    ) -> list[RunRecord]:
        made = replace(cell(self.topology(), model or self.model(), limits=limits or self.limits), cell_id=apart)
        return records(made, epochs=epochs, concurrency=concurrency)

    def _whole(self) -> list[RunRecord]:
        """The run of which several promises speak, made once for a class. Leave it as it is."""
        made = _WHOLE.get(type(self))
        if made is None:
            made = _WHOLE[type(self)] = self._run()
        return made

    def test_it_solves_what_a_faultless_model_can_solve(self) -> None:
        assert [(r.run.status, r.run.score) for r in self._whole()] == [("ok", 1.0)] * 2

    def test_every_token_is_accounted_for(self, tmp_path: Path) -> None:
        found = self._whole()
        assert faults(found, tmp_path) == []
        assert all(r.calls and r.shares for r in found)
        if self.topology().family == "single":
            assert all(r.run.coordination_tokens == 0 for r in found)

    def test_the_same_seed_gives_the_same_rows_at_any_concurrency(self) -> None:
        one_by_one = [bare(r) for r in self._run(epochs=(0, 1, 2))]
        at_once = [bare(r) for r in self._run(epochs=(0, 1, 2), concurrency=6)]
        assert at_once == one_by_one
        whole = [bare(r) for r in self._whole()]
        assert whole == [r for r in one_by_one if r.run.epoch == 0]

    def test_every_agent_gets_the_whole_brief_word_for_word(self) -> None:
        seen: list[str] = []
        self._run(Listening(self.model(), seen))
        assert seen and all(BRIEF in system for system in seen)

    def test_each_limit_ends_the_run_and_is_named(self, tmp_path: Path) -> None:
        whole = self._whole()[0].run
        tokens = whole.prompt_tokens + whole.completion_tokens
        tight = {
            "run_calls": replace(self.limits, run_calls=max(1, whole.calls // 2)),
            "run_tokens": replace(self.limits, run_tokens=max(1, tokens // 2)),
            "run_usd": replace(self.limits, run_usd=(whole.cost_usd or 0) / 2),
            "run_wall_s": replace(self.limits, run_wall_s=whole.wall_s / 2),
        }
        every: list[RunRecord] = []
        for name, limits in tight.items():
            found = self._run(limits=limits, apart=name)
            every += found
            for r in found:
                assert r.run.status == ("timeout" if name == "run_wall_s" else "limit"), (
                    name,
                    r.run.status,
                    r.run.error,
                )
                assert name in (r.run.limit or ""), (name, r.run.limit)
                assert r.run.calls <= whole.calls
        assert faults(every, tmp_path) == []

    def test_it_survives_any_one_call_that_fails(self, tmp_path: Path) -> None:
        every: list[RunRecord] = []
        for n in range(1, self.failing_calls + 1):
            every += self._run(Flaky(self.model(), partial(_is, n)), apart=f"c{n}")
        assert all(r.run.status in _STATUSES for r in every)
        assert all(len(r.run.answer) <= ANSWER_CUT for r in every)
        assert faults(every, tmp_path) == []

    def test_it_ends_when_every_call_fails(self) -> None:
        assert all(r.run.status != "ok" and r.run.score == 0 for r in self._run(Flaky(self.model(), lambda *_: True)))

    def test_no_agent_is_deeper_than_the_limit(self) -> None:
        for depth in (0, 1):
            for r in self._run(faultless(delegation=1.0), limits=Limits(max_depth=depth)):
                assert max(c.depth for c in r.calls) <= depth
                refused = [e for e in r.events if e.type == "depth_violation"]
                assert r.run.depth_violations == len(refused)


def _is(n: int, sent: int, _: Request) -> bool:
    return sent == n
