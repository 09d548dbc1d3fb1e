"""The tree of a scenario, and the confusion table of all, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from results.bridge import BASELINE
from results.comparison.contrast import Difference, Quotient
from results.comparison.sheets import ratio_set, signed, sure
from results.sheet import Sheet, sheet
from results.stats import LEVEL, MIN_CLUSTERS
from results.verdict.tree.between import Between
from results.verdict.tree.confusion import NOTHING_SAID, ONE, TEAM, UNDECIDED, Confusion, Right
from results.verdict.tree.question import Answer, Figure, Question, Share
from results.verdict.tree.tree import Tree
from results.verdict.verdict import SIMULATED, signed_usd
from results.writing import NOTHING, counted, percent, usd

ABOVE = "as above"
"""In place of an answer that the figures before have led to as well."""


def tree_sheets(tree: Tree, simulated: bool) -> Iterator[Sheet | str]:
    """What was asked and answered, what that predicts, what the teams did, and the leaf. What to run for a question
    that was not asked stands in ``unasked``, once for all scenarios."""
    sim = SIMULATED if simulated else ""
    if any(q.figures for q in tree.questions):
        yield _asked(tree, simulated, sim)
    for question in tree.questions:
        if question.answer is Answer.NOT_ASKED:
            yield f"{question.number} {question.name}? {sim}{question.answer}: what to run stands at the end."
        else:
            yield f"{question.number} {question.name}? {sim}{question.answer}. {_sentence(question.why)}"
    if any(p.figures for q in tree.questions for p in q.predictions):
        yield _predicted(tree, simulated, sim)
    for question in tree.questions:
        for prediction in question.predictions:
            said = f"{question.number} predicts that {prediction.says}: {sim}{prediction.outcome}."
            yield f"{said} {_sentence(prediction.why)}"
    yield f"The tree's leaf: {NOTHING if tree.leaf is None else f'{sim}{tree.leaf}'}"


@dataclass(frozen=True, slots=True)
class Unasked:
    """A question that the rows of some ``scenarios`` do not answer, and ``why``, with what to run."""

    number: int
    name: str
    why: str
    scenarios: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"{self.number} {self.name}? Not asked of {', '.join(self.scenarios)}"


def unasked(trees: Iterable[tuple[str, Tree]]) -> tuple[Unasked, ...]:
    """Questions without an answer, alike ones together, by number. ``trees``: with the names of their scenarios."""
    found: dict[tuple[int, str, str], dict[str, None]] = {}
    for name, tree in trees:
        for q in tree.questions:
            if q.answer is Answer.NOT_ASKED:
                found.setdefault((q.number, q.name, _sentence(q.why)), {})[name] = None
    return tuple(Unasked(*key, tuple(names)) for key, names in sorted(found.items(), key=lambda item: item[0][0]))


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:].rstrip('.')}."


def _scenarios(n: int) -> str:
    return "scenario" if n == 1 else "scenarios"


def confusion_sheets(found: Confusion) -> Iterator[Sheet | str]:
    """The table, and how often the tree is right, beside the rule that it has to beat."""
    sim = SIMULATED if found.simulated else ""
    title = f"What the tree says (rows) and what the money says, over {counted(found.scenarios, 'scenario')}"
    table = sheet(title, found.simulated, "tree", _money(found))
    for name, words in ((TEAM, "team"), (ONE, f"{BASELINE} (or compress)"), (NOTHING_SAID, "nothing")):
        counts = [found.counts.get((name, money), 0) for money in (TEAM, ONE, UNDECIDED)]
        if name != NOTHING_SAID or any(counts):
            table.add(f"{sim}{words}", [f"{n:,}" for n in counts])
    yield table
    if found.tree is None or found.always_single is None:
        yield f"{sim}no scenario on which both the tree and the money decide, so that neither can be called right."
        return
    yield (
        f"{sim}on {counted(found.decided, 'scenario')} both decide: there the tree is right on {_right(found.tree)}, "
        f"the rule `always {BASELINE}`, which it has to beat, on {_right(found.always_single)}."
    )


def _money(found: Confusion) -> list[str]:
    """What the money may say. Simulated rows never say what to use."""
    if found.simulated:
        return [f"{SIMULATED}{word}" for word in (TEAM, BASELINE, "depends")]
    return [f"use a {TEAM}", f"use {BASELINE}", UNDECIDED]


def _right(found: Right) -> str:
    said = f"{found.part:,} ({percent(found.part / found.whole)}"
    if found.interval is not None:
        said += f", {100 * LEVEL:.0f} % {percent(found.interval.low)} to {percent(found.interval.high)}"
    return f"{said})"


def _asked(tree: Tree, simulated: bool, sim: str) -> Sheet:
    table = sheet("Decision tree (004): what the rows answer", simulated, "question", _columns(simulated, "answer"))
    for question in tree.questions:
        _add(table, question, question.figures, f"{sim}{question.answer}")
    return table


def _predicted(tree: Tree, simulated: bool, sim: str) -> Sheet:
    title = "What the tree predicts, and what the teams did"
    table = sheet(title, simulated, "question", _columns(simulated, "prediction"))
    for question in tree.questions:
        for prediction in question.predictions:
            _add(table, question, prediction.figures, f"{sim}{prediction.outcome}")
    return table


def _columns(simulated: bool, said: str) -> list[str]:
    spread = "± Monte-Carlo" if simulated else f"{100 * LEVEL:.0f} % interval"
    return ["of", "value", spread, "samples\n(clusters)", "wanted", said]


def _add(table: Sheet, question: Question, figures: tuple[Figure, ...], said: str) -> None:
    """What was said stands on the first line only, under a rule."""
    if figures and table.rows:
        table.rule()
    for number, figure in enumerate(figures):
        cells = [figure.who or BASELINE, *_cells(figure), figure.wanted or NOTHING, ABOVE if number else said]
        table.add(f"{question.number}: {figure.name}", cells)


def _cells(figure: Figure) -> tuple[str, str, str]:
    """Value, how sure it is, on how many samples and clusters."""
    found = figure.found
    if isinstance(found, Share):
        part = f"{found.part:,} of {found.whole:,}\n({percent(found.fraction)})"
        return part, NOTHING, f"{found.whole:,} ({found.clusters:,})"
    if isinstance(found, Quotient):
        value = NOTHING if found.value is None else f"{found.value:.2f} ×"
        known = found.found is not None and found.clusters >= MIN_CLUSTERS
        return (
            value,
            ratio_set(found, "{:,.2f}".format) if known else NOTHING,
            f"{found.samples:,} ({found.clusters:,})",
        )
    if isinstance(found, Between):
        return (
            signed(found.value),
            _between(found),
            "\nand ".join(
                f"{samples:,} ({clusters:,})" for samples, clusters in zip(found.samples, found.clusters, strict=True)
            ),
        )
    value, around = (signed_usd(found.value), _sure_usd(found)) if figure.usd else (signed(found.value), sure(found))
    return value, around, f"{found.samples:,} ({found.clusters:,})"


def _between(found: Between) -> str:
    if found.interval is not None:
        return f"{signed(found.interval.low)} to {signed(found.interval.high)}"
    return NOTHING if found.monte_carlo is None else f"± {found.monte_carlo:.3f}"


def _sure_usd(found: Difference) -> str:
    if found.found is None:
        return NOTHING if found.monte_carlo is None else f"± {usd(found.monte_carlo)}"
    if found.found.interval is None:
        return f"none: {counted(found.clusters, 'cluster')}"
    return f"{signed_usd(found.found.interval.low)} to\n{signed_usd(found.found.interval.high)}"
