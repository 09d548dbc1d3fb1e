"""The record of one comparison: a JSON line for what it is, for every pair, and for how it ended."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.errors import StoreError
from harness.graders.pairwise import Count, Hearing

VERSION = 1


class PairFile:
    """``STORE/pairwise/ID.jsonl``. A line that was written survives the death of this process: the judge's calls stand
    there as rows of the tables ``calls`` and ``shares`` do, and nowhere else."""

    def __init__(self, store: Path, comparison_id: str, facts: Mapping[str, Any]) -> None:
        self.path = store / "pairwise" / f"{comparison_id}.jsonl"
        try:
            self.path.parent.mkdir(exist_ok=True)
            self._stream = self.path.open("x", encoding="utf-8")
        except OSError as fault:
            raise StoreError(f"cannot write {self.path}: {fault}. The store must be writable.") from fault
        self._write({"pairwise": VERSION, "comparison_id": comparison_id, **facts})

    def left_out(self, sample_id: str, epoch: int, why: str) -> None:
        """A pair that is not judged."""
        self._write({"sample_id": sample_id, "epoch": epoch, "outcome": "left out", "error": why})

    def heard(self, hearing: Hearing) -> None:
        pair = hearing.pair
        self._write(
            {
                "sample_id": pair.sample_id,
                "epoch": pair.epoch,
                "run_ids": pair.run_ids,
                "outcome": hearing.outcome,
                "error": hearing.error,
                "verdicts": [asdict(p) for p in hearing.preferences],
                "unreadable": hearing.unreadable,
                "calls": [asdict(c) for c in hearing.ledger.calls],
                "shares": [asdict(s) for s in hearing.ledger.shares],
            }
        )

    def close(self, status: str, count: Count) -> None:
        """``status``: complete, or why it is not."""
        self._write({"end": status, "pairs": count.pairs, **asdict(count)})
        self._stream.close()

    def _write(self, line: Mapping[str, Any]) -> None:
        try:
            self._stream.write(json.dumps(line) + "\n")  # ASCII: models do write lone surrogates
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as fault:
            raise StoreError(f"cannot write {self.path}: {fault}. Free some space.") from fault
