"""The generated papers: what they tell adds up to the key, once and legibly, whatever the options."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.models.oracle import Item
from tasks.common.documents import Document
from tasks.monthly_figures import MonthlyFigures
from tasks.monthly_figures.material.generator import LANGUAGES, Generator
from tasks.monthly_figures.material.lexicon import Unit
from tasks.monthly_figures.material.year import CORRECTED, MISSING, PLAIN, SPLIT, TABLE, Amounts, drawn
from tasks.monthly_figures.oracle import MonthOracle
from tasks.monthly_figures.problem import Month, Problem

SIZES = {"million USD": 1000, "thousand USD": 1, "USD": "0.001", "千元": "0.1", "万元": 1, "元": "0.0001"}
"""Unit → how many of the wanted unit it is, in thousand USD or in 万元. Longer names first: 千元 ends in 元."""
_ENGLISH = re.compile(r"(?:(USD) )?([\d,]+(?:\.\d+)?)(?: (million USD|thousand USD))?")
_CHINESE = re.compile(r"([\d,]+(?:\.\d+)?)(千元|万元|元)")


def amounts_in(sentence: str) -> list[Decimal]:
    """Every amount with a unit in a sentence, in the wanted unit: written anew, not with the generator's code."""
    found = [(m[2], m[1] or m[3]) for m in _ENGLISH.finditer(sentence)]
    found += [(m[1], m[2]) for m in _CHINESE.finditer(sentence)]
    return [Decimal(n.replace(",", "")) * Decimal(SIZES[unit]) for n, unit in found if unit]


def told(month: Month) -> Decimal:
    """What the evidence of a month comes to, by the rules of the brief."""
    if month.kind == TABLE:
        caption, row = month.evidence
        unit = next(unit for unit in SIZES if unit in caption)
        return Decimal(row.split("|")[2].strip().replace(",", "")) * Decimal(SIZES[unit])
    each = [amounts_in(sentence) for sentence in month.evidence]
    if month.kind == SPLIT:
        (first,), (second,) = each
        return first + second
    if month.kind == CORRECTED:
        (first,), both = each
        assert len(both) == 2 and first in both
        return next(amount for amount in both if amount != first)
    ((only,),) = each
    return only


def problems(**options: Any) -> list[Problem]:
    suite = MonthlyFigures(**options)
    return [suite.problem(sample_id) for sample_id in suite.sample_ids()]


def document_of(problem: Problem, month: Month) -> Document:
    return problem.documents[problem.companies.index(month.company)]


@pytest.mark.parametrize("options", [{"pages": 1}, {"pages": 6, "documents": 2}, {"missing": 0}, {"missing": 6}])
@pytest.mark.parametrize("seed", [0, 1])
def test_what_the_papers_tell_comes_to_the_key(options: dict[str, Any], seed: int) -> None:
    for problem in problems(samples=4, seed=seed, **options):
        for month in problem.months:
            text = document_of(problem, month).text
            others = "".join(d.text for d in problem.documents if d is not document_of(problem, month))
            assert all(text.count(piece) == 1 for piece in month.evidence), "once and whole: no scan error touches it"
            assert not any(piece in others for piece in month.evidence)
            if month.kind == MISSING:
                assert month.amount == "missing"
            else:
                assert month.amount == f"{told(month):.2f}" and told(month) == Decimal(month.amount)


def test_a_correction_stands_after_what_it_corrects() -> None:
    for problem in problems(samples=12, pages=1) + problems(samples=12, pages=20):
        for month in problem.months:
            if month.kind == CORRECTED:
                first, second = (document_of(problem, month).text.index(piece) for piece in month.evidence)
                assert first < second


@pytest.mark.parametrize("pages", [1, 20, 400])
def test_a_sheet_was_written_after_what_it_tells_and_after_the_sheet_above(pages: int) -> None:
    """The dates as they stand in the text: all in the year after, so that a correction is later than what it corrects
    and a month is told when it is over."""
    names = LANGUAGES["en"].months
    english = re.compile(rf"(?:(?P<day>\d+) )?(?P<month>{'|'.join(names)}) (?P<year>\d{{4}})")
    chinese = re.compile(r"(?P<year>\d{4})年(?P<month>\d+)月(?:(?P<day>\d+)日)?")
    seen = 0
    for problem, form in zip(problems(samples=2, pages=pages), (english, chinese), strict=True):
        last = (0, 0)
        for i, section in enumerate(problem.documents[0].sections):
            found = form.search(section.split("\n\n")[i == 0])  # the head, on the first sheet below the title
            if found is None:
                continue
            seen += 1
            assert int(found["year"]) == int(problem.months[0].month[:4]) + 1
            name = found["month"]
            month = names.index(name) + 1 if name in names else int(name)
            day = int(found["day"] or last[1] if month == last[0] else found["day"] or 1)  # a circular tells no day
            assert 1 <= month <= 12 and (month, day) >= last
            last = (month, day)
    assert seen > pages or pages == 1, "four of six kinds of sheets bear a date"


def test_every_year_has_all_kinds_and_as_many_missing_months_as_asked_for() -> None:
    for missing, kinds in (
        (2, {CORRECTED: 2, SPLIT: 2, TABLE: 2, PLAIN: 4, MISSING: 2}),
        (0, {CORRECTED: 3, SPLIT: 3, TABLE: 3, PLAIN: 3}),
        (5, {CORRECTED: 1, SPLIT: 1, TABLE: 1, PLAIN: 4, MISSING: 5}),
        (6, {CORRECTED: 1, SPLIT: 1, TABLE: 1, PLAIN: 3, MISSING: 6}),
    ):
        for problem in problems(samples=2, pages=2, missing=missing):
            assert Counter(month.kind for month in problem.months) == kinds
            assert [month.month[-2:] for month in problem.months] == [f"{n:02d}" for n in range(1, 13)]


def test_that_a_month_is_missing_takes_every_sheet_to_know() -> None:
    for problem in problems(samples=2, pages=7):
        feet = {month.evidence for month in problem.months if month.kind == MISSING}
        assert len(feet) == 1
        for foot, section in zip(feet.pop(), problem.documents[0].sections, strict=True):
            assert section.endswith(foot)


def test_a_missing_month_tempts_with_its_plan_and_with_the_year_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both stand in the papers, looked at here before they are scanned, and are among the wrong answers."""
    monkeypatch.setattr("tasks.monthly_figures.material.papers.scanned", lambda sentence, *_: sentence)
    for problem in problems(samples=6, pages=5):
        for month in problem.months:
            entries = [month.entry(*wrong) for wrong in month.wrong]
            assert len(entries) >= 3 and month.key not in entries
            assert len({str(entry) for entry in entries}) == len(entries)
            if month.kind == MISSING:
                there = {f"{amount:.2f}" for amount in amounts_in(document_of(problem, month).text)}
                assert {amount for amount, _ in month.wrong[:2]} <= there


def test_wrong_amounts_are_wrong_in_the_ways_that_are_checked_and_in_those_that_are_not() -> None:
    for problem in problems(samples=4):
        for month in problem.months:
            if month.kind == MISSING:
                continue
            assert any(unit != month.unit and amount == month.amount for amount, unit in month.wrong)
            assert any(re.fullmatch(r"\d+\.\d", amount) for amount, _ in month.wrong)
            assert sum(bool(re.fullmatch(r"\d+\.\d\d", a)) and u == month.unit for a, u in month.wrong) >= 2
            assert (month.partial is not None) == (month.kind in (CORRECTED, SPLIT))
            assert month.partial is None or (month.partial, month.unit) in month.wrong


def test_noise_grows_with_pages_and_the_figures_do_not() -> None:
    short, long = problems(samples=1, pages=4)[0], problems(samples=1, pages=40)[0]
    assert len(short.documents[0].sections) == 4 and len(long.documents[0].sections) == 40
    assert 5 < long.documents[0].tokens / short.documents[0].tokens < 10
    assert len(short.months) == len(long.months) == 12


def test_problems_are_made_alone_and_come_out_the_same() -> None:
    def made(order: list[int]) -> dict[int, Problem]:
        generator = Generator(6, 2, 3, 2, 5, ("en", "zh"))
        return {number: generator.problem(number) for number in order}

    assert made([0, 1, 4]) == made([4, 1, 0])
    assert made([3])[3] != Generator(6, 2, 3, 2, 6, ("en", "zh")).problem(3)


def test_the_material_is_the_same_on_every_machine() -> None:
    """What seed 0 began with when this was written: another Python must draw the same."""
    months = problems(samples=2, pages=2)[1].months
    assert [month.amount for month in months[:4]] == ["255.80", "missing", "311.17", "1200.98"]
    assert months[0].company == "泸州双木水泵有限公司" and months[0].month == "2022-01"


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 6))
def test_amounts_of_a_year_are_all_different(seed: int, missing: int) -> None:
    year = drawn(Random(f"test {seed}"), Amounts(Random(f"amounts {seed}")), missing)
    parts = [year.closed[m] - year.first[m] for m, kind in year.kinds.items() if kind == SPLIT]
    whole = [amount for m, amount in year.closed.items() if year.kinds[m] != SPLIT]
    every = [*whole, *parts, *year.first.values(), *year.planned.values(), *year.before.values()]
    assert len(set(every)) == len(every)
    assert all(Decimal(20) <= amount < Decimal(900) and amount == round(amount, 2) for amount in every)


@pytest.mark.parametrize("unit", [unit for lexicon in LANGUAGES.values() for unit in lexicon.units])
@settings(max_examples=100, deadline=None)
@given(cents=st.integers(1, 200_000))
def test_an_amount_is_written_exactly_in_every_unit(unit: Unit, cents: int) -> None:
    amount = Decimal(cents) / 100
    assert amounts_in(f"x {unit.written(amount)}") == [amount]


def test_the_oracle_finds_every_line_and_no_other() -> None:
    for documents in (1, 2):
        suite = MonthlyFigures(samples=4, documents=documents, pages=2)
        oracle = suite.oracle()
        for sample_id in suite.sample_ids():
            lines = suite.sample(sample_id).statement.split("\n")
            found = [item for line in lines if isinstance(item := oracle.lookup(line), Item)]
            months = suite.problem(sample_id).months
            assert [item.right for item in found] == [month.key for month in months]
            assert [oracle.lookup(f"- {month.question}") for month in months] == found
            by_label = [oracle.lookup(month.label) for month in months]
            assert by_label == (found if documents > 1 else [None] * 12), "2023-01 alone may be any company's"
    fewer = MonthOracle(Generator(2, 1, 2, 2, 0, ("en", "zh")))
    beyond = MonthlyFigures(samples=4, pages=2).problem("monthly-1x2-m2-en-zh-s0-03")
    assert fewer.lookup(beyond.months[0].question) is None


def test_mixups_are_the_same_month_of_the_other_companies() -> None:
    suite = MonthlyFigures(samples=1, documents=3, pages=2)
    months = suite.problem(suite.sample_ids()[0]).months
    for month in months:
        item = suite.oracle().lookup(month.question)
        assert item is not None
        others = [m for m in months if m.company != month.company and m.label[-2:] == month.label[-2:]]
        assert [e["amount"] for _, e in item.mixups] == [m.amount for m in others if m.kind != MISSING]
