"""Question 1: does the task fit one context window?

004: "all that the task needs fits one context window: several agents are nearly always a waste".
"""

from __future__ import annotations

import numpy as np

from results.bridge import BASELINE
from results.comparison.comparison import Comparison
from results.verdict.tree.commands import sweep
from results.verdict.tree.equal_money import no_team_beats
from results.verdict.tree.question import Answer, Figure, Question, Share
from results.verdict.tree.rows import Declared
from results.writing import counted

PERCENT = 95
"""Of the samples have to fit."""
ASKED = f"declared material + longest completion of {BASELINE} ≤ window on ≥ {PERCENT} % of samples"


def fits(comparison: Comparison, declared: Declared) -> Question:
    known = ~np.isnan(declared.material + declared.window + declared.peak)
    ran = int(comparison.single.has.sum())
    if not known.any():
        why = f"no run of {BASELINE} has a call, material_tokens and window_tokens: {sweep(comparison.scenario)}"
        if comparison.scenario.imported:
            why = "imported rows do not say how large the material and the window are"
        return Question(1, "does it fit one window", ASKED, Answer.NOT_ASKED, why)
    fitting = known & (declared.material + declared.peak <= declared.window)
    clusters = len(comparison.scenario.by_cluster(np.where(known, 0.0, np.nan)))
    share = Share(int(fitting.sum()), int(known.sum()), clusters)
    yes = 100 * share.part >= PERCENT * share.whole
    largest = int(np.nanmax((declared.material + declared.peak)[known]))
    why = f"at most {largest:,} tokens against a window of {int(np.nanmin(declared.window[known])):,}"
    if share.whole < ran:
        why += f"; of {counted(ran - share.whole, 'more sample')} nothing is known"
    return Question(
        1,
        "does it fit one window",
        ASKED,
        Answer.YES if yes else Answer.NO,
        why,
        (Figure("samples that fit", share, f"≥ {PERCENT} %"),),
        (no_team_beats(comparison),) if yes else (),
    )
