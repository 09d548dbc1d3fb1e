"""From stored rows to the document, nothing drawn yet."""

from __future__ import annotations

from harness.errors import StoreError
from results.comparison.comparison import Comparison
from results.crossover.analysis import crossovers
from results.crossover.tables import Crossover
from results.frames import Results
from results.matrix.render import matrix_sheets
from results.matrix.table import matrices
from results.report import activity
from results.report.document import Answer, Aside, Document, Section
from results.report.facts import Row, banners, facts, rows
from results.report.sections import SECTIONS, UNASKED, split
from results.report.subject import Subject, plain, settings
from results.report.words import WORDS
from results.summary import Group, summarize
from results.tally import tallied
from results.verdict.prices import Prices
from results.verdict.roi import Roi, Worth, roi
from results.verdict.sheets import questions, turned
from results.verdict.tree.sheets import confusion_sheets
from results.writing import counted


def document(results: Results, experiment: str | None = None, prices: Prices | None = None) -> Document:
    """All that a report says of one experiment (an id or ``last``), or of all in ``results``.

    ``prices``: as for ``roi``. Without ``single``, or anything to compare it with, there is no verdict, and the report
    says why. Raises StoreError for an experiment that is not there and for rows that contradict each other.
    """
    chosen = results if experiment is None else results.of(experiment)
    summary, tally, runs = summarize(chosen), tallied(chosen), rows(chosen)
    judged, unjudged = _judged(chosen, prices or Prices())
    agents, crossed = activity.agents(chosen), _crossed(chosen, prices or Prices())
    stems = _stems(summary.groups)
    subjects = []
    for group, stem in zip(summary.groups, stems, strict=True):
        of_task = tally.runs.texts("experiment_id").equal(group.experiment_id)
        of_task &= tally.runs.texts("task").equal(group.task)
        of_task &= tally.runs.numbers("simulated").astype(bool) == group.simulated
        mine = tuple(r for r in runs if _key(r) == (group.experiment_id, group.task, group.simulated))
        worths = tuple(w for w in judged.worths if _about(w, group)) if judged else ()
        found = tuple(
            c
            for c in crossed
            if (c.experiment_id, c.task, c.simulated) == (group.experiment_id, group.task, group.simulated)
        )
        subjects.append(Subject(chosen, group, worths, unjudged, found, tally.runs.where(of_task), mine, agents, stem))
    return Document(
        title="Is a team worth it?",
        about=_about_all(chosen),
        facts=facts(chosen, runs),
        banners=banners(chosen, runs, summary, _comparisons(judged), _beside(results, chosen)),
        answers=tuple(answer for subject in subjects for answer in _answers(subject)),
        sections=(
            *_overview(chosen, len(subjects)),
            *_turns(judged),
            *_confusions(judged),
            *map(_section, subjects),
            *_unasked(judged),
            WORDS,
        ),
        notes=summary.notes,
    )


def _comparisons(judged: Roi | None) -> tuple[Comparison, ...]:
    return tuple(worth.comparison for worth in judged.worths) if judged else ()


def _beside(results: Results, chosen: Results) -> list[str]:
    """Experiments of the store that are not reported, the newest first."""
    opened = [m["experiment_id"] for m in reversed(results.manifests)]
    ids = dict.fromkeys((*opened, *results.experiment_ids))
    return [experiment for experiment in ids if experiment not in chosen.experiment_ids]


def _judged(results: Results, prices: Prices) -> tuple[Roi | None, str]:
    try:
        return roi(results, prices=prices), "single and its teams share no sample of this task."
    except StoreError as nothing:
        return None, str(nothing)


def _crossed(results: Results, prices: Prices) -> tuple[Crossover, ...]:
    """The size sweeps among the runs; there need not be any."""
    hour_usd = prices.hour_usd if prices.score_usd is not None else 0.0
    try:
        return crossovers(results, score_usd=prices.score_usd, hour_usd=hour_usd)
    except StoreError:
        return ()


def _key(run: Row) -> tuple[str, str, bool]:
    return run["experiment_id"], run["task"], run["simulated"]


def _about(worth: Worth, group: Group) -> bool:
    scenario = worth.comparison.scenario
    mine = (scenario.experiment_id, scenario.task, scenario.simulated)
    return mine == (group.experiment_id, group.task, group.simulated)


def _about_all(results: Results) -> str:
    ids = results.experiment_ids
    return f"experiment {ids[0]}" if len(ids) == 1 else counted(len(ids), "experiment")


def _stems(groups: tuple[Group, ...]) -> list[str]:
    """How the file names of each group's pictures begin: its task, and a number where others are called so as well."""
    made: list[str] = []
    for group in groups:
        wished, number = plain(group.task) or "suite", 1
        while (name := wished if number == 1 else f"{wished}-{number}") in made:
            number += 1
        made.append(name)
    return made


def _answers(subject: Subject) -> list[Answer]:
    group = subject.group
    if not subject.worths:
        return [Answer(group.task, None, subject.unjudged, (), group.simulated)]
    made = []
    for worth in subject.worths:
        chosen = settings(worth.comparison.scenario.setting) if len(subject.worths) > 1 else ""
        about = " · ".join(filter(None, (group.task, chosen)))
        made.append(Answer(about, worth.verdict.says, worth.verdict.why, worth.sentences, group.simulated))
    return made


def _overview(results: Results, groups: int) -> list[Section]:
    """Suites by topologies, where there is more than one suite."""
    if groups < 2:
        return []
    made = []
    for matrix in matrices(results):
        prose, sheets = split(matrix_sheets(matrix))
        name = "All suites" if len(results.experiment_ids) == 1 else f"All suites of {matrix.experiment_id}"
        made.append(Section(name, prose=prose, sheets=sheets, simulated=matrix.simulated))
    return made


def _turns(judged: Roi | None) -> list[Section]:
    lines = tuple(turned(judged)) if judged else ()
    return [Section("Where simulated verdicts flip", prose=lines, simulated=True)] if lines else []


def _confusions(judged: Roi | None) -> list[Section]:
    """What the tree foretold against what the money said, real and simulated scenarios apart."""
    made = []
    for one in judged.confusions if judged else ():
        sentences, sheets = split(confusion_sheets(one))
        made.append(Section("The tree against the money", sentences, sheets=sheets, simulated=one.simulated))
    return made


def _unasked(judged: Roi | None) -> list[Section]:
    """Once for all suites, since most of them lack the same rows."""
    found = questions(judged) if judged else ()
    return [Section(UNASKED, asides=tuple(Aside(q.title, (q.why,)) for q in found))] if found else []


def _section(subject: Subject) -> Section:
    found = (make(subject) for make in SECTIONS)
    inner = tuple(section for section in found if section is not None)
    group = subject.group
    title = group.task if len(subject.results.experiment_ids) == 1 else f"{group.task} ({group.experiment_id})"
    return Section(f"Suite {title}", sections=inner, simulated=group.simulated)
