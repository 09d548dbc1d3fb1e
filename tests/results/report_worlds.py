"""Small stores for tests of reports: one with everything that can go wrong in a row, one without any trouble."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from run_builder import Call, Experiment, Read, record, single, team

from harness.records import RunRecord
from results.store import Store

SCRIPT = '<script>alert("x")</script>'
AGENT = "_李雷 $x$ <b>&\"'"
"""The name of an agent: not Latin, markup, mathematics, and an underscore in front."""
TEAM = "té & <i>|team"
SAMPLES = 8


def written(root: Path, records: Sequence[RunRecord], experiment: str = "exp", **manifest: Any) -> Path:
    store = Store(str(root))
    store.open(Experiment(experiment, manifest))
    for made in records:
        store.write(made)
    store.close()
    return root


def nasty(root: Path) -> Path:
    """Real runs of ``single``, a better single, a priced team and an unpriced one, on 8 samples; the first team's runs
    have a call that failed, one that came too late, and a message that nobody read."""
    records: list[RunRecord] = []
    for i in range(SAMPLES):
        sample = f"s{i}"
        records.append(_scaled(single(sample=sample, score=float(i % 2)), i))
        records.append(_stronger(sample, i))
        records.append(_team(sample, i))
        records.append(_unpriced(sample))
    return written(root, records, command=f"python -m harness {SCRIPT}", planned_runs=40)


def plain_team(root: Path, *, simulated: bool = False, samples: int = 2) -> Path:
    """``single`` and one team, nothing wrong with either."""
    made = [f(sample=f"s{i}", simulated=simulated) for i in range(samples) for f in (single, team)]
    return written(root, made, planned_runs=len(made), command="python -m harness")


def _scaled(made: RunRecord, i: int) -> RunRecord:
    """Runs of one cell differ in cost: ``i`` millionths of fee."""
    fee = i * 10**6
    for row in (made.calls[0], made.run):
        row.cost_pusd = (row.cost_pusd or 0) + fee
        row.cost_usd = row.cost_pusd / 10**12
    made.calls[0].fee_pusd = fee
    return made


def _stronger(sample: str, i: int) -> RunRecord:
    call = Call("solver", [Read("task", 3000)], [("answer", 600, 0)])
    return record([call], topology="strong", family="single", sample=sample, score=0.75, escalations=i % 3)


def _team(sample: str, i: int) -> RunRecord:
    made = team(sample=sample, topology=TEAM, score=1.0 if i else 0.0, status="ok" if i else "error")
    made.run.error = None if i else SCRIPT
    made.run.revisions, made.run.depth_violations, made.run.parse_failures = i % 2, 1, 2
    made.run.warnings = '["tokeniser drift: 90 prompt tokens reported, 60 counted"]' if i == 1 else "[]"
    for call in made.calls:
        if call.agent == "worker1":
            call.agent = AGENT
    made.calls[-1].late, made.calls[-1].used = True, False
    made.messages[0].recipient = made.messages[1].sender = AGENT
    made.messages[1].recipient = "lead"
    made.messages[1].read_s, made.messages[1].delivery = None, "expired"
    return made


def _unpriced(sample: str) -> RunRecord:
    calls = [
        Call("lead", [Read("task", 500)], [("plan", 100, 0)], intent="plan", priced=False),
        Call("lead", [Read("merge", 100)], [("answer", 50, 0)]),
    ]
    return record(calls, topology="dear", sample=sample, score=0.5)
