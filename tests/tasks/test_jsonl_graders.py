"""The graders of jsonl, rule by rule."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.suite import Grade
from tasks.jsonl.fields import keyed
from tasks.jsonl.graders import GRADERS
from tasks.jsonl.graders.python import modules_in


def graded(row: dict[str, Any], answer: str) -> Grade:
    task = keyed({"input": "What is it?", **row}, 7, "exact")
    return asyncio.run(GRADERS[task.grader].grade(task, answer))


def score(row: dict[str, Any], answer: Any) -> float:
    """Of the value in an entry, and, where it is a text, of the text by itself, which must be the same."""
    entry = graded(row, json.dumps([{"task": "Task 7", "answer": answer}])).score
    assert not isinstance(answer, str) or graded(row, answer).score == entry, answer
    return entry


EXACT = {"target": ["Harbor Hall", "the Hall"], "aliases": "Hall of the Harbor"}
NUMBER = {"grader": "number", "target": ["1,200.50 km", "$5"], "tolerance": 0.1}
BARE = {"grader": "number", "target": 45}
CONTAINS = {"grader": "contains", "target": ["Harbor Hall", "45"]}


@pytest.mark.parametrize(
    "answer",
    [
        "Harbor Hall",
        " harbor  hall. ",
        '"Harbor Hall"',
        "Hall",
        "The hall of the Harbor",
        "ＨＡＬＬ",
        "(Harbor Hall)",
        "**Harbor Hall**",
        "**Harbor Hall.**",
        "*Hall*.",
        '["Harbor Hall"]',
        ["Harbor Hall"],
        "**(Hall)**",
        "`Hall`",
    ],
)
def test_exact_texts_are_right(answer: Any) -> None:
    assert score(EXACT, answer) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Harbor",
        "In Harbor Hall",
        "Harbor Hall or the Hall",
        "Harbor-Hall",
        5,
        True,
        [],
        "(Harbor) Hall",
        "(Harbor Hall) (Hall)",
        "**Harbor Hall** **Hall**",
        '["Harbor Hall", "the Hall"]',
        ["Hall", "Hall"],
    ],
)
def test_exact_is_strict(answer: Any) -> None:
    assert score(EXACT, answer) == 0


def test_an_exact_number_is_compared_as_text() -> None:
    assert score({"target": 2019}, "2019") == score({"target": 2019}, 2019) == score({"target": "2019"}, 2019) == 1
    assert score({"target": 2019}, "2,019") == 0


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("1200.5 km", 1), ("1,200.6km", 1), ("1200.61 km", 0), ("1200.4 km", 1), ("1200.39 km", 0), ("1200.5", 0),
        ("1200.5 m", 0), ("$5", 1), ("$5.1", 1), ("$5.11", 0), ("5", 0), ("5 $", 1), ("-$5", 0), ("five", 0),
        ("1200.5 km or $5", 0), (1200.5, 0),
    ],
)  # fmt: skip
def test_numbers_with_units_and_a_tolerance(answer: Any, right: int) -> None:
    assert score(NUMBER, answer) == right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("45", 1), (45, 1), (45.0, 1), ("45.00", 1), ("$45", 1), ("USD 45", 1), ("45元", 1), ("(45)", 1), ("**45**", 1),
        ("45.", 1), ([45], 1),
        ("45.0000001", 0), ("not 45", 0), ("45 or so", 0), ("It is 45", 0), ("45-50", 0), ("-45", 0), ("(-45)", 0),
        ("45 / 2", 0), ("45 3", 0), ("45 x 2", 0), ("4 5", 0), (True, 0), (None, 0), (1e400, 0), ("45²", 0), ("45½", 0),
        *((f"45 {word}", 0) for word in (
            "%", "percent", "million", "millions", "thousands", "mio", "tsd", "lakh", "crore", "dozen", "tens",
            "hundredths", "m", "M", "k", "万", "万元", "squared", "plus one", "minus", "negative", "below zero", "days",
            "!", "km", "°",
        )),
        ("45!", 0), ("!45", 0),
    ],
)  # fmt: skip
def test_a_number_without_a_unit(answer: Any, right: int) -> None:
    assert score(BARE, answer) == right


def test_units_are_the_target_s() -> None:
    assert score({"grader": "number", "target": "15%"}, "15 percent") == 1
    assert score({"grader": "number", "target": "15 percent"}, "15%") == 1
    assert (
        score({"grader": "number", "target": "45 m²"}, "45 m²") == score({"grader": "number", "target": 452}, 452) == 1
    )
    assert score({"grader": "number", "target": 452}, "45²") == score({"grader": "number", "target": "15%"}, "15") == 0
    either = {"grader": "number", "target": 45, "aliases": "45 days"}
    assert score(either, "45 days") == score(either, 45) == 1 and score(either, "45 weeks") == 0


def test_numbers_are_exact() -> None:
    assert score({"grader": "number", "target": "0.3"}, "0.30000000000000004") == 0
    assert score({"grader": "number", "target": 0.3}, 0.1 + 0.2) == 0


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("They met in Harbor Hall for 45 minutes.", 1), ("harbor hall, 45", 1), ("45: “Harbor  Hall”", 1),
        ("Harbor Hall", 0), ("Harbor Hall, 450", 0), ("Harbor Hall, 4.5", 0), ("Harbor Hall, 45.5", 0),
        ("Harbor Hall, 3,45", 0), ("Harbor Halls, 45", 0), ("XHarbor Hall, 45", 0), ("Harbor Hall 45m", 0),
        ("45 Harbor Hall " + "x" * 298, 1), ("45 Harbor Hall " + "x" * 299, 0), ("What is it? Harbor Hall, 45", 0),
    ],
)  # fmt: skip
def test_contains_all_targets_as_words_within_bounds(answer: str, right: int) -> None:
    assert score(CONTAINS, answer) == right


def test_a_number_is_not_contained_where_others_are() -> None:
    listed = " ".join(map(str, range(100)))
    assert score({"grader": "contains", "target": 45}, listed) == 0
    days = {"grader": "contains", "target": "1,045 days"}
    assert score(days, "Within 1,045 days.") == 1 and score(days, "60 days, no, 1,045 days") == 0
    assert score(days, "1 to 1,045 days") == 0
    assert score({"grader": "contains", "target": "Room B"}, "In 1999 it was Room B") == 1, "no number is asked for"


def test_contains_in_chinese_needs_no_blanks() -> None:
    assert score({"grader": "contains", "target": "港口大厅"}, "会议在港口大厅举行。") == 1


def test_any_usual_form_of_an_answer_is_read() -> None:
    right = (
        '[{"task": "Task 7", "answer": "Harbor Hall"}]', '{"task": "Task 7", "answer": "Harbor Hall"}',
        'Here:\n```json\n[{"task": "task 7", "answer": "Harbor Hall"}]\n```', '[{"task": "7", "answer": "Hall"}]',
        '[{"answer": "Harbor Hall"}]', "```\nHarbor Hall\n```", "They met often.\n\nANSWER: Harbor Hall",
        "Hm.\n**Answer:** Harbor Hall", "The answer is Harbor Hall.", "Final answer:\nHarbor Hall",
        "ANSWER: Harbor Hall\nANSWER: the Hall",
        '[{"task": "Task 7", "answer": "Hall"}, {"task": "Task 8", "answer": "x"}, {"task": "7", "answer": "hall"}]',
    )  # fmt: skip
    for answer in right:
        assert graded(EXACT, answer).score == 1, answer
    wrong = (
        '[{"task": "Task 8", "answer": "Harbor Hall"}]', "ANSWER: Harbor Hall\nANSWER: x", "ANSWER: x\n" * 101,
        '[{"task": "Task 7", "answer": "Hall"}, {"task": "Task 7", "answer": "x"}]', "They met in Harbor Hall.",
        "ANSWER: Harbor Hall\n" * 101, "Harbor Hall " * 200_000,
    )  # fmt: skip
    for answer in wrong:
        assert graded(EXACT, answer).score == 0, answer[:80]
    assert graded(EXACT, '[{"task": "Task 7", "answer": null}]').detail["outcome"] == "missing"
    assert graded(EXACT, "x").detail == {
        "outcome": "wrong",
        "answer": ["x"],
        "expected": ["Harbor Hall", "the Hall", "Hall of the Harbor"],
    }


FORM = {
    "type": "object",
    "properties": {"place": {"type": "string"}, "days": {"type": "integer"}, "who": {"type": "array"}},
    "required": ["place"],
}
FIELDS = {"grader": "schema", "schema": FORM, "target": {"place": "North Gate", "days": 45, "who": ["A", "B"]}}


@pytest.mark.parametrize(
    ("answer", "share"),
    [
        ({"place": "the north gate.", "days": 45, "who": ["a", "B"]}, 1),
        ({"place": "north gate", "days": 45.0, "who": ["A", "B"], "more": 1}, 1),
        ({"place": "north gate", "days": 44, "who": ["A", "B"]}, 2 / 3),
        ({"place": "north gate", "who": ["B", "A"]}, 1 / 3),
        ({"place": "south gate"}, 0),
        ({"days": 45, "who": ["A", "B"]}, 0),  # place is required
        ({"place": "north gate", "days": "45", "who": ["A", "B"]}, 0),  # not a whole number
        ([], 0), ("x", 0), (None, 0),
    ],
)  # fmt: skip
def test_schema_scores_the_share_of_fields_and_nothing_outside_the_schema(answer: Any, share: float) -> None:
    assert graded(FIELDS, json.dumps([{"task": "Task 7", "answer": answer}])).score == pytest.approx(share)
    assert graded(FIELDS, json.dumps(answer)).score == pytest.approx(share)
    assert graded(FIELDS, f"So:\n```json\n{json.dumps(answer)}\n```").score == pytest.approx(share)
    assert graded(FIELDS, json.dumps([{"task": "7", "answer": json.dumps(answer)}])).score == pytest.approx(share)


def test_schema_says_what_is_wrong() -> None:
    detail = graded(FIELDS, '{"place": "north gate", "days": 4}').detail
    assert (detail["outcome"], detail["wrong_fields"], detail["faults"]) == ("partly right", ["days", "who"], [])
    detail = graded(FIELDS, '{"place": 3}').detail
    assert (detail["outcome"], detail["faults"]) == ("does not match the schema", ["place: 3 is not of type 'string'"])
    assert graded(FIELDS, "no idea").detail["outcome"] == "missing"
    two = '```json\n{"place": "north gate", "days": 45, "who": ["A", "B"]}\n```\nor\n```json\n{"place": "x"}\n```'
    assert graded(FIELDS, two).score == 0, "of several answers the worst counts"


@pytest.mark.parametrize(
    ("target", "answer", "right"),
    [(3, 3.0, 1), (3, "3", 0), (True, 1, 0), (True, True, 1), ([1, 2], [1, 2], 1), ([1, 2], [2, 1], 0),
     ("A", "a", 1), ({"a": {"b": 1}}, {"a": {"b": 1}}, 1), ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, 0), ([], [], 1)],
)  # fmt: skip
def test_values_are_equal_by_type_and_value(target: Any, answer: Any, right: int) -> None:
    assert graded({"grader": "schema", "schema": {}, "target": target}, json.dumps(answer)).score == right


def test_a_schema_without_a_target_and_one_that_refers_to_itself() -> None:
    tree = {"$defs": {"t": {"type": "object", "additionalProperties": {"$ref": "#/$defs/t"}}}, "$ref": "#/$defs/t"}
    row = {"grader": "schema", "schema": tree}
    assert graded(row, '{"a": {"b": {}}}').score == 1 and graded(row, '{"a": {"b": 3}}').score == 0
    assert graded(row, '{"a":' * 900 + "{}" + "}" * 900).score in (0, 1)
    assert graded(row, '{"a":' * 100_000).score == 0
    task = keyed({"input": "x", **row}, 7, "exact")
    schema = GRADERS["schema"].output_schema(task)
    assert schema is not None and schema["items"]["properties"]["answer"] == {}


def test_an_answer_that_is_a_list_of_entries_of_its_own() -> None:
    row = {"grader": "schema", "schema": {"type": "array"}, "target": [{"task": "x", "answer": 1}]}
    assert graded(row, '[{"task": "x", "answer": 1}]').score == 1
    assert graded(row, '[{"task": "Task 7", "answer": [{"task": "x", "answer": 1}]}]').score == 1


CODE = {
    "grader": "python",
    "target": "def test_a(program):\n    assert program['solution'].f(1) == 2\n\n"
    "def test_b(program):\n    assert program['solution'].f(2) == 4\n",
}
RIGHT, HALF = "def f(x):\n    return 2 * x", "def f(x):\n    return 2"


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (f"solution.py\n```python\n{RIGHT}\n```", 1),
        (f"Here it is:\n```python\n{RIGHT}\n```\nDone.", 1),
        (RIGHT, 1),
        (json.dumps([{"file": "solution.py", "content": RIGHT}]), 1),
        (f"solution.py\n```\nfrom helper import f\n```\nhelper.py\n```\n{RIGHT}\n```\nREADME.md\n```\nx\n```", 1),
        (f"solution.py\n```\n{HALF}\n```", 0),
        (f"```\n{RIGHT}\n```\n```\n{HALF}\n```", 0),
        (f"solution.py\n```\n{RIGHT}\n```\nsolution.py\n```\n{HALF}\n```", 0),
        (f"**other.py**\n```\n{RIGHT}\n```", 1),
        (f"```\n{RIGHT}\n```\nUse it:\n```\nprint(f(1))\n```", 1),
        ("```\nf = lambda x: 2 * x\n```\n```\nassert f(1) == 2\n```", 1),
        (f"./solution.py\n```\n{RIGHT}\n```", 1),
        (f"solution.py\n```\n{RIGHT}\n```\n./solution.py\n```\n{HALF}\n```", 0),
        (f"solution.py\n```\n{RIGHT}\n```\n" + json.dumps([{"file": "solution.py", "content": HALF}]), 0),
        (f"a.py\n```\n{RIGHT}\n```\nb.py\n```\n{HALF}\n```", 0),
        ("other.py\n```\ndef g(x):\n    return 2 * x\n```", 0),
        ("I cannot do it.", 0),
        ("", 0),
    ],
)  # fmt: skip
def test_code_must_pass_every_test(answer: str, right: int) -> None:
    assert graded(CODE, answer).score == right


def test_what_failed_is_told_and_time_stands_still_on_the_virtual_clock() -> None:
    task = keyed({"input": "x", **CODE}, 7, "exact")

    async def main(clock: Clock) -> tuple[Grade, float]:
        time = clock.start()
        return await GRADERS["python"].grade(task, HALF), time.now()

    grade, seconds = run("virtual", main)
    assert seconds == 0
    assert (grade.detail["outcome"], grade.detail["passed"], grade.detail["tests"]) == ("wrong", 1, 2)
    assert len(grade.detail["failures"]) == 1 and grade.detail["failures"][0].startswith("test_b")


def test_a_module_without_its_name_is_found_by_what_the_tests_use() -> None:
    tests = "def test(program):\n    program['solution'].f(program.value('solution', 'N'), program['other'].g)"
    assert modules_in("```\nN = 1\n```\n```\ndef f(): ...\nN = 1\n```", tests) == {"solution.py": "def f(): ...\nN = 1"}
    assert modules_in("```\nfrom statistics import f, N\n```", tests) == {"solution.py": "from statistics import f, N"}


def test_only_python_files_are_taken_from_an_answer() -> None:
    assert modules_in("notes.md\n```\nx\n```", "") == {}
    assert modules_in("`pkg/a.py`\n```\nx = 1\n```", "") == {"pkg/a.py": "x = 1"}
    assert modules_in("notes.md\n```\nx\n```\nSo:\n```\nx = (\n```\nand\n```\nx = (\n```", "") == {
        "solution.py": "x = ("
    }
    assert modules_in("# only a comment", "") == modules_in("```\nx = 1", "") == modules_in(" ", "") == {}
