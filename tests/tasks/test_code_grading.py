"""The grader of code_search, each rule by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.suite import Grade
from tasks.code_search.grading import grade, plain
from tasks.code_search.questions import CALLERS, DEFINED, GREP, Case, Question


def question(label: str, kind: str, *names: str) -> Question:
    return Question(label, kind, "thing", tuple(((f"L1: {name}",), name) for name in names), (("x",), ("y",)))


CASE = Case(
    (),
    (
        question("Q07", CALLERS, "pack.part.run", "pack.part.Tool.close"),
        question("Q08", DEFINED, "pack/part.py:12"),
        question("Q09", GREP, "pack/part.py", "pack/__init__.py"),
    ),
)
RUN = ["pack.part.run", "pack.part.Tool.close"]


def graded(*entries: dict[str, Any]) -> Grade:
    return grade(CASE, json.dumps(list(entries)))


def entry(names: Any, label: str = "Q07") -> dict[str, Any]:
    return {"question": label, "names": names}


def outcomes(found: Grade) -> list[str]:
    return [row["outcome"] for row in found.detail["questions"]]


def test_the_key_and_its_counts() -> None:
    found = grade(CASE, json.dumps(CASE.key()))
    assert found.score == 1
    assert {k: v for k, v in found.detail.items() if k != "questions"} == {
        "right": 3, "wrong": 0, "missing": 0, "unmatched": 0, "parsed": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    "names",
    [
        RUN,
        RUN[::-1],
        [*RUN, RUN[0]],
        ["`pack.part.run`", "pack.part.Tool.close()"],
        "pack.part.run, pack.part.Tool.close",
        "pack.part.run\npack.part.Tool.close\n",
        [" pack.part.run ", "'pack.part.Tool.close'", ""],
        ["- pack.part.run", "* `pack.part.Tool.close()`"],
        ["1. pack.part.run", "2) pack.part.Tool.close"],
        "- pack.part.run\n- pack.part.Tool.close (method)\n",
        ["pack.part.run (function)", "`pack.part.Tool.close()` (async method)"],
        ["`pack.part.run (function)`", "pack.part.Tool.close"],
    ],
)
def test_one_set_of_names_in_any_order_and_form(names: Any) -> None:
    assert graded(entry(names)).score == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("names", "hit", "missed", "beside"),
    [
        (RUN[:1], 1, 1, 0),
        ([*RUN, "pack.part.walk"], 2, 0, 1),
        (["pack.part.run", "Tool.close"], 1, 1, 1),
        (["pack.part.run", "pack.part.Tool.close (or open)"], 1, 1, 1),
        (["-pack.part.run", "pack.part.Tool.close"], 1, 1, 1),
        (["pack.part.Run", "pack.part.Tool.close"], 1, 1, 1),
        ([*RUN, 7], 2, 0, 1),
        ([*RUN, None], 2, 0, 1),
        ([*RUN, ["pack.part.run"]], 2, 0, 1),
        ({"names": RUN}, 0, 2, 1),
        (12, 0, 2, 1),
        (["pack.part.run" + " " * 400, RUN[1]], 1, 1, 1),
    ],
)
def test_one_name_too_few_too_many_or_different_is_wrong(names: Any, hit: int, missed: int, beside: int) -> None:
    found = graded(entry(names))
    row = found.detail["questions"][0]
    assert found.score == 0 and row["outcome"] == "wrong"
    assert (row["hit"], row["missed"], row["beside"]) == (hit, missed, beside)


@pytest.mark.parametrize("names", [None, [], "", "  ", [""]])
def test_nothing_said_is_missing(names: Any) -> None:
    assert outcomes(graded(entry(names))) == ["missing"] * 3


def test_several_entries_for_a_question_must_all_be_right() -> None:
    assert outcomes(graded(entry(RUN), entry(RUN[::-1])))[0] == "right"
    assert outcomes(graded(entry(RUN), entry(RUN[:1])))[0] == "wrong"
    assert outcomes(graded(entry(RUN), entry(None)))[0] == "wrong", "whoever offers two versions has not decided"


@pytest.mark.parametrize("label", ["Q07", "Q07: Which functions call `thing`?", "7. Q07", "**Q07**", "- Q07:"])
def test_a_question_is_named_by_its_label(label: str) -> None:
    expected = "missing" if label.startswith("7") else "right"
    assert outcomes(graded(entry(RUN, label)))[0] == expected


@pytest.mark.parametrize("label", ["Q7", "q07", "Q070", "Q08", "", 7])
def test_any_other_label_is_another_question(label: Any) -> None:
    assert outcomes(graded(entry(RUN, label)))[0] == "missing"


@pytest.mark.parametrize(
    "place",
    [
        "pack/part.py:12", "pack/part.py:L12", "pack/part.py#L12", "pack/part.py, line 12", "pack/part.py line 12",
        "`pack/part.py:12`", "./pack/part.py:12", "pack/part.py: 12",
        "pack/part.py:12-12", "pack/part.py#L12-L12", "pack/part.py, lines 12-12", "pack/part.py (line 12)",
        "- pack/part.py:12", "pack/part.py:12 (class)",
    ],
)  # fmt: skip
def test_a_place_in_any_form(place: str) -> None:
    assert outcomes(graded(entry([place], "Q08")))[1] == "right"


@pytest.mark.parametrize(
    "place",
    [
        "pack/part.py:13",
        "part.py:12",
        "pack/part.py",
        "12",
        "pack/part.py:112",
        "pack.part:12",
        "pack/part.py:12-13",
        "pack/part.py:11-12",
        "pack/part.py (line 12",
        "pack/part.py:12 (13)",
    ],
)
def test_another_place_is_wrong(place: str) -> None:
    assert outcomes(graded(entry([place], "Q08")))[1] == "wrong"


def test_prose_and_fences_do_no_harm_and_a_dump_decides_nothing() -> None:
    key = json.dumps(CASE.key())
    assert grade(CASE, f"I have looked.\n```json\n{key}\n```\nDone.").score == 1
    assert grade(CASE, json.dumps({"answers": CASE.key()})).score == 1
    assert grade(CASE, ", ".join(n for q in CASE.questions for n in q.answer)).score == 0
    every = [n for q in CASE.questions for n in q.answer]
    assert grade(CASE, json.dumps([entry(every, q.label) for q in CASE.questions])).score == 0


def test_case_counts_and_places_are_only_read_where_they_are_asked_for() -> None:
    assert plain("Pack.Part", CALLERS) != plain("pack.part", CALLERS)
    assert plain("pack/part.py line 12", GREP) == "pack/part.py line 12"
