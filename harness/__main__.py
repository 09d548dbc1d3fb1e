"""``python -m harness`` and ``topology-harness``."""

from __future__ import annotations

import gc
import signal
import sys
from pathlib import Path

from harness.entry.shadow import refuse_shadows
from harness.entry.signals import interrupts
from harness.errors import HarnessError

GC_THRESHOLDS = (100_000, 20, 100)
"""Runs make many small objects that live on: looking through the young ones 140 times less often than Python does by
itself saves 7 % of the shortest command."""


def main() -> int:
    """Run the command in ``sys.argv`` and return its exit code: 0 when every planned row was written."""
    gc.set_threshold(*GC_THRESHOLDS)
    with interrupts() as interrupted:
        try:
            # Before anything is imported from a folder that is not ours.
            refuse_shadows(Path(__file__).parent.parent)
            from harness.entry.command import run

            return run(sys.argv)
        except HarnessError as error:
            print(f"error: {error}", file=sys.stderr)
            return error.exit_code
        except BaseException:
            if interrupted():  # while importing
                return 128 + signal.SIGINT
            raise
        finally:
            # At exit Python looks for cycles among all objects once more, an eighth of the shortest command. Nothing of
            # ours waits for that: what must be closed has been closed.
            gc.freeze()


if __name__ == "__main__":
    sys.exit(main())
