"""``validate``: does every stored token and picodollar add up?"""

from __future__ import annotations

import argparse

from results.verbs.verb import Verb


def run(chosen: argparse.Namespace) -> int:
    from results.validate import check
    from results.writing import counted

    report = check(chosen.dir)
    for note in report.notes:
        print(f"note: {note}")
    for fault in report.faults:
        print(f"BROKEN {fault.name}: {fault.says}")
        print(f"  {counted(fault.count, 'row')}, the first {len(fault.first)}:")
        for violation in fault.first:
            print(f"  {violation}")
    verdict = "clean" if report.clean else f"{counted(len(report.faults), 'invariant')} broken"
    rows = f"{counted(report.rows, 'row')} in {counted(report.parts, 'part')}"
    print(
        f"{chosen.dir}: {counted(report.runs, 'run')}, {rows}, "
        f"{counted(report.checked, 'invariant')} checked: {verdict}"
    )
    return 0 if report.clean else 1


VERB = Verb(
    "validate",
    "check that every stored token and picodollar adds up",
    "Check every invariant of every stored run and name the first offending rows. "
    "Exit code: 0 clean, 1 violations, 2 could not evaluate.",
    run,
    experiment=False,
)
