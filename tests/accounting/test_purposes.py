"""Purposes, their classes, and what becomes of them when somebody else reads."""

from __future__ import annotations

import pytest

from harness.accounting.purposes import CLASS_OF, Purpose, Stance, read_as

TABLE = """
    written   author    lead      worker    reviewer
    task      task      task      task      review
    answer    answer    merge     sync      review
    scaffold  scaffold  scaffold  scaffold  scaffold
    plan      plan      plan      plan      review
    dispatch  dispatch  dispatch  dispatch  review
    sync      sync      sync      sync      review
    report    report    report    report    review
    merge     merge     merge     merge     review
    feedback  feedback  feedback  feedback  feedback
    rework    rework    merge     sync      review
"""
"""The reading table, cell by cell. ``review`` itself is in no row: a verdict is read as it was written."""

CLASSES = {
    "work": {"task", "answer"},
    "coordination": {"scaffold", "plan", "dispatch", "sync", "report", "merge"},
    "verification": {"review", "feedback", "rework"},
    "judge": {"judge"},
    "unknown": {"unknown"},
}


def cells() -> list[tuple[str, str, str]]:
    head, *rows = (line.split() for line in TABLE.strip().splitlines())
    return [(row[0], reader, purpose) for row in rows for reader, purpose in zip(head[1:], row[1:], strict=True)]


@pytest.mark.parametrize(("written", "reader", "purpose"), cells())
def test_reading_table(written: str, reader: str, purpose: str) -> None:
    if reader == "author":
        assert {read_as(Purpose(written), "a", "a", stance) for stance in Stance} == {purpose}
    else:
        assert read_as(Purpose(written), "a", "b", Stance(reader)) == purpose


@pytest.mark.parametrize("stance", Stance)
@pytest.mark.parametrize("written", ["review", "judge", "unknown"])
def test_what_the_table_leaves_out_stays(written: str, stance: Stance) -> None:
    assert read_as(Purpose(written), "a", "b", stance) == written


def test_each_purpose_has_one_class() -> None:
    assert {p: CLASS_OF[p] for p in Purpose} == {Purpose(p): c for c, members in CLASSES.items() for p in members}
