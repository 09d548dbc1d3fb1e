"""From stored runs of two cells to pairs of answers: what can be compared, and why the rest cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import ConfigError, StoreError, unknown
from harness.experiment import PlannedCell
from harness.graders.pairwise import Pair, Side
from harness.run import ANSWER_CUT, NOT_GRADED
from harness.suite import Sample

COLUMNS = (
    "experiment_id", "cell_id", "params", "run_id", "simulated", "sample_id", "epoch", "material_hash", "status",
    "answer", "topology", "task",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chosen:
    """One side: a cell of the experiment. ``overrides``: those it was run with; ``rows``: (sample, epoch) → its run."""

    cell_id: str
    topology: str
    task: str
    params: str
    simulated: bool
    overrides: tuple[str, ...]
    rows: Mapping[tuple[str, int], Mapping[str, Any]]

    def facts(self) -> dict[str, Any]:
        """For the record: everything but the rows."""
        return {"cell_id": self.cell_id, "topology": self.topology, "params": self.params, "simulated": self.simulated}


@dataclass(frozen=True, slots=True)
class Docket:
    """What is to be judged. ``left_out``: (sample, epoch) → why that pair is not."""

    experiment_id: str
    sides: Mapping[Side, Chosen]
    pairs: tuple[Pair, ...]
    samples: Mapping[str, Sample]
    left_out: Mapping[tuple[str, int], str]

    def reasons(self) -> Counter[str]:
        return Counter(self.left_out.values())


def docket(store: Path, experiment: str, a: str, b: str, planned: PlannedCell) -> Docket:
    """All pairs of two cells, each named by its topology or its id. Raises HarnessError for cells that are not there,
    and for a task that is not the one that the runs were made with: a judge would read another statement."""
    import results

    found = results.load(store, experiment)
    rows = found.frame("runs", COLUMNS).to_dict("records")
    manifest = found.manifests[-1]["manifest"] if found.manifests else {}
    known = {str(c["cell_id"]): tuple(c["overrides"]) for c in manifest.get("cells", ())}
    sides: dict[Side, Chosen] = {"a": _chosen(rows, a, "--a", known), "b": _chosen(rows, b, "--b", known)}
    if sides["a"].cell_id == sides["b"].cell_id:
        raise ConfigError(f"--a {a} and --b {b} are the same cell ({sides['a'].cell_id}): name two.")
    samples: dict[str, Sample] = {}
    for side in sides.values():
        _refuse_other_task(side, planned, samples)
    pairs, left_out = [], {}
    for place in sorted(sides["a"].rows.keys() | sides["b"].rows.keys()):
        one, other = (sides[s].rows.get(place) for s in ("a", "b"))
        why = _why_not(one, other)
        if why is not None or one is None or other is None:
            left_out[place] = why or ""
            continue
        ids: dict[Side, str] = {"a": one["run_id"], "b": other["run_id"]}
        pairs.append(Pair(*place, ids, {"a": one["answer"], "b": other["answer"]}))
    return Docket(str(rows[0]["experiment_id"]), sides, tuple(pairs), samples, left_out)


def _chosen(rows: list[Any], name: str, option: str, known: Mapping[str, tuple[str, ...]]) -> Chosen:
    cells = {str(r["cell_id"]): r for r in rows}
    fitting = [c for c, r in cells.items() if name in (c, r["topology"])]
    if not fitting:
        raise ConfigError(unknown(f"cell or topology in {option}", name, {*cells, *(r["topology"] for r in rows)}))
    if len(fitting) > 1:
        shown = "; ".join(f"{c}: {cells[c]['params']}" for c in fitting)
        raise ConfigError(f"{option} {name} is the topology of several cells: name one of them by its id ({shown}).")
    (cell,) = fitting
    own = [r for r in rows if r["cell_id"] == cell]
    placed = {(str(r["sample_id"]), int(r["epoch"])): r for r in own}
    if len(placed) < len(own):
        raise StoreError(f"cell {cell} holds a sample more than once: see `python -m results validate`.")
    first = own[0]
    return Chosen(
        cell, first["topology"], first["task"], first["params"], any(r["simulated"] for r in own),
        known.get(cell, ()), placed,
    )  # fmt: skip


def _refuse_other_task(side: Chosen, planned: PlannedCell, samples: dict[str, Sample]) -> None:
    words = " ".join(o for o in side.overrides if o.startswith("task")) or "the default task"
    hint = f"Give the words of the task that cell {side.cell_id} was run with: {words}."
    if side.task != planned.cell.task_name:
        raise ConfigError(
            f"the runs of cell {side.cell_id} are of task={side.task}, not {planned.cell.task_name}. {hint}"
        )
    ids = frozenset(planned.sample_ids)
    for (sample_id, _), row in side.rows.items():
        if sample_id not in ids:
            raise ConfigError(
                f"sample '{sample_id}' of cell {side.cell_id} is not in the task as it is set now. {hint}"
            )
        if sample_id not in samples:
            samples[sample_id] = planned.cell.suite.sample(sample_id)
        if samples[sample_id].material_hash != row["material_hash"]:
            raise ConfigError(
                f"sample '{sample_id}' is not what cell {side.cell_id} was run on (material_hash "
                f"{row['material_hash'][:12]}…, now {samples[sample_id].material_hash[:12]}…). {hint}"
            )


def _why_not(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> str | None:
    """Why a pair cannot be judged; None if it can."""
    if one is None or other is None:
        return f"no run of {'A' if one is None else 'B'}"
    failed = [side for side, row in (("A", one), ("B", other)) if row["status"] in NOT_GRADED]
    if failed:
        return f"{' and '.join(failed)} failed"
    if any(len(row["answer"]) >= ANSWER_CUT for row in (one, other)):
        return f"an answer is cut at {ANSWER_CUT:,} characters"
    return None
