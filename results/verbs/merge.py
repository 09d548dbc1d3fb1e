"""``merge``: several stores as one."""

from __future__ import annotations

import argparse

from results.verbs.verb import Verb


def run(chosen: argparse.Namespace) -> int:
    from results.exchange.merging import merge_stores
    from results.writing import counted

    done = merge_stores(chosen.dirs, chosen.out)
    for source in done.sources:
        twice = f", {source.duplicates:,} of them in a store before" if source.duplicates else ""
        print(f"{source.dir}: {counted(source.runs, 'run')}{twice}")
    for note in done.notes:
        print(f"note: {note}")
    print(f"{done.dir}: {counted(done.runs, 'run')} of {counted(len(done.experiments), 'experiment')}: clean")
    return 0


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dirs", nargs="+", metavar="DIR", help="the stores, two or more")
    parser.add_argument("--out", required=True, metavar="DIR", help="the new store")


VERB = Verb(
    "merge",
    "make one store of several",
    "Write the rows and manifests of several stores into a new one. A run that two of them hold is written once; it is "
    "an error if its rows are not equal. Exit code: 0 done, 2 nothing was written.",
    run,
    options,
    experiment=False,
    store=False,
)
