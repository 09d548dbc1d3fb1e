"""briefing: what a report asks for, what its requester says, and how a line is graded."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from harness.agents.tools import Arguments
from harness.errors import ConfigError
from harness.suite import Sample
from harness.testing.suites import SuiteConformance
from tasks.briefing import Briefing, grading
from tasks.briefing.fields import Field, Figure
from tasks.briefing.requester import NAME_IT, ask_requester
from tasks.briefing.terms import AMBIGUOUS, EUR, PERCENT, PLAIN, USD, Term
from tasks.common.texts import normalise, quantity


class TestConformance(SuiteConformance):
    def suite(self) -> Briefing:
        return Briefing(limit=3)

    def dumps(self, suite: Briefing, sample: Sample) -> Sequence[str]:
        report = suite.problem(sample.id)
        whole = "\n\n".join(document.text for document in report.documents)
        every = [line.entry(f) for line in report.fields for f in (*line.figures, line.withdrawn)]
        quoted = [{"field": line.label, "value": line.sentence, "reading": line.sentence} for line in report.fields]
        return [whole, json.dumps(every), json.dumps(quoted)]


# -- material ------------------------------------------------------------------------------------------------------


def test_terms_can_be_told_apart_and_so_can_their_readings() -> None:
    for term in AMBIGUOUS:
        names = [reading for reading, _ in term.readings]
        assert len(names) == 3 and term.kind
        assert not any(a != b and re.search(rf"\b{re.escape(a)}\b", b) for a in names for b in names)
    assert all(len(term.readings) == 1 and not term.kind for term in PLAIN)
    words = [(term.name, word) for term in (*AMBIGUOUS, *PLAIN) for word in (term.name, *term.called)]
    for name, word in words:
        assert [n for n, w in words if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", w, re.I) and n != name] == []


@pytest.mark.parametrize("seed", range(6))
def test_every_figure_stands_in_one_note_and_what_is_meant_in_none(seed: int) -> None:
    suite = Briefing(seed=seed, fields=14, ambiguous=8, samples=3)
    for sample_id in suite.sample_ids():
        report, sample = suite.problem(sample_id), suite.sample(sample_id)
        texts = [document.text for document in report.documents]
        assert [line.ambiguous for line in report.fields].count(True) == 8
        for line in report.fields:
            assert sample.statement.split("\n").count(line.line) == 1
            assert sum(text.count(line.sentence) for text in texts) == 1
            (note,) = (text for text in texts if line.sentence in text)
            assert line.old_sentence not in note and sum(text.count(line.old_sentence) for text in texts) == 1
            assert all(str(figure) in line.sentence for figure in line.figures)
            assert line.answer not in "".join((*texts, sample.statement, sample.brief))
            numbers = [quantity(f.number) for f in (*line.figures, line.withdrawn)]
            assert len(set(numbers)) == len(numbers)


def test_what_is_meant_cannot_be_guessed_from_the_order_or_from_other_samples() -> None:
    lines = [f for n in range(200) for f in _lines(Briefing(samples=200), n) if f.ambiguous]
    meant = [line.meant for line in lines]
    places = [line.shown.index(line.meant) for line in lines]
    old = [(line.figures[line.meant].reading == line.withdrawn.reading) for line in lines]
    withdrawn = [[f.reading for f in line.figures].index(line.withdrawn.reading) for line in lines]
    for drawn in (meant, places, withdrawn):
        assert all(0.29 < drawn.count(place) / len(drawn) < 0.38 for place in range(3))
    assert 0.29 < sum(old) / len(old) < 0.38


def test_whoever_never_asks_gets_what_the_readme_says() -> None:
    """Whichever rule it goes by: half of the score, and 13 of 729 samples passed. The bounds are four standard errors
    of the mean and of the share over 400 samples."""
    suite, random = Briefing(samples=400), Random("never asks")
    rules: dict[str, Callable[[Field], Figure]] = {
        "natural": lambda line: line.figures[0],
        "random": lambda line: random.choice(line.figures),
        "withdrawn": lambda line: next(f for f in line.figures if f.reading == line.withdrawn.reading),
        "not withdrawn": lambda line: random.choice([f for f in line.figures if f.reading != line.withdrawn.reading]),
        "last in the note": lambda line: line.figures[line.shown[-1]],
        "largest": lambda line: max(line.figures, key=lambda f: quantity(f.number) or ()),
    }
    mean, deviation = 2 / 8 + 6 / 8 / 3, (6 * (1 / 3) * (2 / 3)) ** 0.5 / 8
    passing = (6 * 2 + 1) / 3**6
    reports = [_lines(suite, n) for n in range(400)]
    for name, rule in rules.items():
        grades = [
            grading.grade(r, json.dumps([f.entry(rule(f) if f.ambiguous else f.figures[0]) for f in r]))
            for r in reports
        ]
        scores = [grade.score for grade in grades]
        assert abs(sum(scores) / 400 - mean) < 4 * deviation / 20, name
        share = sum(score >= suite.pass_threshold for score in scores) / 400
        assert abs(share - passing) < 4 * (passing * (1 - passing)) ** 0.5 / 20, name
        assert all(g.detail["wrong_reading"] == sum(g.detail[o] for o in grading.OUTCOMES[1:]) for g in grades)


def _lines(suite: Briefing, number: int) -> Sequence[Field]:
    return suite.problem(suite.sample_ids()[number]).fields


def test_a_term_means_the_same_in_all_lines_of_a_report() -> None:
    lines = _lines(Briefing(fields=40, ambiguous=30), 0)
    assert len({(f.term.name, f.site) for f in lines}) == 40
    assert len({(f.term.name, f.meant) for f in lines if f.ambiguous}) == len(AMBIGUOUS)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"fields": 0}, "task.fields=0"),
        ({"ambiguous": -1}, "task.ambiguous=-1"),
        ({"fields": 2}, "task.ambiguous=6 is more than task.fields=2"),
        ({"notes": 0}, "task.notes=0"),
        ({"samples": 0}, "task.samples=0"),
        ({"fields": 111, "ambiguous": 111}, "task.ambiguous=111 is too large: there are 110"),
        ({"fields": 95}, "leaves 89 lines with one reading, and there are 88"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(named)):
        Briefing(**options)


def test_the_largest_report_can_be_made() -> None:
    assert len({(f.term.name, f.site) for f in _lines(Briefing(fields=198, ambiguous=110, notes=2), 0)}) == 198


def test_size_grows_with_the_notes_and_passes_a_window() -> None:
    sizes = [Briefing(notes=n).sample(f"briefing-8-{n}-s0-00").material_tokens for n in (4, 40, 400)]
    assert sizes[0] < 2_500 and 7 * sizes[0] < sizes[1] < 10 * sizes[0] and sizes[2] > 128_000


def test_reports_without_ambiguous_lines_say_so() -> None:
    suite = Briefing(ambiguous=0)
    assert suite.sample(suite.sample_ids()[0]).tags == ("plain",)
    tags = Briefing(ambiguous=6).sample("briefing-8-4-s0-00").tags
    assert tags[0] == "ambiguous" and set(tags[1:]) <= {"period", "scope", "plan", "basis", "currency"}


# -- the requester -------------------------------------------------------------------------------------------------

REVENUE = Field(
    "b00-1",
    AMBIGUOUS[0],
    "Ardal",
    (
        Figure("calendar quarter", "412,300", EUR),
        Figure("fiscal quarter", "387,900", EUR),
        Figure("rolling quarter", "365,500", EUR),
    ),
    1,
    (2, 0, 1),
    Figure("calendar quarter", "401,200", EUR),
)
EXPORTS = Field(
    "b00-2",
    AMBIGUOUS[4],
    "Ardal",
    (Figure("euro books", "200,000", EUR), Figure("dollar books", "217,400", USD)),
    1,
    (0, 1),
    Figure("euro books", "190,000", EUR),
)
SHARE = Field(
    "b00-3",
    Term("share", (("market survey", PERCENT),), 0, 1),
    "Ardal",
    (Figure("market survey", "14.6", PERCENT),),
    0,
    (0,),
    Figure("market survey", "15.1", PERCENT),
)
REPORT = (REVENUE, EXPORTS, SHARE)
REVENUE_MEANS, EXPORTS_MEAN = 'By "Q2 revenue" I mean: fiscal quarter.', 'By "export value" I mean: dollar books.'


def asked(question: str) -> str:
    return str(asyncio.run(ask_requester(REPORT).run(Arguments(question=question))))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "question",
    ["Which Q2 is meant?", "what does Q2 REVENUE mean", "b00-1?", "The second\nquarter: which?", REVENUE.line],
)
def test_whoever_names_the_term_or_its_line_is_told_what_it_means(question: str) -> None:
    assert asked(question) == REVENUE_MEANS


@pytest.mark.parametrize("question", ["", "Which reading is meant?", "What about Q20?", "b00-11", "pre-revenue", "Q"])
def test_whoever_names_none_is_asked_to(question: str) -> None:
    assert asked(question) == NAME_IT


def test_several_terms_are_answered_in_the_order_of_the_report_each_once() -> None:
    assert asked("exports, and Q2 revenue; Q2?") == f"{REVENUE_MEANS}\n{EXPORTS_MEAN}"
    assert asked("share") == 'By "share" I mean what the notes say: there is only one figure (market survey).'


def test_the_same_question_gets_the_same_bytes() -> None:
    suite = Briefing()
    tool = suite.tools(suite.sample(suite.sample_ids()[0]))[-1]
    again = Briefing().tools(Briefing().sample(suite.sample_ids()[0]))[-1]
    assert tool.name == "ask_requester" and tool.tags == {"ask"}
    question = Arguments(question=suite.sample(suite.sample_ids()[0]).statement)
    assert asyncio.run(tool.run(question)) == asyncio.run(again.run(question))  # type: ignore[arg-type]


def test_without_a_requester_nobody_can_be_asked() -> None:
    suite = Briefing(requester=False)
    assert [t.name for t in suite.tools(suite.sample(suite.sample_ids()[0]))] == [
        "list_documents", "read_document", "search_documents",
    ]  # fmt: skip


# -- grading -------------------------------------------------------------------------------------------------------


def outcome(field: Field, *entries: tuple[Any, Any]) -> str:
    given = [{"field": field.label, "value": value, "reading": reading} for value, reading in entries]
    grade = grading.grade(REPORT, json.dumps(given))
    assert grade.score == (1 / 3 if grade.detail["right"] else 0)
    return str(grade.detail["fields"][REPORT.index(field)]["outcome"])


@pytest.mark.parametrize(
    ("value", "reading", "expected"),
    [
        ("387,900 EUR", "fiscal quarter", "right"),
        ("EUR 387900.00", "the Fiscal Quarter.", "right"),
        ("387,900 euros", "fiscal quarter (July to June)", "right"),
        ("387,900 EUR", None, "wrong_reading"),
        ("387,900 EUR", "", "wrong_reading"),
        ("387,900 EUR", "calendar quarter", "wrong_reading"),
        ("387,900 EUR", "fiscal quarter, not calendar quarter", "wrong_reading"),  # names two
        ("387,900 EUR", ["fiscal quarter"], "wrong_reading"),
        ("412,300 EUR", "calendar quarter", "wrong_reading"),
        ("412,300 EUR", "fiscal quarter", "wrong_reading"),
        ("387,900", "fiscal quarter", "wrong_unit"),
        (387900, "fiscal quarter", "wrong_unit"),
        ("387,900 USD", "fiscal quarter", "wrong_unit"),
        ("387,901 EUR", "fiscal quarter", "wrong_value"),
        ("387.9 EUR", "fiscal quarter", "wrong_value"),
        ("401,200 EUR", "fiscal quarter", "wrong_value"),  # withdrawn
        ("387,900 EUR or 412,300 EUR", "fiscal quarter", "wrong_unit"),  # more than a unit
        (True, "fiscal quarter", "wrong_value"),
        ({"a": 1}, "fiscal quarter", "wrong_value"),
        (None, "fiscal quarter", "missing"),
        ("", "fiscal quarter", "missing"),
    ],
)
def test_value_unit_and_reading_all_count(value: Any, reading: Any, expected: str) -> None:
    assert outcome(REVENUE, (value, reading)) == expected


def test_the_unit_goes_with_the_reading() -> None:
    assert outcome(EXPORTS, ("217,400 USD", "dollar books")) == "right"
    assert outcome(EXPORTS, ("$217,400", "dollar books")) == "right"
    assert outcome(EXPORTS, ("217,400 EUR", "dollar books")) == "wrong_unit"
    assert outcome(EXPORTS, ("200,000 EUR", "euro books")) == "wrong_reading"


def test_a_line_with_one_reading_names_it_too() -> None:
    assert outcome(SHARE, ("14.6 %", "market survey")) == "right"
    assert outcome(SHARE, ("14.6 percent", None)) == "wrong_reading"
    assert outcome(SHARE, ("15.1 percent", "market survey")) == "wrong_value"


def test_versions_have_to_agree() -> None:
    right, natural = ("387,900 EUR", "fiscal quarter"), ("412,300 EUR", "calendar quarter")
    assert outcome(REVENUE, right, right) == "right"
    assert outcome(REVENUE, right, natural) == "wrong_value"
    assert outcome(REVENUE, natural, natural) == "wrong_reading"
    assert outcome(REVENUE, right, (None, None)) == "wrong_value"


def test_counts_tell_ambiguous_lines_apart() -> None:
    given = [REVENUE.entry(REVENUE.figures[0]), EXPORTS.key, {"field": "b07-1", "value": "x"}]
    detail = grading.grade(REPORT, f"Here you are: {json.dumps(given)}").detail
    zero = dict.fromkeys(grading.OUTCOMES, 0)
    assert {k: detail[k] for k in zero} == {**zero, "right": 1, "wrong_reading": 1, "missing": 1}
    assert detail["of_ambiguous"] == {**zero, "right": 1, "wrong_reading": 1}
    assert detail["unmatched"] == 1


def test_every_figure_is_graded_as_notes_write_it() -> None:
    for n in range(12):
        for line in _lines(Briefing(fields=12, ambiguous=8), n):
            for i, figure in enumerate(line.figures):
                grade = grading.grade((line,), json.dumps([line.entry(figure)]))
                assert grade.detail["fields"][0]["outcome"] == ("right" if i == line.meant else "wrong_reading")
                for unit in figure.unit.names:
                    told = quantity(f"{figure.number} {unit}")
                    assert told is not None and told[1] == normalise(unit)
