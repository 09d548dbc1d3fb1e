"""The tree of one scenario: four questions, and the leaf to which the answers lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from results.bridge import BASELINE
from results.comparison.cells import Scenario
from results.comparison.comparison import Comparison
from results.frames import Results
from results.verdict.prices import Prices
from results.verdict.tree.adversarial import adversarial
from results.verdict.tree.divisible import divisible, independent
from results.verdict.tree.expertise import expertise
from results.verdict.tree.fits import fits
from results.verdict.tree.question import Answer, Question
from results.verdict.tree.rows import Declared, Rows

PARALLEL, DAG, COMPRESS = "parallel", "dag", "compress"
REVIEWER, EXPERTS = "+reviewer", "+experts"


@dataclass(frozen=True, slots=True)
class Tree:
    """``leaf``: what the tree recommends (``single``, ``parallel``, ``dag`` or ``compress``, and what is added to it),
    None where its first two questions have no answer. Every question is asked, whether or not its branch is reached:
    the suites that answer the third and the fourth fit one window."""

    questions: tuple[Question, ...]
    leaf: str | None

    @property
    def team(self) -> bool | None:
        """Whether the leaf needs more than one agent."""
        return None if self.leaf is None else self.leaf not in (BASELINE, COMPRESS)


def trees(
    every: Sequence[Scenario], comparisons: Sequence[Comparison], results: Results, prices: Prices
) -> tuple[Tree, ...]:
    """One for each comparison. ``every`` scenario of the analysis, also those without a comparison."""
    rows = Rows(results)
    return tuple(_tree(c, every, comparisons, rows, prices) for c in comparisons)


def _tree(
    comparison: Comparison, every: Sequence[Scenario], comparisons: Sequence[Comparison], rows: Rows, prices: Prices
) -> Tree:
    declared = rows.declared(comparison.scenario, comparison.single)
    first, second = fits(comparison, declared), divisible(comparison, declared)
    third, fourth = adversarial(comparison, every, comparisons, rows, prices), expertise(comparison, rows)
    base = _base(first, second, declared)
    added = "".join(word for q, word in ((third, REVIEWER), (fourth, EXPERTS)) if q.answer is Answer.YES)
    return Tree((first, second, third, fourth), None if base is None else base + added)


def _base(first: Question, second: Question, declared: Declared) -> str | None:
    if first.answer is Answer.YES:
        return BASELINE
    if first.answer is not Answer.NO or second.answer is Answer.NOT_ASKED:
        return None
    if second.answer is Answer.NO:
        return COMPRESS
    return PARALLEL if independent(declared) else DAG
