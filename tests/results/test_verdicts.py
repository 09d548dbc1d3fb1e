"""Stores whose verdict is known: each reason why a team wins alone, single wins, nothing can be said."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from worlds import TOKEN_USD, One, world

from harness.errors import HarnessError, StoreError
from harness.records import RunRecord
from results.frames import load
from results.verdict.prices import Prices
from results.verdict.roi import Roi, Worth, roi

N = 40


def coin(seed: str, share: float) -> list[float]:
    """0 or 1 for each sample, this share of them 1, in an order of their own."""
    scores = [1.0] * round(share * N) + [0.0] * (N - round(share * N))
    random.Random(seed).shuffle(scores)
    return scores


def cell(scores: Sequence[float], **more: Any) -> list[One]:
    return [One(s, **more) for s in scores]


def judge(spool: Any, *records: RunRecord, **prices: Any) -> Worth:
    return again(spool(*records), **prices)


def again(root: Path, **prices: Any) -> Worth:
    """The same store at these prices."""
    (worth,) = roi(load(root), None, Prices(**prices)).worths
    return worth


def whole(spool: Any, *records: RunRecord, **prices: Any) -> Roi:
    return roi(load(spool(*records)), None, Prices(**prices))


EASY, HARD = [1.0] * N, [0.0] * N
SOME = coin("some", 0.5)


def test_a_team_wins_because_the_task_does_not_fit_one_window(spool: Any) -> None:
    """It solves what no single agent does, at ten times the tokens: USD 0.03 against 0.003, for a whole point."""
    made = world({"single": cell(HARD), "resample": cell(HARD, tokens=9000),
                  "bus": cell(coin("bus", 0.9), tokens=10_000)})  # fmt: skip
    worth = judge(spool, *made, score_usd=1.0)
    assert (worth.verdict.kind, worth.verdict.says) == ("use", "use bus")


def test_a_team_wins_by_the_time_that_it_saves_alone(spool: Any) -> None:
    """The same score, 3.6 s instead of 36 s a sample: 32.4 s at USD 50 an hour are USD 0.45, for USD 0.147 more."""
    made = world({"single": cell(SOME, wall_s=36.0), "resample": cell(SOME, tokens=30_000, wall_s=36.0),
                  "bus": cell(SOME, tokens=50_000, wall_s=3.6)})  # fmt: skip
    root = spool(*made)
    assert again(root, score_usd=1.0, hour_usd=50.0).verdict.says == "use bus"
    assert again(root, score_usd=1.0).verdict.says == "use single", "when nobody pays for time"


def test_a_team_wins_by_what_does_not_escape_alone(spool: Any) -> None:
    """It gives up where the others deliver a wrong answer: no score more, half as many harmful deliveries."""
    held = [One(s, tokens=50_000, status="ok" if s else "failed") for s in SOME]
    made = world({"single": cell(SOME), "resample": cell(SOME, tokens=30_000), "bus": held})
    root = spool(*made)
    assert again(root, score_usd=1.0, escape_usd=1.0).verdict.says == "use bus"
    assert again(root, score_usd=1.0).verdict.says == "use single", "when wrong answers harm nobody"


def test_single_wins_where_the_team_scores_no_more_and_costs_more(spool: Any) -> None:
    """USD 0.147 more for nothing, where 40 ties leave room for 0.07 of a point."""
    made = world({"single": cell(SOME), "resample": cell(SOME, tokens=3000), "bus": cell(SOME, tokens=50_000)})
    assert judge(spool, *made, score_usd=1.0).verdict.says == "use single"


def test_ties_alone_do_not_prove_that_nothing_is_lost(spool: Any) -> None:
    """USD 0.012 more: 40 ties do not rule out a gain of 0.05 of a point, which would be worth it."""
    made = world({"single": cell(SOME), "resample": cell(SOME, tokens=3000), "bus": cell(SOME, tokens=5000)})
    assert judge(spool, *made, score_usd=1.0).verdict.kind == "inconclusive"


def test_a_team_that_beats_one_shot_but_not_the_family_at_its_price_does_not_win(spool: Any) -> None:
    good = coin("good", 0.9)
    made = world({"single": cell(HARD), "resample": cell(good, tokens=3000), "bus": cell(good, tokens=60_000)})
    worth = judge(spool, *made, score_usd=1.0)
    assert worth.verdict.says == "use single"
    assert "resample" in worth.verdict.why


def test_where_nothing_can_be_said_single_is_the_default_and_how_many_are_needed_is_said(spool: Any) -> None:
    made = world({"single": cell(coin("a", 0.5)), "resample": cell(coin("b", 0.5)), "bus": cell(coin("c", 0.55))})
    worth = judge(spool, *made, score_usd=1.0)
    assert worth.verdict.kind == "inconclusive"
    assert worth.verdict.says.startswith("inconclusive (default: single; n needed: ")


def test_without_an_equal_budget_baseline_no_team_wins(spool: Any) -> None:
    made = world({"single": cell(HARD), "bus": cell(EASY, tokens=9000)})
    assert judge(spool, *made, score_usd=1.0).verdict.says == "inconclusive: no equal-budget baseline"


def test_five_clusters_are_too_few(spool: Any) -> None:
    made = world({"single": cell(HARD), "resample": cell(HARD), "bus": cell(EASY)}, cluster=lambda i: f"c{i % 5}")
    assert judge(spool, *made, score_usd=1.0).verdict.kind == "inconclusive"


def test_labels_swapped_the_verdict_follows_the_rows(spool: Any) -> None:
    strong, weak = cell(coin("strong", 0.95), tokens=2000), cell(coin("weak", 0.1), tokens=2000)
    base = {"single": cell(HARD), "resample": cell(HARD, tokens=3000)}
    assert judge(spool, *world({**base, "bus": strong, "moa": weak}), score_usd=1.0).verdict.says == "use bus"


def test_labels_swapped_the_other_way(spool: Any) -> None:
    strong, weak = cell(coin("strong", 0.95), tokens=2000), cell(coin("weak", 0.1), tokens=2000)
    base = {"single": cell(HARD), "resample": cell(HARD, tokens=3000)}
    assert judge(spool, *world({**base, "bus": weak, "moa": strong}), score_usd=1.0).verdict.says == "use moa"


def test_the_price_flips_it_at_the_break_even_worked_out_by_hand(spool: Any) -> None:
    """One sample in two solved more, for 99,000 tokens more: 0.297 / 0.5 = USD 0.594 a point, against `single`;
    `resample` solves nothing more for 59,000 tokens, so `single` decides."""
    made = world({"single": cell(HARD), "resample": cell(HARD, tokens=60_000), "bus": cell(SOME, tokens=100_000)})
    root = spool(*made)
    at = 99_000 * TOKEN_USD / 0.5
    worth = again(root)
    assert worth.even["billed"]["bus"].score_usd == pytest.approx(at)
    assert worth.even["billed"]["bus"].against == "single"
    assert [(s.cell_id, pytest.approx(s.end)) for s in worth.stretches] == [("single", at), ("bus", float("inf"))]
    for price, above in ((at * 0.999, False), (at * 1.001, True)):
        worth = again(root, score_usd=price)
        (net,) = worth.returns["billed"]
        assert (net.net.value > 0) is above
    assert again(root, score_usd=3 * at).verdict.says == "use bus"
    assert again(root, score_usd=at / 3).verdict.says == "use single"


def test_a_verdict_that_caching_alone_makes_says_so(spool: Any) -> None:
    """Billed 1,000 tokens and uncached 1,000,000: worth it only as billed."""
    made = world({"single": cell(HARD), "resample": cell(HARD, tokens=3000)})
    made += world({"bus": cell(SOME)}, cost_uncached_usd=3.0)
    worth = judge(spool, *made, score_usd=1.0)
    assert worth.verdict.kind == "inconclusive"
    assert "use bus as billed, use single as if nothing had been cached" in worth.verdict.says


def test_without_a_price_only_what_holds_at_any_is_said(spool: Any) -> None:
    base = {"single": cell(HARD), "resample": cell(HARD, tokens=3000)}
    unclear = judge(spool, *world({**base, "bus": cell(SOME, tokens=5000)}))
    assert unclear.verdict.kind == "inconclusive"
    assert "USD 0.02400 a point" in unclear.verdict.why, "4,000 tokens for half a point"


def test_better_for_less_needs_no_price(spool: Any) -> None:
    made = world({"single": cell(HARD, tokens=9000), "resample": cell(HARD, tokens=9500), "bus": cell(EASY)})
    assert judge(spool, *made).verdict.says == "use bus"


def test_one_team_too_many_is_corrected_for(spool: Any) -> None:
    """Its own p-value is just below 2.5 %; beside seven others that do nothing it is not enough."""
    gain = [1.0] * 8 + [0.0] * (N - 8)
    lose = [0.0] * 8 + [1.0] + [0.0] * (N - 9)
    base = {"single": cell(lose), "resample": cell(lose)}
    alone = judge(spool, *world({**base, "bus": cell(gain)}), score_usd=1.0)
    (mine,) = alone.returns["billed"]
    assert mine.better is not None and mine.better < 0.025
    assert alone.verdict.says == "use bus"


def test_seven_idle_teams_beside_it(spool: Any) -> None:
    gain = [1.0] * 8 + [0.0] * (N - 8)
    lose = [0.0] * 8 + [1.0] + [0.0] * (N - 9)
    base = {"single": cell(lose), "resample": cell(lose), **{f"idle{i}": cell(lose) for i in range(7)}}
    among = judge(spool, *world({**base, "bus": cell(gain)}), score_usd=1.0)
    mine = next(r for r in among.returns["billed"] if r.team.label == "bus")
    assert mine.better is not None and mine.better < 0.025
    assert mine.adjusted == pytest.approx(8 * mine.better)
    assert among.verdict.kind == "inconclusive"


def test_the_sentence_says_what_was_paid_for_and_what_it_brought(spool: Any) -> None:
    """A team's run of USD 2.50, of which 1.50 is coordination, beside a single agent for USD 0.90 that scored less."""
    usd = 1 / TOKEN_USD
    made = world({"single": [One(0.5, tokens=round(0.9 * usd))] * N,
                  "bus": [One(0.52, tokens=round(2.5 * usd), talk=round(1.5 * usd))] * N})  # fmt: skip
    (said,) = judge(spool, *made).sentences
    assert said.startswith("A run of bus cost USD 2.500, of which USD 1.500 is coordination; single cost USD 0.9000 ")
    assert "scored 0.020 less (95 % CI of single − team " in said


def test_simulated_rows_get_neither_interval_nor_recommendation(spool: Any) -> None:
    made = world({"single": cell(HARD), "resample": cell(HARD), "bus": cell(EASY)}, simulated=True)
    worth = judge(spool, *made, score_usd=1.0)
    (net,) = worth.returns["billed"]
    assert (net.net.found, net.better, net.adjusted, net.lower) == (None, None, None, None)
    assert worth.verdict.says == "sim: bus"


def test_a_simulated_verdict_that_a_parameter_turns_says_where(spool: Any) -> None:
    """The team gains −0.2 at 1 and +0.6 at 3, at no cost: a straight line crosses 0 at 1.5."""
    made = []
    for value, gained in ((1, 0.1), (3, 0.9)):
        params = {"params": f'{{"model.behaviour.x": {value}}}'}
        made += world({"single": [One(0.3)] * N}, simulated=True, **params, cell=f"single{value}")
        made += world({"bus": [One(gained)] * N}, simulated=True, **params, cell=f"bus{value}")
    found = whole(spool, *made, score_usd=1.0)
    (turn,) = found.turns
    assert (turn.parameter, turn.first, turn.then) == ("model.behaviour.x", "sim: single", "sim: bus")
    assert turn.at == pytest.approx(1.5)


def test_a_simulated_verdict_without_a_price_depends_on_it(spool: Any) -> None:
    made = world({"single": cell(HARD), "bus": cell(SOME, tokens=5000)}, simulated=True)
    assert judge(spool, *made).verdict.says == "sim: depends on USD a point of score (flips at 0.02400)"


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -1.0])
def test_prices_are_finite_and_not_negative(wrong: float) -> None:
    with pytest.raises(HarnessError, match="score_usd"):
        Prices(score_usd=wrong)


def test_no_single_is_an_error_that_says_what_to_run(spool: Any) -> None:
    with pytest.raises(StoreError, match="no run of topology 'single'"):
        judge(spool, *world({"bus": cell(EASY)}))


def test_one_topology_is_an_error(spool: Any) -> None:
    with pytest.raises(StoreError, match="the only topology here is 'single'"):
        judge(spool, *world({"single": cell(EASY)}))


def test_no_common_sample_is_an_error(spool: Any) -> None:
    made = [*world({"single": [One(1.0), None]}), *world({"bus": [None, One(1.0)]}, epoch=1)]
    with pytest.raises(StoreError, match="shares no sample"):
        judge(spool, *made)
