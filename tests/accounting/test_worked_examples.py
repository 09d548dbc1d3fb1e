"""The published figures that are pure arithmetic, by feeding the ledger calls of these sizes (docs/cost-model.md).

A share of the tokens is content, a whole call is activity; which view a figure belongs to is said beside it. What only
a topology or a person can show (three nested layers, a cascade, where tasks end) is not here.
"""

from __future__ import annotations

import pytest
from support.ledgers import Feeder

from harness.accounting.parts import TASK
from harness.accounting.prices import CardPricing, PriceCard
from harness.accounting.purposes import Stance

AGENTS = ("alice", "bob", "carol", "dave", "erin")


def test_coordination_tax_of_one_round() -> None:
    """Content. Five agents, each: 500 order read, 4,000 of four peers' products read, 2,000 written, 500 reported."""
    f = Feeder()
    for agent in AGENTS:
        peers = [("answer", 1_000, peer) for peer in AGENTS if peer != agent]
        f.call(
            agent,
            [("dispatch", 500, "lead"), *peers],
            [("answer", 2_000, agent), ("report", 500, agent)],
        )
    assert f.tokens() == 35_000
    assert f.tokens(purpose_class="coordination") == 25_000
    assert f.tokens(purpose_class="work") == 10_000  # what a single agent would have written
    assert round(100 * 25_000 / f.tokens(), 1) == 71.4
    assert {f.tokens(purpose=p) for p in ("dispatch", "report")} == {2_500}
    assert f.tokens(purpose="sync") == 20_000


def test_cost_equation_of_a_twenty_step_refactoring() -> None:
    """Activity. single = 20 steps of 3,000. Team = K·M·c + C_plan + K·M·C_sync + C_merge with K = 3 agents, M = 8 steps
    of c = 3,000 and C_sync = 1,000, C_plan = 8,000, C_merge = 10,000. The split of each call into prompt and completion
    is ours; the equation gives only its whole."""
    single = Feeder()
    for _ in range(20):
        single.call("solver", [("task", 2_000, TASK)], [("answer", 1_000, "solver")])
    assert single.tokens() == single.activity("answer") == 60_000

    team = Feeder()
    team.call("lead", [("task", 6_000, TASK)], [("plan", 2_000, "lead")], intent="plan", stance=Stance.LEAD)
    for agent in AGENTS[:3]:
        for _ in range(8):
            team.call(agent, [("dispatch", 2_000, "lead")], [("answer", 1_000, agent)])
            team.call(agent, [("answer", 900, "lead")], [("sync", 100, agent)], intent="sync")
    results = [("answer", 2_500, agent) for agent in AGENTS[:3]]
    team.call("lead", results, [("merge", 2_500, "lead")], intent="merge", stance=Stance.LEAD)
    assert {p: team.activity(p) for p in ("plan", "answer", "sync", "merge")} == {
        "plan": 8_000,
        "answer": 72_000,
        "sync": 24_000,
        "merge": 10_000,
    }
    assert team.tokens() == 114_000
    assert team.tokens() / single.tokens() == pytest.approx(1.9)


def test_mixture_of_agents() -> None:
    """Activity. Three proposers of 2,000 and an aggregator of 8,000, against one answer of 2,000."""
    f = Feeder()
    for agent in AGENTS[:3]:
        f.call(agent, [("task", 500, TASK)], [("answer", 1_500, agent)])
    proposals = [("answer", 1_500, agent) for agent in AGENTS[:3]]
    f.call(
        "lead",
        [("task", 500, TASK), *proposals],
        [("merge", 3_000, "lead")],
        intent="merge",
        stance=Stance.LEAD,
    )
    assert (f.activity("answer"), f.activity("merge")) == (6_000, 8_000)
    assert f.tokens() == 14_000 == 7 * 2_000
    assert f.tokens(direction="prompt", purpose="merge") == 4_500  # the proposals, read in order to combine them


def test_debate() -> None:
    """Three agents, five rounds of 4,000 each, against 5,000: the total is the claim, the content view splits it."""
    f = Feeder()
    debaters = AGENTS[:3]
    for agent in debaters:
        f.call(agent, [("task", 3_000, TASK)], [("answer", 1_000, agent)])
    for _ in range(4):
        for agent in debaters:
            peers = [("answer", 1_000, peer) for peer in debaters if peer != agent]
            f.call(agent, [("answer", 1_000, agent), *peers], [("sync", 1_000, agent)], intent="sync")
    assert f.tokens() == 60_000 == 12 * 5_000
    assert f.tokens(direction="prompt", purpose="sync") == 4 * 3 * 2_000
    assert f.activity("sync") == 48_000


def test_isolation_compresses_a_hundredfold() -> None:
    """Distinct source tokens that a sub-agent read, over the tokens that it sent back."""
    f = Feeder()
    f.call("searcher", [("dispatch", 100, "lead"), ("task", 50_000, "tool")], [("report", 500, "searcher")])
    f.call("lead", [("report", 500, "searcher")], [("answer", 100, "lead")], stance=Stance.LEAD)
    source = sum(s.tokens for s in f.ledger.shares if s.author == "tool" and s.reread == "new")
    sent_back = f.tokens(direction="completion", author="searcher")
    assert source / sent_back == 100


def test_for_one_simple_search_spawning_loses() -> None:
    """The search itself takes 300 tokens; the order, the scaffold and the hand-over cost more than that."""
    alone, team = Feeder(), Feeder()
    alone.call("solver", [("task", 200, TASK)], [("answer", 100, "solver")])
    team.call("lead", [("task", 200, TASK)], [("dispatch", 80, "lead")], intent="plan", stance=Stance.LEAD)
    team.call("searcher", [("scaffold", 150, "engine"), ("dispatch", 80, "lead")], [("report", 100, "searcher")])
    team.call("lead", [("task", 200, TASK), ("report", 100, "searcher")], [("merge", 100, "lead")], stance=Stance.LEAD)
    assert team.tokens() > alone.tokens()
    assert team.tokens(purpose_class="coordination") > team.tokens(purpose_class="work")


def test_talk_of_ten_agents() -> None:
    """Content. Ten agents that each work 600 and talk 400: two fifths of all tokens."""
    f = Feeder()
    for n in range(10):
        f.call(
            f"agent{n}", [("sync", 300, "lead"), ("task", 300, TASK)], [("sync", 100, f"a{n}"), ("answer", 300, "x")]
        )
    assert f.tokens(purpose="sync") / f.tokens() == pytest.approx(0.4)


@pytest.mark.parametrize(("agents", "channels"), [(2, 1), (3, 3), (5, 10), (7, 21), (10, 45)])
def test_channels(agents: int, channels: int) -> None:
    """The reader's arithmetic n(n-1)/2, from message rows: if each writes to each, that many pairs have talked."""
    names = [f"agent{n}" for n in range(agents)]
    talked = {frozenset((a, b)) for a in names for b in names if a != b}
    assert len(talked) == channels == agents * (agents - 1) // 2


def test_a_bill_of_two_dollars_fifty() -> None:
    """USD, content. Prompt tokens at $2 a million, completion tokens at $10: 500,000 + 150,000 cost $2.50, and the
    coordination among them, 450,000 + 60,000, $1.50."""
    f = Feeder(CardPricing(PriceCard(input=2, output=10)))
    f.call(
        "expert",
        [("task", 50_000, TASK), ("scaffold", 150_000, "engine"), ("sync", 300_000, "bob")],
        [("answer", 90_000, "expert"), ("plan", 60_000, "expert")],
    )
    total = sum(c.cost_pusd or 0 for c in f.ledger.calls)
    assert total == 2_500_000_000_000
    assert f.pusd(purpose_class="coordination") == 1_500_000_000_000
    assert f.pusd(purpose_class="work") == 1_000_000_000_000
