"""Writing a report: whole, or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from harness.errors import StoreError
from results.report.page import GENERATOR

CONTENTS = "report.json"
"""What is in the folder: by this it is known to be a report, which another may replace."""


def refuse_foreign(out: Path) -> None:
    """Raise StoreError unless ``out`` is new, empty, or a report and nothing else."""
    if not out.exists() and not out.is_symlink():
        return
    if not out.is_dir():
        raise StoreError(f"--out {out}: there is a file of that name. Name a folder.", path=str(out))
    try:
        found = sorted(p.name for p in out.iterdir())
    except OSError as error:
        raise StoreError(f"--out {out}: cannot be read: {error}. Name another folder.", path=str(out)) from error
    foreign = [name for name in found if name not in _own(out)]
    if foreign:
        more = f" and {len(foreign) - 1:,} more" if len(foreign) > 1 else ""
        raise StoreError(
            f"--out {out}: the folder holds what is not a report's ('{foreign[0]}'{more}). Nothing was written: name "
            "another folder, or empty this one.",
            path=str(out),
        )


def _own(out: Path) -> frozenset[str]:
    """The files of the report in a folder; none where there is no report."""
    try:
        told = json.loads((out / CONTENTS).read_text(encoding="utf-8"))
        files = frozenset(map(str, told["files"])) if told["made_by"] == GENERATOR else frozenset[str]()
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()
    return files | {CONTENTS} if files else files


def write(out: Path, files: Mapping[str, bytes]) -> None:
    """Make ``out`` hold these files, and those of an earlier report no more. They are written beside it and moved into
    place when all of them are there. Raises StoreError where that cannot be done; what was there is there still."""
    refuse_foreign(out)
    out = out.resolve()
    contents = {"made_by": GENERATOR, "files": sorted(files)}
    beside: Path | None = None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
        made = beside / "new"
        made.mkdir()
        for name, content in {**files, CONTENTS: f"{json.dumps(contents, indent=2)}\n".encode()}.items():
            (made / name).write_bytes(content)
        _put(made, out, beside / "old")
    except OSError as error:
        raise StoreError(
            f"cannot write the report to '{out}': {error}. Free some space, or name another folder with --out; nothing "
            "was changed.",
            path=str(out),
        ) from error
    finally:
        if beside is not None:
            shutil.rmtree(beside, ignore_errors=True)


def _put(made: Path, out: Path, old: Path) -> None:
    """``made`` in the place of ``out``, whose files go to ``old``, or come back."""
    moved = out.exists()
    if moved:
        out.rename(old)
    try:
        made.rename(out)
    except BaseException:  # an interrupt as well: what is left in ``old`` is removed
        if moved:
            with suppress(OSError):
                old.rename(out)
        raise
