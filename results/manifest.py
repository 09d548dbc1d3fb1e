"""``experiments/<id>.json``: what an experiment was started with and how it ended, so that every number can be traced.

The file is one JSON object: ``experiment_id``, ``schema_version``, then the latest opening (``writer``, ``status``,
``opened_at``, ``closed_at``, ``runs_written`` and the caller's own ``manifest``), and under ``earlier`` the openings
before it, newest first. Status: ``running``, ``complete`` or ``interrupted``. Times are UTC, ISO 8601.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from harness.errors import StoreError
from harness.records import SCHEMA_VERSION
from results.layout import manifest_file
from results.parts import write_text_whole

Status = Literal["complete", "interrupted"]


def begin(root: Path, experiment: str, writer: str, facts: Mapping[str, Any]) -> None:
    """Note an opening; call within ``spool_lock``. Raises StoreError when ``facts`` are not JSON."""
    path = manifest_file(root, experiment)
    before = read(path) if path.exists() else None
    opening = {
        "writer": writer,
        "status": "running",
        "opened_at": _now(),
        "closed_at": None,
        "runs_written": 0,
        "manifest": dict(facts),
    }
    earlier = [] if before is None else [{k: before[k] for k in opening}, *before["earlier"]]
    _replace(path, {"experiment_id": experiment, "schema_version": SCHEMA_VERSION, **opening, "earlier": earlier})


def end(root: Path, experiment: str, writer: str, status: Status, runs: int | None) -> None:
    """Note how the opening of ``writer`` ended; call within ``spool_lock``. An opening that ended stays as it is.

    ``runs``: how many it wrote, None when nobody lived to count them.
    """
    path = manifest_file(root, experiment)
    if not path.exists():
        return
    whole = read(path)
    for opening in (whole, *whole["earlier"]):
        if opening["writer"] == writer and opening["status"] == "running":
            opening.update(status=status, closed_at=_now(), runs_written=runs)
    _replace(path, whole)


def joined(wholes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What several stores noted of one experiment, as one manifest: every opening once, the one that has ended where
    two tell of the same."""
    openings: dict[str, dict[str, Any]] = {}
    for whole in wholes:
        first = {k: v for k, v in whole.items() if k not in ("experiment_id", "schema_version", "earlier")}
        for opening in (first, *whole["earlier"]):
            known = openings.get(opening["writer"])
            if known is None or known["status"] == "running":
                openings[opening["writer"]] = opening
    latest, *earlier = sorted(openings.values(), key=lambda o: (o["opened_at"], o["writer"]), reverse=True)
    about = {k: wholes[0][k] for k in ("experiment_id", "schema_version")}
    return {**about, **latest, "earlier": earlier}


def put(root: Path, whole: Mapping[str, Any]) -> None:
    """Write a whole manifest where a store has it."""
    _replace(manifest_file(root, whole["experiment_id"]), whole)


def read(path: Path) -> dict[str, Any]:
    """One manifest. Raises StoreError when it is not one."""
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
        if {"experiment_id", "writer", "status", "opened_at", "earlier"} <= whole.keys():
            return dict(whole)
        reason = "keys are missing"
    except (OSError, ValueError, AttributeError) as error:
        reason = str(error)
    raise StoreError(f"{path}: not an experiment's manifest ({reason}). Move the file away.", path=str(path))


def read_all(root: Path) -> list[dict[str, Any]]:
    """Every manifest of a store, oldest opening first."""
    found = [read(p) for p in sorted((root / "experiments").glob("*.json")) if not p.name.startswith(".")]
    return sorted(found, key=lambda m: (m["opened_at"], m["experiment_id"]))


def _replace(path: Path, whole: Mapping[str, Any]) -> None:
    try:
        write_text_whole(path, json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    except (OSError, TypeError, ValueError) as error:
        raise StoreError(
            f"cannot write {path}: {error}. The manifest must be made of JSON values, and store.dir be writable.",
            path=str(path),
        ) from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")
