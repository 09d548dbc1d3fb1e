"""``python -m harness.entry.pairwise STORE --a CELL --b CELL``: which of two cells' stored answers a judge prefers."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from harness.accounting.ledger import PUSD, Ledger
from harness.clock.protocol import Clock
from harness.clock.runner import run as run_clock
from harness.entry.aside import Parser, ending
from harness.entry.commandline import CommandLine
from harness.entry.composition import composition
from harness.entry.manifest import new_experiment_id
from harness.entry.pairfile import PairFile
from harness.entry.pairs import Docket, docket
from harness.entry.planning import Usd, table
from harness.entry.resolved import hide
from harness.entry.wiring import Plan, wire
from harness.errors import ConfigError, LimitExceeded, single_fault
from harness.experiment import refuse_unpriced
from harness.graders.judge import Judge
from harness.graders.pairwise import JUDGED, Count, Hearing, Pair
from harness.limits import Scope
from harness.version import VERSION

MODULE = "harness/entry/pairwise.py"
INCOMPLETE = 1


def main(argv: Sequence[str]) -> int:
    """Compare, store and print. Exit codes: 0 every pair that has two whole answers was judged (or help was printed), 1
    some were not, 2 the input is wrong, 130 interrupted."""
    return ending(lambda words: _compare(*_parser().parse_known_args(words)), argv)


def _parser() -> Parser:
    parser = Parser(
        prog="python -m harness.entry.pairwise",
        description="Lays the stored answers of two cells before a judge, each pair in both orders. A side wins a pair "
        "only if both orders say so. Verdicts and the judge's calls go to STORE/pairwise.",
        epilog="All other words are those of `python -m harness`: the task that the runs were made with, model.* and "
        "grader.* of the judge. Example: python -m harness.entry.pairwise runs --a single --b bus task=qa_corpus "
        "task.docs=4 grader.key_shown=true",
        allow_abbrev=False,
    )
    parser.add_argument("store", type=Path, metavar="STORE", help="the store with the runs")
    parser.add_argument("--a", required=True, metavar="CELL", help="one side: a topology, or a cell's id such as c0")
    parser.add_argument("--b", required=True, metavar="CELL", help="the other side")
    parser.add_argument("--experiment", default="last", metavar="ID", help="the experiment's id, or 'last' (default)")
    return parser


def _compare(options: argparse.Namespace, words: Sequence[str]) -> int:
    comparison_id = new_experiment_id()
    plan = _plan(words, comparison_id)
    if plan is None:
        return 0
    planned = plan.cells[0]
    judge = planned.cell.grader
    if not isinstance(judge, Judge):
        raise ConfigError(
            f"grader={planned.cell.grader_name} is no judge: choose grader=judge, or an option based on it."
        )
    if judge.votes != 1:
        raise ConfigError(f"grader.votes={judge.votes}: a pair is judged once in each order. Leave it out.")
    refuse_unpriced(planned.cell)
    listed = docket(options.store, options.experiment, options.a, options.b, planned)
    court = _Court(plan, judge, listed, comparison_id, options.store)
    try:
        run_clock(planned.clock.kind, court.sit, scale=planned.clock.scale, watchdog_s=planned.clock.watchdog_s)
    except KeyboardInterrupt:
        print(f"interrupted: what was judged until then stands in {court.path}", file=sys.stderr)
        raise
    court.show()
    return 0 if all(h.outcome in JUDGED for h in court.hearings) and court.limit is None else INCOMPLETE


def _plan(words: Sequence[str], comparison_id: str) -> Plan | None:
    """The one configuration that the words give, with a judge; None when they only asked for help."""
    chosen = [] if any(word.startswith("grader=") for word in words) else ["grader=judge"]
    command = CommandLine.parse([MODULE, *chosen, *words])
    if command.multirun:
        raise ConfigError("a comparison has one configuration: leave out -m, and compare twice.")
    cells = composition(command, comparison_id)
    return wire(cells, command, comparison_id) if cells else None


@dataclass(slots=True)
class _Court:
    """One comparison. ``limit``: what the experiment's limit said when it tripped."""

    plan: Plan
    judge: Judge
    docket: Docket
    comparison_id: str
    store: Path
    hearings: list[Hearing] = field(default_factory=list)
    limit: str | None = None
    simulated: bool = False
    path: Path | None = None

    async def sit(self, clock: Clock) -> None:
        """Judge all pairs, a few at once. Whatever has been spent is stored, also if this is cancelled."""
        model = self.plan.cells[0].cell.model
        status = "interrupted"
        try:
            await model.open(clock)
            self.simulated = self.judge.of(model).simulated
            file = PairFile(self.store, self.comparison_id, self._facts())
            self.path = file.path
            for (sample_id, epoch), why in self.docket.left_out.items():
                file.left_out(sample_id, epoch, why)
            try:
                left = iter(self.docket.pairs)
                limits = self.plan.limits
                scope = Scope("experiment", usd=limits.experiment_usd, tokens=limits.experiment_tokens)
                with single_fault():
                    async with asyncio.TaskGroup() as group:
                        for _ in range(self.plan.settings.concurrency):
                            group.create_task(self._work(left, clock, scope, file))
                status = "complete" if self.limit is None else "limit"
            finally:
                file.close(status, Count.of(self.hearings))
        finally:
            await model.close()

    async def _work(self, left: Iterator[Pair], clock: Clock, scope: Scope, file: PairFile) -> None:
        cell = self.plan.cells[0].cell
        for pair in left:
            try:
                scope.check()
            except LimitExceeded as limit:
                self.limit = str(limit)
                return
            hearing = Hearing(pair, Ledger(f"{self.comparison_id}-{pair.sample_id}-e{pair.epoch}"))
            self.hearings.append(hearing)
            try:
                await hearing.judge(self.judge, cell, self.docket.samples[pair.sample_id], clock, scope)
            finally:
                file.heard(hearing)
            if hearing.outcome == "limit":
                self.limit = hearing.error

    def _facts(self) -> dict[str, object]:
        """What the figures can be traced to."""
        cell, manifest = self.plan.cells[0].cell, self.plan.info.manifest
        return {
            "started_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "command": manifest["command"],
            "overrides": [hide(o) for o in manifest["overrides"]],
            "experiment_id": self.docket.experiment_id,
            "a": self.docket.sides["a"].facts(),
            "b": self.docket.sides["b"].facts(),
            "task": cell.task_name,
            "model": self.judge.of(cell.model).name,
            "simulated": self.simulated,
            "rubric_hash": self.judge.rubric_hash,
            "config_hash": cell.config_hash,
            "config": manifest["cells"][0]["config"],
            "git_commit": manifest["git_commit"],
            "versions": manifest["versions"],
            "harness_version": VERSION,
        }

    def show(self) -> None:
        """Counts and what was spent; no claim about significance is made."""
        count, sides = Count.of(self.hearings), self.docket.sides
        if self.simulated or any(side.simulated for side in sides.values()):
            made = {"the judge": self.simulated, **{f"side {s.upper()}": c.simulated for s, c in sides.items()}}
            who = [name for name, simulated in made.items() if simulated]
            print(f"SIMULATED: {', '.join(who)}. What-if figures, never evidence about a real model.")
        named = {s: f"{c.topology} ({c.cell_id})" for s, c in sides.items()}
        print(
            f"A = {named['a']}, B = {named['b']}; experiment {self.docket.experiment_id}, task {sides['a'].task}; "
            f"judged by model '{self.judge.of(self.plan.cells[0].cell.model).name}', each pair in both orders.\n"
        )
        usd = Usd(None if count.cost_pusd is None else count.cost_pusd / PUSD, count.cost_complete)
        figures = {
            "pairs": count.pairs, "A better": count.a, "B better": count.b, "ties": count.ties,
            "position-dependent": count.position, "identical": count.identical, "judge tokens": count.tokens,
        }  # fmt: skip
        table([(*figures, "USD"), (*(f"{n:,}" for n in figures.values()), str(usd))], left=0)
        print("ties: both orders say so, they disagree (position-dependent), or the answers are the same (not asked)")
        print(
            f"\nverdicts: {count.first:,} for the answer shown first, {count.second:,} for the one shown second, "
            f"{count.neither:,} for neither"
        )
        failed = Counter(f"{h.outcome}: {h.error}" for h in self.hearings if h.outcome not in JUDGED)
        not_judged = self.docket.reasons() + failed
        unheard = len(self.docket.pairs) - len(self.hearings)
        if unheard:
            not_judged[f"limit: {self.limit}"] += unheard
        for why, pairs in not_judged.most_common():
            print(f"not judged: {pairs:,} x {why}")
        print(f"\nVerdicts, and the judge's calls: {self.path}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
