"""A plan that is shown before it is executed: stored, printed, and read again when it is confirmed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from harness.errors import ConfigError
from harness.expert.estimate import SOURCES, Estimate
from harness.expert.plan import Plan
from harness.suite import Sample

FORMAT = 1


def path_of(folder: str, sample: Sample, epoch: int) -> Path:
    """Where the plan for one run stands."""
    return Path(folder) / f"{quote(sample.id, safe='')}-e{epoch}.json"


def as_json(
    plan: Plan, sample: Sample, epoch: int, experts: Sequence[str], estimate: tuple[Estimate, Estimate]
) -> dict[str, Any]:
    """A plan as it is stored."""
    least, most = estimate
    return {
        "format": FORMAT,
        "sample": sample.id,
        "epoch": epoch,
        "material_hash": sample.material_hash,
        "experts": list(experts),
        "steps": [step.written for step in plan.steps],
        "levels": [[step.id for step in level] for level in plan.levels()],
        "estimate": {"no_revision": least.as_json(), "all_revisions": most.as_json(), "sources": SOURCES},
    }


def store(folder: str, sample: Sample, epoch: int, plan: Mapping[str, Any]) -> Path:
    """Write a plan, whole or not at all. Raises ConfigError for a folder that cannot be written to."""
    path = path_of(folder, sample, epoch)
    part = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(plan, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as fault:
        with suppress(OSError):
            part.unlink()
        raise ConfigError(
            f"topology.plans={folder}: the plan cannot be written there: {fault}. Name another folder."
        ) from fault
    return path


def load(folder: str, sample: Sample, epoch: int, experts: Mapping[str, object]) -> list[dict[str, Any]]:
    """The steps of a stored plan, as they were handed in; their orders have not been looked at. Raises ConfigError for
    a file that is missing, is no plan, or is one for another sample, epoch or team."""
    path = path_of(folder, sample, epoch)
    again = "Make it anew with topology.plan_only=true and the same topology.plans."
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"topology.plans: there is no plan {path}. {again}") from None
    except (OSError, ValueError, RecursionError) as fault:
        raise ConfigError(f"topology.plans: {path} cannot be read as JSON: {fault}. {again}") from fault
    if not isinstance(found, dict) or found.get("format") != FORMAT or not _steps(found.get("steps")):
        raise ConfigError(f"topology.plans: {path} is no stored plan of format {FORMAT}. {again}")
    for key, mine in (("sample", sample.id), ("epoch", epoch), ("material_hash", sample.material_hash)):
        if found.get(key) != mine:
            raise ConfigError(
                f"topology.plans: {path} is a plan for another sample: its {key} is {found.get(key)!r:.80}, and this "
                f"run's is {mine!r:.80}. {again}"
            )
    steps: list[dict[str, Any]] = found["steps"]
    lacking = sorted({str(step["expert"]) for step in steps} - set(experts))
    if lacking:
        raise ConfigError(
            f"topology.plans: {path} gives steps to {', '.join(lacking)}, who is not in this team: "
            f"{', '.join(experts)}. Set topology.experts as they were. {again}"
        )
    return steps


SHOWN_LINES = 3
"""Lines of an order that are shown."""


def printed(plan: Mapping[str, Any], path: Path, *, simulated: bool) -> str:
    """A plan for whoever is to confirm it, with the beginning of each order: the file holds all of it."""
    made = "SIMULATED · " if simulated else ""
    lines = [f"{made}Plan for {plan['sample']}, epoch {plan['epoch']} ({path}):"]
    for step in plan["steps"]:
        needs = f", after {', '.join(step['depends_on'])}" if step.get("depends_on") else ""
        lines.append(f"  {step['id']}: {step['expert']}, {step.get('risk', 'MEDIUM')} risk{needs}")
        objective = step["order"]["objective"].strip().split("\n")
        lines += [f"    {line}" for line in objective[:SHOWN_LINES]]
        if len(objective) > SHOWN_LINES:
            lines.append(f"    … {len(objective) - SHOWN_LINES} more lines")
        if step["order"].get("input_ref"):
            lines.append(f"    reads: {', '.join(step['order']['input_ref'])}")
    lines.append("Estimate, from no revision to all revisions; it is made of counts and assumptions, not measured:")
    least, most = plan["estimate"]["no_revision"], plan["estimate"]["all_revisions"]
    for key in ("calls", "prompt_tokens", "completion_tokens"):
        lines.append(f"  {key.replace('_', ' ')}: {least[key]:,} to {most[key]:,}")
    usd = "unknown price" if least["usd"] is None else f"{least['usd']:.4f} to {most['usd']:.4f}"
    lines.append(f"  USD: {usd}")
    lines += [f"  {name}: {text}" for name, text in plan["estimate"]["sources"].items()]
    return "\n".join(lines)


def _steps(steps: object) -> bool:
    return isinstance(steps, list) and all(
        isinstance(s, dict) and isinstance(s.get("id"), str) and isinstance(s.get("expert"), str) for s in steps
    )
