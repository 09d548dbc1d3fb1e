"""A candidate becomes the baseline."""

from __future__ import annotations

from pathlib import Path

from harness.errors import StoreError
from results.columns import Columns
from results.frames import Results
from results.gate.baseline import Baseline, Provenance, write
from results.gate.gate import evaluate
from results.gate.report import Verdict, first
from results.gate.rules import Rules


def update(path: Path, results: Results, rows: Columns, rules: Rules) -> Provenance:
    """Write the baseline. ``rows``: of ``results``, gathered.

    Raises StoreError, and leaves what is there as it is, for a candidate that no gate could evaluate: an experiment
    that is not complete, or rules that could say nothing even of a candidate that is the same.
    """
    for manifest in results.manifests:
        planned = manifest.get("manifest", {}).get("planned_runs")
        written = manifest.get("runs_written")
        short = not manifest["earlier"] and None not in (planned, written) and written < planned
        if manifest["status"] != "complete" or short:
            raise StoreError(
                f"experiment '{manifest['experiment_id']}' is {manifest['status']}, {written} of "
                f"{planned or 'unknown'} planned runs: no baseline is made of it. Run it to its end first."
            )
    made = Baseline(rows, provenance(results, rules))
    against_itself = evaluate(made, rows, rules)
    unknown = [j for j in against_itself.judgements if j.verdict is Verdict.UNKNOWN]
    if unknown:
        says = first([f"{j.rule}, {j.cell.label if j.cell else 'no cell'}: {j.says}" for j in unknown])
        raise StoreError(f"no gate could evaluate this candidate, so that it makes no baseline: {says}.")
    write(path, made)
    return made.provenance


def provenance(results: Results, rules: Rules) -> Provenance:
    """Where these rows come from, all from what is stored: the same rows make the same file."""
    manifests = results.manifests
    runs = results.table("runs", ["git_commit", "harness_version"])
    commits, versions = ({v for v in runs[c].to_pylist() if v} for c in ("git_commit", "harness_version"))
    return Provenance(
        experiments=results.experiment_ids,
        commands=tuple(str(m["manifest"]["command"]) for m in manifests if "command" in m.get("manifest", {})),
        git_commits=tuple(sorted(commits)),
        harness_versions=tuple(sorted(versions)),
        closed_at=max((str(m["closed_at"]) for m in manifests if m["closed_at"]), default="unknown"),
        rules=rules.digest,
    )
