"""What is built beside its place and moved there whole, so that a failure leaves nothing half-written."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.errors import StoreError
from results.parts import sync


@contextmanager
def aside(target: Path) -> Iterator[Path]:
    """A path that does not exist yet, for a file or a folder; what stands there when the block ends becomes ``target``.

    Raises StoreError where ``target`` exists (but for an empty folder) or cannot be written.
    """
    refuse_existing(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        room = Path(tempfile.mkdtemp(prefix=f".{target.name[:100]}.", dir=target.parent))
    except OSError as error:
        raise StoreError(f"cannot write beside '{target}': {error}. Choose a writable place for --out.") from error
    try:
        made = room / "made"
        yield made
        try:
            refuse_existing(target)
            made.replace(target)
            sync(target.parent)
        except OSError as error:
            raise StoreError(f"cannot write '{target}': {error}. Choose another place for --out.") from error
    finally:
        shutil.rmtree(room, ignore_errors=True)


def refuse_existing(target: Path) -> None:
    """Raises StoreError unless there is nothing in this place, or an empty folder."""
    if target.is_dir() and not target.is_symlink():
        if not any(target.iterdir()):
            return
        what = "is a folder that is not empty"
    elif target.exists() or target.is_symlink():
        what = "exists"
    else:
        return
    raise StoreError(f"'{target}' {what}: nothing is overwritten. Name another --out.", path=str(target))
