"""A candidate becomes the baseline."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.errors import StoreError
from results.columns import Columns
from results.frames import Results
from results.gate.baseline import Baseline, Provenance, is_baseline, write
from results.gate.gate import evaluate
from results.gate.report import Verdict, first
from results.gate.rules import Rules


def update(path: Path, results: Results, rows: Columns, rules: Rules) -> Provenance:
    """Write the baseline. ``rows``: of ``results``, gathered.

    Raises StoreError, and leaves what is there as it is, for a place that holds something else, and for a candidate
    that no gate could pass: an experiment that is not known to be complete, or rules that cannot say of a candidate
    that is the same that it is.
    """
    _free(path, results.snapshot.root)
    _complete(results)
    made = Baseline(rows, provenance(results, rules))
    against_itself = evaluate(made, rows, rules)
    open_ = [j for j in against_itself.judgements if j.verdict is not Verdict.PASS]
    if open_ or against_itself.exit_code:
        says = first([f"{j.rule}, {j.cell.label if j.cell else 'no cell'}: {j.verdict}, {j.says}" for j in open_])
        raise StoreError(f"not even against itself would this candidate pass, so that it makes no baseline: {says}.")
    write(path, made)
    return made.provenance


def _free(path: Path, store: Path) -> None:
    """Raises StoreError where a baseline would take the place of anything but a baseline."""
    if path.resolve().is_relative_to(store.resolve()):
        raise StoreError(f"{path} lies in the candidate's store: name a file elsewhere (--baseline).", path=str(path))
    if os.path.lexists(path) and not is_baseline(path):
        raise StoreError(
            f"{path} is there and is not a baseline, so it is not overwritten: name another file (--baseline), or "
            f"remove it first.",
            path=str(path),
        )


def _complete(results: Results) -> None:
    """Raises StoreError for an experiment that is not known to have run to its end, or that lacks rows."""
    manifests = {m["experiment_id"]: m for m in results.manifests}
    here = Counter(results.table("runs", ["experiment_id"])["experiment_id"].to_pylist())
    for experiment in results.experiment_ids:
        if experiment not in manifests:
            raise StoreError(
                f"experiment '{experiment}' has no manifest in the store's folder `experiments`, so that nobody knows "
                f"whether it is complete: no baseline is made of it. Restore the file, or run it again."
            )
        manifest = manifests[experiment]
        planned = _facts(manifest).get("planned_runs")
        wanted = [n for n in (planned, None if manifest["earlier"] else manifest.get("runs_written")) if n is not None]
        if manifest["status"] != "complete" or any(not isinstance(n, int) or here[experiment] < n for n in wanted):
            raise StoreError(
                f"experiment '{experiment}' is {manifest['status']}, {here[experiment]:,} runs of "
                f"{'unknown' if planned is None else planned} planned and {manifest.get('runs_written')} written are "
                f"here: no baseline is made of it. Run it to its end first."
            )


def _facts(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the caller noted of an experiment, whatever else stands there."""
    noted = manifest.get("manifest")
    return noted if isinstance(noted, dict) else {}


def provenance(results: Results, rules: Rules) -> Provenance:
    """Where these rows come from, all from what is stored: the same rows make the same file."""
    manifests = results.manifests
    runs = results.table("runs", ["git_commit", "harness_version"])
    commits, versions = ({v for v in runs[c].to_pylist() if v} for c in ("git_commit", "harness_version"))
    return Provenance(
        experiments=results.experiment_ids,
        commands=tuple(str(f["command"]) for f in map(_facts, manifests) if "command" in f),
        git_commits=tuple(sorted(commits)),
        harness_versions=tuple(sorted(versions)),
        closed_at=max((str(m["closed_at"]) for m in manifests if m["closed_at"]), default="unknown"),
        rules=rules.digest,
    )
