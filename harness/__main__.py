"""``python -m harness`` and ``topology-harness``."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from harness.entry.shadow import refuse_shadows
from harness.errors import HarnessError


def main() -> int:
    """Run the command in ``sys.argv`` and return its exit code: 0 when every planned row was written."""
    # Runs make many small objects that live on; looking through all of them 70 times less often saves 5 % at the start.
    gc.set_threshold(50_000, 20, 100)
    try:
        # Before anything is imported from a folder that is not ours.
        refuse_shadows(Path(__file__).parent.parent)
    except HarnessError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    from harness.entry.command import run

    return run(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
