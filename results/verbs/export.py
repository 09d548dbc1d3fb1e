"""``export``: rows for other tools."""

from __future__ import annotations

import argparse

from results.verbs.verb import Verb


def run(chosen: argparse.Namespace) -> int:
    from results.exchange.exporting import export_rows
    from results.writing import counted

    done = export_rows(chosen.dir, chosen.out, format=chosen.format, table=chosen.table, experiment=chosen.experiment)
    for path, table, rows in done.files:
        print(f"{path}: {counted(rows, 'row')} of {table}")
    for note in done.notes:
        print(f"note: {note}")
    return 0


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", required=True, metavar="PLACE", help="a file (.csv, .jsonl, .parquet) for one table, or a folder"
    )
    parser.add_argument("--format", metavar="FORMAT", help="csv (default), jsonl or parquet")
    parser.add_argument(
        "--table", metavar="TABLE", help="runs (default of a file), calls, …; a folder gets all where none is named"
    )
    parser.add_argument("--experiment", metavar="ID", help="an experiment's id, or 'last' (default: all)")


VERB = Verb(
    "export",
    "write stored rows as CSV, JSON lines or parquet",
    "Write tables as they are stored, exact integers and empty values for what is not known. `import --map export` "
    "reads the runs back. Exit code: 0 done, 2 nothing was written.",
    run,
    options,
    experiment=False,
)
