"""``python -m harness.models.server``."""

from __future__ import annotations

import sys

from harness.entry.serve import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
