"""``import``: other people's rows."""

from __future__ import annotations

import argparse

from results.verbs.verb import Verb


def run(chosen: argparse.Namespace) -> int:
    from results.exchange.column_map import ANY_MODEL, parse
    from results.exchange.importing import import_rows
    from results.exchange.sheets import import_sheets
    from results.terminal import show, terminal

    mapped = parse(chosen.map).changed(
        single=chosen.single,
        family=_names(chosen.family),
        task=chosen.task,
        experiment=chosen.experiment,
        threshold=chosen.threshold,
        percent=chosen.percent or None,
        zero_tokens=chosen.zero_tokens,
    )
    priced = mapped.with_price(ANY_MODEL, chosen.price_in, chosen.price_out)
    console = terminal()
    for shown in import_sheets(import_rows(chosen.files, priced, chosen.out, chosen.command)):
        show(shown, console)
    return 0


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(n for n in (part.strip() for part in text.split(",")) if n)


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="CSV, TSV or JSON lines, also packed (.gz)")
    parser.add_argument(
        "--map", required=True, metavar="MAP", help="FILE.yaml, or KEY=COLUMN,…, or export (docs/import.md)"
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the new store")
    parser.add_argument("--single", metavar="NAME", help="the agent that is the baseline")
    parser.add_argument("--family", metavar="NAME,…", help="further single agents; all others are teams")
    parser.add_argument("--task", metavar="NAME", help="what the task is called where no column says it")
    parser.add_argument("--experiment", metavar="ID", help="what the experiment is called (default: the file's name)")
    parser.add_argument("--threshold", type=float, metavar="SCORE", help="the score from which a run has passed")
    parser.add_argument("--percent", action="store_true", help="scores are 0 to 100")
    parser.add_argument("--price-in", type=float, metavar="USD", help="a million tokens read, where a row has no USD")
    parser.add_argument("--price-out", type=float, metavar="USD", help="a million tokens written, likewise")
    parser.add_argument(
        "--zero-tokens", choices=("known", "unknown"), help="whether 0 tokens are a measurement (default: unknown)"
    )


VERB = Verb(
    "import",
    "make a store of other people's rows",
    "Read rows of another harness by a map of their columns into a new store, so that compare and roi work on them. "
    "What the rows do not say stays unknown. Exit code: 0 done, 2 something cannot be used, and nothing is written.",
    run,
    options,
    experiment=False,
    store=False,
)
