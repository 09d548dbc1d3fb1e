"""The sections on one group of runs, in the order in which they are read. A new one is a function and its line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from results.comparison.sheets import comparison_sheets
from results.report import activity
from results.report.document import Aside, Section
from results.report.facts import warned
from results.report.plots import crossover, money, retries, size, timeline, tokens, waterfall
from results.report.published import published_sheet
from results.report.subject import MOST, Subject, left_out, settings
from results.sheet import Sheet, sheet
from results.summary_tables import summary_sheets
from results.verdict.roi import Worth
from results.verdict.sheets import money_sheets, priced, said
from results.verdict.tree.question import Answer
from results.verdict.tree.sheets import tree_sheets
from results.writing import counted

MOST_FAILURES = 50
UNASKED = "Questions of the tree that were not asked"
"""The section that says so, once for all suites."""


def split(shown: Iterable[Sheet | str]) -> tuple[tuple[str, ...], tuple[Sheet, ...]]:
    """Sentences and tables apart."""
    everything = list(shown)
    sentences = tuple(s.strip() for s in everything if isinstance(s, str) and s.strip())
    return sentences, tuple(s for s in everything if isinstance(s, Sheet))


def verdicts(subject: Subject) -> Section:
    """Is a team worth it: one block a scenario."""
    if not subject.worths:
        return Section("Verdict", prose=(f"No verdict: {subject.unjudged}",))
    blocks = [_verdict(subject, worth) for worth in subject.worths]
    return blocks[0] if len(blocks) == 1 else Section("Verdict", sections=tuple(blocks))


def _verdict(subject: Subject, worth: Worth) -> Section:
    """The other way round than on a terminal: what came out, why, its figures, and what the tree says of it."""
    first: list[Sheet | str] = [*said(worth), *worth.sentences, priced(worth.prices), *money_sheets(worth)]
    made = _titled(subject, worth, "Verdict", first)
    return replace(made, sections=(_tree(worth),))


def _tree(worth: Worth) -> Section:
    """The questions that were answered; the others are named and folded away."""
    prose, sheets = split(tree_sheets(worth.tree, worth.comparison.scenario.simulated))
    leaf, *others = reversed(prose)
    left = [q for q in worth.tree.questions if q.answer is Answer.NOT_ASKED]
    silent = tuple(f"{q.number} {q.name}?" for q in left)
    told = tuple(s for s in reversed(others) if not s.startswith(silent or ("\0",)))
    aside = Aside(f"Not asked: {counted(len(left), 'question')}", (*silent, f"What to run stands under “{UNASKED}”."))
    return Section("The decision tree", (leaf, *told), sheets=sheets, asides=(aside,) if left else ())


def compared(subject: Subject) -> Section | None:
    """Every cell against ``single`` and its family."""
    title = "Against one agent, at equal money and at equal score"
    blocks = []
    for worth in subject.worths:
        where = settings(worth.comparison.scenario.setting) if len(subject.worths) > 1 else ""
        found = money.money(worth.comparison)
        pictures = () if found is None else (money.picture(found, subject.name("money", where), where),)
        sheets: list[Sheet | str] = list(comparison_sheets(worth.comparison, bridged=False))
        if found is None:
            sheets.insert(0, money.no_picture(worth.comparison))
        blocks.append(_titled(subject, worth, title, sheets, pictures))
    if not blocks:
        return None
    return blocks[0] if len(blocks) == 1 else Section(title, sections=tuple(blocks))


def spent(subject: Subject) -> Section:
    """What tokens were spent on."""
    return Section(
        "What the tokens were spent on",
        pictures=(tokens.picture(tokens.stack(subject.group, subject.runs), subject.name("tokens")),),
    )


def bridged(subject: Subject) -> Section | None:
    """From single to each team."""
    if not subject.bridges:
        return None
    shown = subject.bridges[:MOST]
    pictures = tuple(
        waterfall.picture(b, subject.label(b.cell_id), subject.name("bridge", subject.label(b.cell_id))) for b in shown
    )
    others = [subject.label(b.cell_id) for b in subject.bridges[MOST:]]
    return Section(
        "From single to each team: the bridge", prose=(waterfall.READ, *left_out("bridges", others)), pictures=pictures
    )


def crossed(subject: Subject) -> Section | None:
    """At which size the best choice changes, where the group is a size sweep."""
    if not subject.crossovers:
        return None
    title = "At which size the best choice changes"
    blocks = []
    for found in subject.crossovers:
        pictures = (crossover.picture(found, subject.name("crossover", found.by)),)
        name = title if len(subject.crossovers) == 1 else f"{found.by} at {settings(found.setting)}"
        rest = crossover.tables(found)[crossover.TABLES :]
        blocks.append(Section(name, prose=found.notes, pictures=pictures, folded=rest))
    return blocks[0] if len(blocks) == 1 else Section(title, sections=tuple(blocks))


def sized(subject: Subject) -> Section | None:
    """Coordination against team size."""
    found = size.sizes(subject.group, subject.runs, subject.agents)
    if not found.teams or subject.group.imported:
        return None
    return Section("Coordination and team size", pictures=(size.picture(found, subject.name("size")),))


def timelines(subject: Subject) -> Section | None:
    """One run of each team."""
    cells = {cell: rows for (cell,), rows in subject.runs.groups("cell_id")}
    teams = [row for row in subject.group.rows if row.family != "single"]
    if not teams:
        return None
    if subject.group.imported:
        return None  # who did what, and when, is not known
    chosen = {row.cell_id: activity.typical(cells[row.cell_id]) for row in teams[:MOST]}
    traces = activity.traces(subject.results, chosen.values())
    pictures = []
    for row in teams[:MOST]:
        run_id = chosen[row.cell_id]
        found = timeline.Timeline(
            subject.group.task, row.label, run_id, row.runs, subject.group.simulated, traces[run_id]
        )
        pictures.append(timeline.picture(found, subject.name("timeline", row.label)))
    others = [row.label for row in teams[MOST:]]
    return Section("One run of each team", prose=(timeline.READ, *left_out("teams", others)), pictures=tuple(pictures))


def troubled(subject: Subject) -> Section:
    """Retries, violations, failures and warnings."""
    found = retries.troubles(subject.group)
    sheets = [*_failures(subject), *_warned(subject)]
    title = "Retries, violations and failures"
    if subject.group.imported:
        return Section(
            title, prose=("Of imported runs nobody knows what was retried or refused.",), sheets=tuple(sheets)
        )
    if not found.any:
        none = f"Nothing was retried, refused or unreadable in {counted(len(subject.rows), 'run')}."
        return Section(title, prose=(none,), sheets=tuple(sheets), folded=(retries.table(found),))
    return Section(title, pictures=(retries.picture(found, subject.name("retries")),), sheets=tuple(sheets))


def published(subject: Subject) -> Section | None:
    """What others have measured."""
    found = None if subject.group.imported else published_sheet(subject.group, subject.runs)
    return None if found is None else Section("Beside published figures", sheets=(found,))


def tables(subject: Subject) -> Section:
    """Everything that a run ends with."""
    prose, sheets = split(summary_sheets(subject.group, bridged=False))
    return Section("All tables of these runs", prose=prose, folded=sheets)


SECTIONS: tuple[Callable[[Subject], Section | None], ...] = (
    verdicts,
    compared,
    crossed,
    spent,
    bridged,
    sized,
    timelines,
    troubled,
    published,
    tables,
)
"""In the order of the page."""


def _titled(
    subject: Subject, worth: Worth, title: str, shown: Iterable[Sheet | str], pictures: tuple[Any, ...] = ()
) -> Section:
    """A block on one scenario, named by its setting where there are several."""
    prose, sheets = split(shown)
    name = title if len(subject.worths) == 1 else settings(worth.comparison.scenario.setting)
    return Section(name, prose=prose, pictures=pictures, sheets=sheets)


def _failures(subject: Subject) -> list[Sheet]:
    """Runs that did not end ok, alike ones together."""
    labels = {row.cell_id: row.label for row in subject.group.rows}
    columns = ["run_id", "cell_id", "task", "simulated", "experiment_id", "status", "error_type", "error", "limit"]
    found: dict[tuple[str, str, str], int] = {}
    for run in subject.results.table("runs", columns).to_pylist():
        mine = (run["experiment_id"], run["task"], run["simulated"]) == (
            subject.group.experiment_id,
            subject.group.task,
            subject.group.simulated,
        )
        if mine and run["status"] != "ok":
            said = ": ".join(filter(None, (run["error_type"], run["error"]))) or run["limit"] or ""
            key = (labels[run["cell_id"]], run["status"], _short(said))
            found[key] = found.get(key, 0) + 1
    if not found:
        return []
    made = sheet("Runs that did not end ok", subject.group.simulated, "topology", ["runs", "status", "what it said"])
    for (label, status, said), n in sorted(found.items())[:MOST_FAILURES]:
        made.add(label, [f"{n:,}", status, said])
    if len(found) > MOST_FAILURES:
        made.notes.append(f"The first {MOST_FAILURES:,} kinds of {len(found):,}.")
    return [made]


def _warned(subject: Subject) -> list[Sheet]:
    found = warned(subject.rows)
    if not found:
        return []
    made = sheet("Warnings of runs", subject.group.simulated, "warning", ["runs"])
    for warning, n in found[:MOST_FAILURES]:
        made.add(_short(warning), [f"{n:,} of {len(subject.rows):,}"])
    if len(found) > MOST_FAILURES:
        made.notes.append(f"The first {MOST_FAILURES:,} of {len(found):,}.")
    return [made]


def _short(said: str) -> str:
    """One line of at most 300 characters."""
    line = " ".join(said.split())
    return line if len(line) <= 300 else f"{line[:299]}…"
