"""The claims of the source documents (seed documents 000, 001, 003, 004), in the order of docs/claims.md.

The cells that they need are run by ``conf/experiment/claims.yaml``; a test holds the two together.
"""

from __future__ import annotations

import math

from results.claims.claim import Claim, Matter, Params
from results.claims.measures import bill, calls, chain, channels, isolated, share, times_single
from results.claims.returns import FAMILY, elsewhere, first_question, grid, too_small

SINGLE = {"topology": "single"}
MOA = {"topology": "moa"}
DEBATE = {"topology": "debate", "topology.stop_on_agreement": False}
TAX = {"topology": "bus", "topology.workers": 5}
TALKERS = {"topology": "bus", "topology.workers": 8}
LAYERS = {"topology": "nested", "limits.max_depth": 2}
SPAWN = {"topology": "sync", "topology.max_dispatches": 1}
CALLERS = {"task": "code_search", "task.samples": 2, "task.kinds": ["callers"]}
ONE_GREP = {"task": "code_search", "task.samples": 2, "task.kinds": ["grep"], "task.questions": 1}
REFACTORING = {"task": "refactor", "task.corpus": None, "task.parts": 12, "task.samples": 6}
"""``task.corpus`` is what the experiment sets for the other claims; this suite has none (``~task.corpus``)."""
_FIVE = {"task": "refactor", "task.corpus": None, "task.parts": 5, "task.samples": 6}
FIVE_STEPS = {"single": {**SINGLE, **_FIVE}, "expert": {"topology": "expert", **_FIVE}}
ENDLESS = {"topology": "nested", "limits.max_depth": None, "limits.run_calls": None, "limits.run_wall_s": 240}


def _suites(*names: str) -> dict[str, Params]:
    return {name: {} if name == "qa_corpus" else {"task": name, "task.corpus": None} for name in names}


SUITES = _suites("qa_corpus", "math", "specialists", "refactor", "review")
MORE = _suites("briefing", "monthly_figures")
"""With ``code_search``, the suites that run on every machine: functions and modules run code, and need a sandbox."""
TEAMS = ("bus", "moa")
SMALL = {"model.window_tokens": 32000}

_TALK = {
    "orders": ("dispatch",),
    "results handed over and read": ("report", "merge"),
    "other messages": ("sync", "feedback"),
}
"""What agents say to each other and read of each other; neither roles and protocols nor planning."""

_PARALLEL = ("model.behaviour.reading.parallel", 8)
_CLARIFY = ("model.behaviour.clarify.rate", 0.05)
_TROUBLE = ("model.behaviour.delegation.trouble", 0.03)
_DECIDES = Matter("model.behaviour.planning.decides", 0.3, ("expert",))
_SPEED = ("model.latency.tokens_per_s", 80.0)


def _channels(agents: int, where: str, cell: Params) -> Claim:
    claimed = agents * (agents - 1) // 2
    return Claim(
        f"channels of {agents} agents", "004, cost of multi-agent systems", f"n(n-1)/2 = {claimed}; here {where}",
        claimed, claimed, "channels", cells={"team": cell}, measure=channels("team"),
    )  # fmt: skip


def _debate_of(agents: int) -> Claim:
    cell = {**DEBATE, "topology.debaters": agents, "topology.rounds": 2}
    return _channels(agents, "a debate, in which by construction all read all", cell)


_BUS = "the bus, where members may write to each other and seldom do"


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "coordination tax of one round",
        "004, coordination tax",
        "5 agents spend 25,000 of 35,000 tokens on coordination (71.4 %, content); here a lead and 5 members on the "
        "bus, who do not read each other, over whole runs",
        71.4,
        71.4,
        "%",
        {"orders": 7.1, "others' products": 57.1, "reports": 7.1, "work": 28.6},
        {"bus": TAX},
        share(
            "bus",
            {
                "orders": ("dispatch",),
                "others' products": ("sync", "merge"),
                "reports": ("report",),
                "roles, protocol, plan": ("scaffold", "plan"),
                "work": ("task", "answer"),
                "verification": ("review", "feedback", "rework"),
            },
            ("orders", "others' products", "reports", "roles, protocol, plan"),
        ),
        (Matter(*_CLARIFY, ("bus",)),),
    ),
    Claim(
        "cost equation of a 20-step refactoring",
        "004, cost equation",
        "3 agents 114,000 against 60,000 tokens (1.9 ×, activity); here a lead and 2 members on the bus, 12 files",
        1.9,
        1.9,
        "×",
        {"plan": 0.13, "work": 1.2, "sync": 0.4, "merge": 0.17},
        {"single": {**SINGLE, **REFACTORING}, "bus": {"topology": "bus", "topology.workers": 2, **REFACTORING}},
        times_single("bus", {"plan": ("plan", "dispatch"), "work": ("task", "answer")}, by="activity"),
        (Matter("model.behaviour.planning.decides", 0.3, ("bus",)),),
    ),
    Claim(
        "mixture of agents",
        "004, Mixture-of-Agents",
        "3 proposers of 2,000 and an aggregator of 8,000 against 2,000 tokens (7 ×)",
        7,
        7,
        "×",
        {"proposers": 3.0, "aggregator": 4.0},
        {"single": SINGLE, "moa": MOA},
        times_single("moa", {"proposers": ("proposer",), "aggregator": ("aggregator",)}),
        (Matter(*_PARALLEL, ("single", "moa")),),
    ),
    Claim(
        "debate",
        "004, three wasteful scenes",
        "3 agents × 5 rounds 60,000 against 5,000 tokens of one strong model (12 ×); here against single",
        12,
        12,
        "×",
        {},
        {"single": SINGLE, "debate": DEBATE},
        times_single("debate", {}, by="purpose"),
        (Matter(*_PARALLEL, ("single", "debate")),),
    ),
    Claim(
        "expert team",
        "004, the bill of multi-agent systems",
        "5 steps 200,000+ against about 80,000 tokens (2.5 ×); here a program of five files, a step each",
        2.5,
        2.5,
        "×",
        {},
        FIVE_STEPS,
        times_single("expert", {"experts": ("alice", "bob", "carol")}),
        (_DECIDES,),
    ),
    Claim(
        "isolation",
        "004, layer 1",
        "a search sub-agent reads 50,000 and returns 500 tokens (100 ×); here who calls what, four questions a sample, "
        "source as the tool shows it, with line numbers",
        100,
        100,
        "×",
        {},
        {"single": {**SINGLE, **CALLERS}, "sync": {**SPAWN, **CALLERS}},
        isolated("sync"),
    ),
    Claim(
        "a simple grep",
        "004, layer 1",
        "for one simple grep, spawning a sub-agent costs more than doing it at once; here one question, one sub-agent",
        1,
        math.inf,
        "×",
        {},
        {"single": {**SINGLE, **ONE_GREP}, "sync": {**SPAWN, **ONE_GREP}},
        times_single("sync", {}),
    ),
    Claim(
        "three nested layers, full context",
        "003, section 3.3",
        "4 to 5 times the single agent's tokens",
        4,
        5,
        "×",
        {},
        {"single": SINGLE, "nested": LAYERS},
        times_single("nested", {}),
        (Matter(*_PARALLEL, ("single", "nested")), Matter(*_TROUBLE, ("nested",))),
    ),
    Claim(
        "cascade without a depth limit",
        "000, section 7",
        "a lead, 3 workers, 2 each: about 40 model calls for one question",
        40,
        40,
        "calls",
        {},
        {"nested": ENDLESS},
        calls("nested"),
        (Matter(*_TROUBLE, ("nested",)),),
    ),
    Claim(
        "circular delegation",
        "003, section 3.4",
        "with only the overall timeout (here 240 s), dozens of sub-agents are created, each by the one before",
        20,
        99,
        "levels",
        {},
        {"nested": ENDLESS},
        chain("nested"),
        (Matter(*_TROUBLE, ("nested",)), Matter(*_SPEED, ("nested",))),
    ),
    Claim(
        "talk",
        "004, introduction",
        "ten agents spend about 40 % of their tokens talking to each other (here nine: the roster's cap)",
        40,
        40,
        "%",
        {},
        {"bus": TALKERS},
        share("bus", _TALK, tuple(_TALK)),
        (Matter(*_CLARIFY, ("bus",)),),
    ),
    *(_debate_of(agents) for agents in (3, 5, 10)),
    _channels(6, _BUS, TAX),
    _channels(9, _BUS, TALKERS),
    Claim(
        "where tasks end",
        "004, decision tree",
        "about 80 % of tasks end at the tree's first question, whether they fit one window; here the share of samples "
        f"of {len(SUITES) + len(MORE) + 1} suites, at the sizes of this experiment, whose material and longest "
        "output do",
        80,
        80,
        "%",
        cells={"code_search/single": {**SINGLE, **CALLERS}, **grid(("single",), {**SUITES, **MORE})},
        measure=first_question,
    ),
    Claim(
        "bill",
        "004, the bill of multi-agent systems",
        "an expert run of $2.50 of which $1.50 (60 %) is coordination; here in USD, a program of five files, a step "
        "each",
        60,
        60,
        "%",
        {},
        FIVE_STEPS,
        bill("expert"),
        (_DECIDES,),
    ),
    Claim(
        "return in no other case",
        "004, cost equation",
        "positive in three cases only: window, time saved, risk avoided; here pairs of a suite (of five) and a team "
        "(bus, moa) that pays in none of the three: more than 0.05 of score above the best of single, strong, resample",
        0,
        0,
        "pairs",
        cells=grid((*FAMILY, *TEAMS), SUITES),
        measure=elsewhere(TEAMS),
    ),
    Claim(
        "return where the window is too small",
        "004, cost equation",
        "a task that does not fit one window pays for a team; here who calls what in 50,000 tokens of source, with a "
        "window of 32,000: best team over best of those alone",
        0,
        math.inf,
        "points",
        cells={
            **{t: {"topology": t, **CALLERS, **SMALL} for t in (*FAMILY, "bus", "sync")},
            "compact": {**SINGLE, "topology.compact": True, **CALLERS, **SMALL},
        },
        measure=too_small(("bus", "sync"), (*FAMILY, "compact")),
    ),
)
