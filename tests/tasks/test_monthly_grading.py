"""The grader and the visible tests on a year small enough to check by hand: each rule, and each way to be wrong."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from tasks.monthly_figures import MonthlyFigures
from tasks.monthly_figures.entries import Asked, asked_for
from tasks.monthly_figures.grading import OUTCOMES, grade
from tasks.monthly_figures.problem import MISSING, Month, Problem
from tasks.monthly_figures.visible import VisibleTests

UNIT = "thousand USD"


def month(label: str, amount: str, company: str = "Fern Quay Tiles Ltd", unit: str = UNIT) -> Month:
    return Month(label, company, label[-7:], f"{label}: …", "plain", amount, unit, (f"{label} told",), None, ())


JANUARY, FEBRUARY, MARCH = month("2023-01", "12.50"), month("2023-02", "1200.98"), month("2023-03", "missing")
PROBLEM = Problem((), (JANUARY, FEBRUARY, MARCH), UNIT)
KEY = [m.key for m in PROBLEM.months]


def outcomes(entries: object, problem: Problem = PROBLEM) -> list[str]:
    """What becomes of each month; the counts and the score must say the same."""
    found = grade(problem, entries if isinstance(entries, str) else json.dumps(entries, ensure_ascii=False))
    told = [result["outcome"] for result in found.detail["months"]]
    assert {o: found.detail[o] for o in OUTCOMES} == {o: told.count(o) for o in OUTCOMES}
    assert found.score == told.count("right") / len(problem.months)
    return told


def january(**changed: Any) -> str:
    """The outcome of January with something about its entry changed; the rest of the answer is right."""
    first, *rest = outcomes([{**KEY[0], **changed}, *KEY[1:]])
    assert rest == ["right", "right"]
    return first


def march(entry: Sequence[dict[str, Any]]) -> str:
    """The outcome of the missing month with these entries; the rest of the answer is right."""
    *rest, last = outcomes([*KEY[:2], *entry])
    assert rest == ["right", "right"]
    return last


def test_the_key_is_right_and_is_what_the_readme_says() -> None:
    assert KEY[0] == {"month": "2023-01", "amount": "12.50", "unit": "thousand USD"}
    assert KEY[2] == {"month": "2023-03", "amount": "missing", "unit": "thousand USD"}
    assert outcomes(KEY) == ["right"] * 3


@pytest.mark.parametrize(
    ("amount", "outcome"),
    [
        ("12.50", "right"),
        (" 12.50 ", "right"),
        ("**12.50**", "right"),
        (" `12.50` ", "right"),
        ("_12.50 thousand USD_", "right"),
        ("$12.50 thousand", "right"),
        ("**12.5**", "wrong_decimals"),
        ("**missing**", "overlooked"),
        ("12.50*", "wrong_unit"),  # a footnote
        ("**12.50", "wrong_unit"),
        ("**12.50** or **13.00**", "wrong_unit"),
        ("12.50 thousand USD", "right"),
        ("12.5", "wrong_decimals"),
        ("12.500", "wrong_decimals"),
        (12.5, "wrong_decimals"),
        ("12.51", "wrong_value"),
        ("12.49", "wrong_value"),
        ("-12.50", "wrong_value"),
        ("125.00", "wrong_value"),
        ("1.25", "wrong_value"),
        ("0.00", "wrong_value"),
        (0, "wrong_value"),
        ("about 12.50", "wrong_unit"),  # what stands beside the number is taken for its unit
        ("12.50 USD", "wrong_unit"),
        ("12.50 or 13.00", "wrong_unit"),
        ("twelve and a half", "wrong_value"),
        (["12.50"], "wrong_value"),
        (True, "wrong_value"),
        ("12.50" + " " * 400, "wrong_value"),
        ("missing", "overlooked"),
        ("Missing.", "overlooked"),
        (None, "left_out"),
        ("", "left_out"),
        ("  ", "left_out"),
    ],
)
def test_an_amount_is_the_number_with_two_decimals_as_text(amount: Any, outcome: str) -> None:
    assert january(amount=amount) == outcome


def test_thousands_may_be_set_apart_by_commas() -> None:
    for amount, outcome in (("1,200.98", "right"), ("1200,98", "wrong_value"), ("1.200,98", "wrong_value")):
        assert outcomes([KEY[0], {**KEY[1], "amount": amount}, KEY[2]]) == ["right", outcome, "right"]


@pytest.mark.parametrize(
    ("unit", "outcome"),
    [
        ("thousand USD", "right"),
        ("Thousand usd", "right"),
        ("USD thousand", "right"),
        ("thousand US dollars", "right"),
        ("**thousand USD**", "right"),
        ("US$ thousand", "right"),
        ("thousands of dollars", "right"),
        ("US dollars", "wrong_unit"),
        ("million US dollars", "wrong_unit"),
        ("hundred thousand USD", "wrong_unit"),
        ("thousand EUR", "wrong_unit"),
        ("USD", "wrong_unit"),
        ("million USD", "wrong_unit"),
        ("万元", "wrong_unit"),
        ("", "wrong_unit"),
        (None, "wrong_unit"),
        (["thousand USD"], "wrong_unit"),
    ],
)
def test_a_unit_is_the_wanted_one(unit: Any, outcome: str) -> None:
    assert january(unit=unit) == outcome
    assert january(unit=unit, amount="99.00") == ("wrong_value" if outcome == "right" else "wrong_unit")


def test_a_unit_that_is_not_there_is_no_unit() -> None:
    assert outcomes([{"month": "2023-01", "amount": "12.50"}, *KEY[1:]]) == ["wrong_unit", "right", "right"]


def test_chinese_units_have_their_wordings() -> None:
    problem = Problem((), (month("2023-01", "12.50", "南通德润轴承有限公司", "万元"),), "万元")
    for unit, outcome in (
        ("万元", "right"),
        ("万元人民币", "right"),
        ("万元（人民币）", "right"),
        ("元", "wrong_unit"),
        ("千元", "wrong_unit"),
    ):
        assert outcomes([{"month": "2023年1月", "amount": "12.50", "unit": unit}], problem) == [outcome]


def test_a_missing_month_must_be_listed_as_missing() -> None:
    assert march([KEY[2]]) == "right"
    assert march([{"month": "2023-03", "amount": "MISSING"}]) == "right", "there is no amount that had a unit"
    assert march([]) == "not_marked"
    for nothing in (None, "", " "):
        assert march([{**KEY[2], "amount": nothing}]) == "not_marked"
    for invented in ("0.00", "88.10", 0, "none", "n/a", False, "missing?!x"):
        assert march([{**KEY[2], "amount": invented}]) == "invented"


def test_who_calls_everything_missing_has_read_nothing() -> None:
    everything = [m.entry("missing", UNIT) for m in PROBLEM.months]
    assert outcomes(everything) == ["overlooked", "overlooked", "unfounded"]
    assert outcomes([KEY[2]]) == ["left_out", "left_out", "unfounded"]
    assert outcomes([KEY[0], KEY[2]]) == ["right", "left_out", "right"], "one right amount is enough"
    wrong = [{**KEY[0], "amount": "12.5"}, KEY[2]]
    assert outcomes(wrong) == ["wrong_decimals", "left_out", "unfounded"]


@pytest.mark.parametrize("missing", [0, 2, 6])
@pytest.mark.parametrize("documents", [1, 3])
def test_one_amount_read_and_all_others_called_missing_is_worth_what_the_readme_says(
    missing: int, documents: int
) -> None:
    suite = MonthlyFigures(samples=1, pages=1, missing=missing, documents=documents)
    problem = suite.problem(suite.sample_ids()[0])
    read = next(m for m in problem.months if m.amount != MISSING)
    lazy = [m.key if m is read else m.entry(MISSING, m.unit) for m in problem.months]
    score = grade(problem, json.dumps(lazy)).score
    assert score == pytest.approx((1 + missing * documents) / (12 * documents))
    assert score <= 7 / 12 < suite.pass_threshold


def test_several_entries_for_a_month_must_come_to_the_same() -> None:
    assert outcomes([*KEY, KEY[0], {**KEY[0], "amount": "12.50 thousand USD"}]) == ["right"] * 3
    assert outcomes([*KEY, {**KEY[0], "amount": "13.00"}]) == ["conflicting", "right", "right"]
    assert outcomes([*KEY, {**KEY[0], "amount": None}]) == ["conflicting", "right", "right"]
    assert outcomes([*KEY, {**KEY[2], "amount": "1.00"}]) == ["right", "right", "conflicting"]
    twice = [{**KEY[0], "amount": "13.00"}, {**KEY[0], "amount": "14.00"}, *KEY[1:]]
    assert outcomes(twice) == ["wrong_value", "right", "right"]
    assert outcomes(json.dumps([{**KEY[0], "amount": "13.00"}]) + json.dumps(KEY)) == ["conflicting", "right", "right"]


def test_other_months_and_fields_change_nothing_and_are_counted() -> None:
    more = [{**KEY[0], "month": "2022-01"}, {**KEY[0], "month": "total"}, {"amount": "1.00"}]
    found = grade(PROBLEM, json.dumps([{**entry, "source": "sheet 3"} for entry in KEY] + more))
    assert found.score == 1 and found.detail["unmatched"] == 3 and found.detail["parsed"] is True


@pytest.mark.parametrize("wrapped", ["```json\n{}\n```", "Here [as asked]:\n{}\nDone.", '{{"months": {}}}', " {} "])
def test_text_around_the_array_does_no_harm(wrapped: str) -> None:
    assert outcomes(wrapped.format(json.dumps(KEY))) == ["right"] * 3


@pytest.mark.parametrize(
    "empty", ["", "[]", "{}", "null", "[[]]", "[{}]", "no answer", json.dumps({"2023-01": "12.50"})]
)
def test_nothing_scores_nothing(empty: str) -> None:
    assert outcomes(empty) == ["left_out", "left_out", "not_marked"]


@pytest.mark.parametrize(
    ("told", "month_", "company"),
    [
        ("2023-01", "2023-01", ""),
        ("2023-1", "2023-01", ""),
        ("2023/01", "2023-01", ""),
        ("2023年1月", "2023-01", ""),
        ("2023 年 11 月", "2023-11", ""),
        ("January 2023", "2023-01", ""),
        ("sept 2023", None, ""),
        ("Sep. 2023", "2023-09", ""),
        ("Fern Quay Tiles Ltd 2023-01", "2023-01", "fern quay tiles ltd"),
        ("南通德润轴承有限公司2023年1月", "2023-01", "南通德润轴承有限公司"),
        ("January", None, ""),
        ("1月", None, ""),
        ("2023", None, ""),
        ("2023-01 and 2023-02", None, ""),
        ("12023-01", None, ""),
        ("2023-013", None, ""),
        (1, None, ""),
        (None, None, ""),
    ],
)
def test_months_are_read_in_the_ways_that_people_write_them(told: Any, month_: str | None, company: str) -> None:
    assert asked_for({"month": told}) == (None if month_ is None else Asked(company, month_))


def test_with_several_companies_an_entry_names_its_own() -> None:
    one, two = month("Fern Ltd 2023-01", "1.00", "Fern Ltd"), month("Larch Ltd 2023-01", "2.00", "Larch Ltd")
    problem = Problem((), (one, two), UNIT)
    assert outcomes([one.key, two.key], problem) == ["right", "right"]
    apart = [{**m.key, "month": m.month, "company": m.company} for m in (one, two)]
    assert outcomes(apart, problem) == ["right", "right"]
    assert outcomes([{**one.key, "month": "2023-01"}], problem) == ["left_out", "left_out"]
    crossed = [{**one.key, "month": two.label}, {**two.key, "month": one.label}]
    assert outcomes(crossed, problem) == ["wrong_value", "wrong_value"]


# -- visible tests -----------------------------------------------------------------------------------------------------


def failures(entries: object) -> list[str]:
    tests = VisibleTests(tuple((m.label, m.company, m.month) for m in PROBLEM.months), UNIT)
    answer = entries if isinstance(entries, str) else json.dumps(entries)
    return list(asyncio.run(tests(answer)))


def test_visible_tests_see_the_form_and_not_the_key() -> None:
    assert failures(KEY) == []
    assert failures([m.entry("99.99", UNIT) for m in PROBLEM.months]) == [], "wrong, in the right form"
    assert failures([m.entry("missing", UNIT) for m in PROBLEM.months]) == []


@pytest.mark.parametrize(
    ("entries", "fails"),
    [
        ([KEY[0], KEY[1]], "2023-03: no entry"),
        ([*KEY, KEY[0]], "2023-01: 2 entries instead of one"),
        ([{**KEY[0], "amount": None}, *KEY[1:]], '2023-01: no amount: give a number, or "missing"'),
        (
            [{**KEY[0], "amount": "12.5"}, *KEY[1:]],
            "2023-01: the amount '12.5' is no text with exactly two decimals, nor \"missing\"",
        ),
        (
            [{**KEY[0], "amount": 12.34}, *KEY[1:]],
            "2023-01: the amount '12.34' is no text with exactly two decimals, nor \"missing\"",
        ),
        ([{**KEY[0], "unit": "USD"}, *KEY[1:]], "2023-01: the unit 'USD' is not thousand USD"),
        ("no array", "the answer holds no JSON array of entries with a month"),
    ],
)
def test_visible_tests_name_what_is_wrong_with_the_form(entries: object, fails: str) -> None:
    assert failures(entries) == [fails]
