"""The first two questions of the decision tree and the leaf, on rows made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from grown import MANY, changed, family, predicted, question, tree, with_event, with_settings
from run_builder import Call, Read, record
from worlds import One, world

from harness.records import RunRecord
from results.verdict.tree.question import Answer, Outcome, Share

N = 20
EVEN = [0.0, 1.0] * (N // 2)


def teams(**cells: Sequence[One]) -> list[RunRecord]:
    return world({**family(EVEN), **cells})


def plain(**columns: Sequence[Any]) -> list[RunRecord]:
    """A team that is as good as `single`, on samples that declare these columns."""
    return changed(teams(bus=[One(s, tokens=5000) for s in EVEN]), **columns)


class TestFits:
    @pytest.mark.parametrize(("fitting", "answer"), [(20, Answer.YES), (19, Answer.YES), (18, Answer.NO)])
    def test_nineteen_of_twenty_are_95_percent(self, fitting: int, answer: Answer) -> None:
        sizes = [1000] * fitting + [1001] * (N - fitting)
        asked = question(1, plain(material_tokens=sizes, window_tokens=[1000] * N))
        assert (asked.answer, asked.figures[0].found) == (answer, Share(fitting, N, N))

    @pytest.mark.parametrize(("material", "answer"), [(900, Answer.YES), (901, Answer.NO)])
    def test_room_for_the_longest_completion_of_single_is_asked_for(self, material: int, answer: Answer) -> None:
        """100 tokens are the longest of its completions; a judge's are not its own, nor are the team's."""
        made = []
        for i in range(N):
            more = {"sample": f"s{i:03d}", "material_tokens": material, "window_tokens": 1000}
            calls = [Call("agent", [Read("task", 500)], [("answer", n, 0)]) for n in (100, 40)]
            judge = Call("judge", [Read("judge", 50)], [("judge", 700, 0)], intent="judge")
            made.append(record([*calls, judge], **more))
            worker = Call("agent", [Read("task", 500), Read("sync", 9)], [("answer", 700, 0)])
            made.append(record([worker], topology="bus", **more))
        assert question(1, made).answer is answer

    def test_what_is_not_declared_is_not_asked(self) -> None:
        grown = tree(plain(material_tokens=[0] * N))
        assert (grown.questions[0].answer, grown.leaf, grown.team) == (Answer.NOT_ASKED, None, None)
        assert "python -m harness -m topology=single,OTHER,TEAM task=qa" in grown.questions[0].why

    def test_no_team_beats_the_family_held(self) -> None:
        scores = [0.0, 1.0] * (MANY // 2)
        made = world({**family(scores), "bus": [One(s, tokens=5000) for s in scores]})
        assert predicted(question(1, made), "no team beats").outcome is Outcome.HELD

    def test_no_team_beats_the_family_refuted(self) -> None:
        made = world({**family([0.0] * N), "bus": [One(1.0, tokens=5000)] * N, "moa": [One(0.0, tokens=5000)] * N})
        found = predicted(question(1, made), "no team beats")
        assert found.outcome is Outcome.REFUTED
        assert found.why.startswith("above 0: bus, by 95 % intervals, adjusted for 2")

    def test_a_few_ties_decide_nothing(self) -> None:
        found = predicted(question(1, plain()), "no team beats")
        assert found.outcome is Outcome.UNCLEAR
        assert "20 clusters here" in found.why

    def test_five_clusters_decide_nothing(self) -> None:
        cells = {**family([0.0] * N), "bus": [One(1.0)] * N}
        found = predicted(question(1, world(cells, cluster=lambda i: f"c{i % 5}")), "no team beats")
        assert (found.outcome, "fewer than 6 clusters" in found.why) == (Outcome.UNCLEAR, True)

    def test_more_money_than_single_is_no_refutation_without_another_baseline(self) -> None:
        made = world({"single": [One(0.0)] * N, "bus": [One(1.0, tokens=9000)] * N})
        found = predicted(question(1, made), "no team beats")
        assert found.outcome is Outcome.UNCLEAR
        assert "no equal-budget baseline: run `python -m harness -m topology=single,OTHER,bus task=qa`" in found.why

    def test_an_advantage_that_caching_alone_makes_is_none(self) -> None:
        """Billed 3,000 tokens; as if uncached USD 3, for which `resample` at 50,000 tokens scores as much."""
        cells = {"single": [One(0.0)] * MANY, "resample": [One(1.0, tokens=50_000)] * MANY}
        made = world(cells) + world({"bus": [One(1.0, tokens=3000)] * MANY}, cost_uncached_usd=3.0)
        found = predicted(question(1, made), "no team beats")
        assert found.outcome is Outcome.UNCLEAR
        assert found.why.startswith("billed: refuted (above 0: bus")
        assert "as if uncached: held (above 0.05: none" in found.why

    def test_a_team_of_unknown_cost_keeps_it_open(self) -> None:
        scores = [0.0, 1.0] * (MANY // 2)
        made = world({**family(scores), "bus": [One(s, priced=False) for s in scores]})
        found = predicted(question(1, made), "no team beats")
        assert (found.outcome, found.why) == (Outcome.UNCLEAR, "unknown of bus")

    def test_a_task_that_does_not_fit_predicts_nothing(self) -> None:
        assert question(1, plain(material_tokens=[10**6] * N)).predictions == ()


LARGE = {"material_tokens": [10**6] * N}


class TestDivisible:
    @pytest.mark.parametrize(
        ("work", "path", "answer", "leaf"),
        [(2.0, 1.0, Answer.YES, "parallel"), (1.99, 1.0, Answer.NO, "compress"), (5.0, 2.0, Answer.YES, "dag"),
         (4.0, 1.0, Answer.YES, "parallel"), (1.0, 1.0, Answer.NO, "compress")],
    )  # fmt: skip
    def test_twice_the_critical_path(self, work: float, path: float, answer: Answer, leaf: str) -> None:
        grown = tree(plain(graph_work=[work] * N, graph_critical_path=[path] * N, **LARGE))
        assert (grown.questions[1].answer, grown.leaf) == (answer, leaf)
        assert grown.team is (leaf != "compress")

    def test_the_mean_decides_and_the_share_of_samples_is_told(self) -> None:
        """Half the samples 3 to 1 and half 1 to 1: 4 to 2 in the mean, on half of the samples."""
        asked = question(2, plain(graph_work=[3.0, 1.0] * 10, graph_critical_path=[1.0] * N))
        ratio, share, _ = (f.found for f in asked.figures)
        assert (asked.answer, ratio.value, share) == (Answer.YES, 2.0, Share(10, N, N))  # type: ignore[union-attr]

    def test_equal_parts_on_nineteen_of_twenty_samples(self) -> None:
        work = [4.0] * 19 + [4.5]
        assert tree(plain(graph_work=work, **LARGE)).leaf == "parallel"

    def test_equal_parts_on_eighteen_of_twenty_samples(self) -> None:
        work = [4.0] * 18 + [4.5] * 2
        assert tree(plain(graph_work=work, **LARGE)).leaf == "dag"

    def test_without_a_graph_there_is_no_leaf(self) -> None:
        grown = tree(plain(graph_work=[0.0] * N, graph_critical_path=[0.0] * N, **LARGE))
        assert (grown.questions[1].answer, grown.leaf) == (Answer.NOT_ASKED, None)

    def test_what_fits_is_for_one_agent_whether_it_divides_or_not(self) -> None:
        grown = tree(plain(graph_work=[4.0] * N))
        assert (grown.questions[1].answer, grown.leaf, grown.team) == (Answer.YES, "single", False)


def timed(team_s: float, jitter: float = 0.1, *, tools: Sequence[float] = (), steps: int = 1) -> list[RunRecord]:
    """`single` takes 30 s and the team ``team_s``, each a little more or less. ``tools``: times at which `single`
    called one; its calls end after 0.5 s, 1.5 s, …"""
    around = [1 + jitter * (i % 5 - 2) / 2 for i in range(N)]
    made = world(
        {**family(EVEN), "bus": [One(s, wall_s=team_s * a) for s, a in zip(EVEN, reversed(around), strict=True)]}
    )
    alone = [
        record([Call("agent", [Read("task", 500)], [])] * steps, sample=f"s{i:03d}", cell="single", score=EVEN[i],
               cluster_id=f"cluster{i}", wall_s=30 * a)
        for i, a in enumerate(around)
    ]  # fmt: skip
    for one in alone:
        for at in tools:
            with_event(one, "tool", at)
    made = [m for m in made if m.run.topology != "single"] + alone
    return changed(made, graph_work=[4.0] * N)


class TestFaster:
    @pytest.mark.parametrize(
        ("team_s", "jitter", "outcome"),
        [(10.0, 0.1, Outcome.HELD), (20.0, 0.1, Outcome.REFUTED), (15.0, 0.9, Outcome.UNCLEAR)],
        ids=["three times", "one and a half times", "twice, or not"],
    )
    def test_more_than_twice_as_fast(self, team_s: float, jitter: float, outcome: Outcome) -> None:
        assert predicted(question(2, timed(team_s, jitter)), "2 times as fast").outcome is outcome

    def test_tools_one_by_one_are_no_fair_race(self) -> None:
        """One call of a tool after each of two steps, where both could have been made at once."""
        found = predicted(question(2, timed(10.0, tools=(0.6, 1.6), steps=2)), "2 times as fast")
        assert (found.outcome, "parallel tools off" in found.why) == (Outcome.UNCLEAR, True)

    def test_slower_against_tools_one_by_one_is_slower_all_the_same(self) -> None:
        found = predicted(question(2, timed(20.0, tools=(0.6, 1.6), steps=2)), "2 times as fast")
        assert found.outcome is Outcome.REFUTED

    def test_tools_at_once_are(self) -> None:
        found = predicted(question(2, timed(10.0, tools=(0.6, 0.6), steps=2)), "2 times as fast")
        assert (found.outcome, "called several tools at once" in found.why) == (Outcome.HELD, True)

    def test_one_tool_call_has_nothing_beside_it(self) -> None:
        found = predicted(question(2, timed(10.0, tools=(0.6,), steps=2)), "2 times as fast")
        assert (found.outcome, "no run of single had two tool calls" in found.why) == (Outcome.HELD, True)


def silenced(scores: Sequence[float], silent: Sequence[float], **more: Any) -> list[RunRecord]:
    made = world(family(scores), **more)
    made += with_settings({"bus": [One(s) for s in scores]}, {"topology.messages": True}, **more)
    made += with_settings({"bus": [One(s) for s in silent]}, {"topology.messages": False}, ablate="messages", **more)
    return changed(made, graph_work=[4.0] * len(scores))


class TestQuiet:
    def test_talk_that_changes_nothing(self) -> None:
        scores = [0.0, 1.0] * (MANY // 2)
        found = predicted(question(2, silenced(scores, scores)), "without messages")
        assert (found.outcome, found.figures[0].found.value) == (Outcome.HELD, 0.0)  # type: ignore[union-attr]

    def test_talk_that_matters(self) -> None:
        found = predicted(question(2, silenced([1.0] * N, EVEN)), "without messages")
        assert (found.outcome, found.figures[0].found.value) == (Outcome.REFUTED, 0.5)  # type: ignore[union-attr]

    def test_too_few_to_say(self) -> None:
        found = predicted(question(2, silenced(EVEN, EVEN)), "without messages")
        assert found.outcome is Outcome.UNCLEAR

    def test_without_such_cells_the_command_is_told(self) -> None:
        found = predicted(question(2, plain(graph_work=[4.0] * N)), "without messages")
        assert found.outcome is Outcome.UNCLEAR
        assert 'task=qa \'cells=["topology=single,OTHER","topology=TEAM topology.messages=true,false"]' in found.why

    def test_simulated_means_decide(self) -> None:
        found = predicted(question(2, silenced(EVEN, EVEN, simulated=True)), "without messages")
        assert (found.outcome, found.why) == (Outcome.HELD, "above 0.05: none, by the means")


def test_simulated_rows_have_no_interval_anywhere() -> None:
    made = world({**family(EVEN), "bus": [One(1.0, wall_s=1.0)] * N}, simulated=True)
    asked = tree(changed(made, graph_work=[4.0] * N)).questions
    figures = [f for q in asked for p in q.predictions for f in (*q.figures, *p.figures)]
    assert len(figures) > 4
    assert {getattr(f.found, "found", None) for f in figures} == {None}
    assert [p.outcome for q in asked for p in q.predictions] == [Outcome.REFUTED, Outcome.HELD, Outcome.UNCLEAR]


def test_questions_that_were_not_asked_add_nothing() -> None:
    grown = tree(plain())
    assert [q.answer for q in grown.questions[2:]] == [Answer.NOT_ASKED] * 2
    assert grown.leaf == "single"
    assert all("python -m harness" in q.why for q in grown.questions[2:])
