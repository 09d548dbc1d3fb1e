"""``python -m benchmarks.coverage [--write]``: about three minutes."""

from __future__ import annotations

import argparse
import sys

from benchmarks.coverage.experiment import EXPERIMENTS, SIZES, measured
from benchmarks.coverage.page import markdown, row, write
from benchmarks.coverage.populations import populations

REQUIRED = 0.93


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description="How often intervals hold.")
    parser.add_argument("--write", action="store_true", help="put the table into docs/coverage.md")
    parser.add_argument("--experiments", type=int, default=EXPERIMENTS, metavar="N", help=f"default: {EXPERIMENTS:,}")
    chosen = parser.parse_args()
    rows, missed = [], []
    for population in populations():
        for n in SIZES:
            counts = measured(population, n, chosen.experiments)
            rows.append(row(population, n, counts))
            print("  ".join(rows[-1]), file=sys.stderr, flush=True)
            if population.required and counts.held < REQUIRED * counts.experiments:
                missed.append(f"{population.name}, n = {n}")
    print(markdown(rows), end="")
    if chosen.write:
        write(markdown(rows))
    for name in missed:
        print(f"below {REQUIRED:.0%}: {name}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
