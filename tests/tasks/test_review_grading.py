"""The grader of review: what counts as caught, what as a false alarm, and what as the place of a defect."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.suite import Grade
from tasks.review import Review
from tasks.review.cases import Case, Draft
from tasks.review.drafts import PAIRS
from tasks.review.grading import grade
from tasks.review.pairs import Pair
from tasks.review.places import names, spans

OF = {pair.file: pair for pair in PAIRS}
PAY = Draft("D00-01", OF["bank/pay.py"], True)
PARCEL = Draft("D00-02", OF["depot/parcel.py"], True)
INITIALS = Draft("D00-03", OF["names/initials.py"], False)
FIELDS = Draft("D00-04", OF["game/fields.py"], False)
CASE = Case((PAY, PARCEL, INITIALS, FIELDS))
"""Two defective drafts, the second of which only another file shows, and two clean ones."""
SWAP = "    move(balances, merchant, customer, cents)"
KILOS = "    return round(kg, 3)"
KG = 'kg = BOX_KG + sum(item["kg"] * item["count"] for item in items)'


def said(draft: Draft, verdict: object, where: object = None) -> dict[str, Any]:
    return {"draft": draft.label, "verdict": verdict, "where": where}


KEY = [
    said(PAY, "defect", SWAP),
    said(PARCEL, "defect", KILOS),
    said(INITIALS, "clean"),
    said(FIELDS, "clean"),
]


def graded(entries: Sequence[Mapping[str, Any]], case: Case = CASE) -> Grade:
    return grade(case, json.dumps(entries))


def outcomes(*entries: Mapping[str, Any]) -> dict[str, str]:
    found = graded(entries).detail["drafts"]
    return {CASE.drafts[i].pair.file: row["outcome"] for i, row in enumerate(found)}


# -- the score ---------------------------------------------------------------------------------------------------------


def test_the_key_and_what_each_error_costs() -> None:
    """Two of either kind: a miss costs half of the catches, a false alarm half of the clean ones."""
    assert graded(KEY).score == 1.0
    assert graded([said(PAY, "clean"), *KEY[1:]]).score == 0.5
    assert graded([*KEY[:2], said(INITIALS, "defect", "word"), KEY[3]]).score == 0.5
    assert graded([said(PAY, "clean"), KEY[1], said(INITIALS, "defect", "word"), KEY[3]]).score == 0.0
    assert graded([said(PAY, "defect", "    balances[taker] += cents"), *KEY[1:]]).score == 0.5, "for a wrong reason"
    assert graded([said(d, "clean") for d in CASE.drafts]).score == 0.0
    assert graded([said(d, "defect", d.right["where"]) for d in CASE.drafts]).score == 0.0
    assert grade(CASE, "I think all is well.").score == grade(CASE, "").score == 0.0


def test_more_false_alarms_than_catches_are_no_less_than_nothing() -> None:
    worst = [said(PAY, "clean"), said(PARCEL, "clean"), said(INITIALS, "defect", 5), said(FIELDS, "defect", 5)]
    found = graded(worst)
    assert (found.score, found.detail["catch_rate"], found.detail["false_alarm_rate"]) == (0.0, 0.0, 1.0)


SAYINGS = ("clean", "right place", "wrong place", "nothing", "null", "both")


def entries_of(draft: Draft, saying: str) -> list[dict[str, Any]]:
    places = {n: line for n, line in enumerate(draft.text.split("\n"), 1) if line.strip()}
    planted = sorted(draft.pair.places) if draft.defective else []
    right = places[planted[0]] if planted else list(places.values())[-1]
    wrong = next(line for n, line in places.items() if n not in planted)
    return {
        "clean": [said(draft, "clean")],
        "right place": [said(draft, "defect", right)],
        "wrong place": [said(draft, "defect", wrong)],
        "nothing": [],
        "null": [said(draft, None)],
        "both": [said(draft, "clean"), said(draft, "defect", right)],
    }[saying]


SUITE = Review()
CASES = [SUITE.problem(sample_id) for sample_id in list(SUITE.sample_ids())[:6]]
SAID = st.lists(st.sampled_from(SAYINGS), min_size=8, max_size=8)


@given(case=st.sampled_from(CASES), sayings=SAID, order=st.randoms(use_true_random=False))
def test_the_score_is_youden_s_j_by_its_definition(case: Case, sayings: list[str], order: Any) -> None:
    entries = [e for d, s in zip(case.drafts, sayings, strict=True) for e in entries_of(d, s)]
    order.shuffle(entries)
    sick = [s for d, s in zip(case.drafts, sayings, strict=True) if d.defective]
    well = [s for d, s in zip(case.drafts, sayings, strict=True) if not d.defective]
    sensitivity = sick.count("right place") / len(sick)
    specificity = well.count("clean") / len(well)
    assert graded(entries, case).score == pytest.approx(max(0.0, sensitivity + specificity - 1))
    counts = graded(entries, case).detail
    assert sum(counts[o] for o in ("caught", "wrong_place", "missed", "cleared", "false_alarm", "missing")) == 8


@given(case=st.sampled_from(CASES), sayings=SAID, left_out=st.integers(0, 7))
def test_leaving_a_draft_out_never_helps(case: Case, sayings: list[str], left_out: int) -> None:
    whole = [entries_of(d, s) for d, s in zip(case.drafts, sayings, strict=True)]
    fewer = [entries for n, entries in enumerate(whole) if n != left_out]
    assert graded([*chain(*fewer)], case).score <= graded([*chain(*whole)], case).score


# -- what an entry says ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdict", "where", "outcome"),
    [
        ("defect", SWAP, "caught"),
        ("Defect.", SWAP.strip(), "caught"),
        ("defect", "move(balances,merchant,customer,cents)", "caught"),
        ("defect", "move(balances, merchant", "caught"),
        ("defect", "move(balances", "wrong_place"),  # stands above, in the definition, too
        ("defect", None, "wrong_place"),
        ("defect", "", "wrong_place"),
        ("defect", "the arguments are swapped", "wrong_place"),
        ("clean", SWAP, "missed"),
        ("defective", SWAP, "caught"),
        ("defects", SWAP, "missing"),
        (True, SWAP, "missing"),
        (None, SWAP, "missing"),
        (["defect"], SWAP, "missing"),
    ],
)
def test_verdicts_on_a_defective_draft(verdict: object, where: object, outcome: str) -> None:
    assert outcomes(said(PAY, verdict, where))["bank/pay.py"] == outcome


@pytest.mark.parametrize(
    ("verdict", "where", "outcome"),
    [
        ("clean", None, "cleared"),
        (" CLEAN ", "whatever", "cleared"),
        ("defect", None, "false_alarm"),
        ("defect", "name.split()", "false_alarm"),
        ("fine", None, "missing"),
        (None, None, "missing"),
    ],
)
def test_verdicts_on_a_clean_draft(verdict: object, where: object, outcome: str) -> None:
    assert outcomes(said(INITIALS, verdict, where))["names/initials.py"] == outcome


def test_whoever_says_several_things_is_held_to_all_of_them() -> None:
    twice = outcomes(KEY[0], {**KEY[0], "where": SWAP.strip()}, KEY[2], KEY[2])
    assert (twice["bank/pay.py"], twice["names/initials.py"]) == ("caught", "cleared")
    assert outcomes(KEY[0], said(PAY, "clean"))["bank/pay.py"] == "missing"
    assert outcomes(KEY[0], said(PAY, "defect", "balances[taker] += cents"))["bank/pay.py"] == "wrong_place"
    assert outcomes(KEY[2], said(INITIALS, "defect", 5))["names/initials.py"] == "missing"


@pytest.mark.parametrize("name", ["D00-01", "d00-01", " 1. D00-01 ", "bank/pay.py", PAY.line, f"- {PAY.line}"])
def test_a_draft_may_be_called_by_its_label_path_or_line(name: str) -> None:
    assert outcomes({**KEY[0], "draft": name})["bank/pay.py"] == "caught"


@pytest.mark.parametrize("name", ["D00-1", "D01-01", "pay.py", "", None, 1, ["D00-01"]])
def test_other_names_are_nobody_s(name: object) -> None:
    found = graded([{**KEY[0], "draft": name}])
    assert found.detail["unmatched"] == 1 and found.detail["missing"] == 4


def test_what_stands_around_does_no_harm_and_the_detail_tells_all() -> None:
    text = f"Here it is:\n```json\n{json.dumps(KEY[:3])}\n```\nand [1] more: {json.dumps({'verdicts': KEY[3:]})}"
    found = grade(CASE, text)
    assert found.score == 1.0
    detail = {k: v for k, v in found.detail.items() if k != "drafts"}
    assert detail == {
        "caught": 2, "wrong_place": 0, "missed": 0, "cleared": 2, "false_alarm": 0, "missing": 0,
        "defective": 2, "clean": 2, "catch_rate": 1.0, "false_alarm_rate": 0.0, "unmatched": 0, "parsed": True,
        "by_kind": {"swapped_arguments": {"caught": 1, "of": 1}, "wrong_unit": {"caught": 1, "of": 1}},
        "other_file": {"caught": 1, "of": 1},
    }  # fmt: skip
    missed = graded([KEY[0], said(PARCEL, "clean"), *KEY[2:]]).detail
    assert missed["other_file"] == {"caught": 0, "of": 1} and missed["by_kind"]["wrong_unit"] == {"caught": 0, "of": 1}
    assert missed["drafts"][1] == {
        "draft": "D00-02", "file": "depot/parcel.py", "planted": "wrong_unit", "outcome": "missed",
        "verdict": ["clean"], "where": [None], "expected": KG,
    }  # fmt: skip


def test_the_detail_stays_small_whatever_is_said() -> None:
    """Some 3 fields of at most 200 characters for each of a few entries, however long the answer."""
    long = [said(d, "defect" * 5000, "x" * 50_000) for d in CASE.drafts for _ in range(20)]
    assert len(json.dumps(graded(long).detail)) < 10_000


# -- places ------------------------------------------------------------------------------------------------------------

TEXT = 'def f(a):\n    if a == "x":\n        return 1\n\n    b = a + 1\n    return b\n\n\ndef g(b):\n    return b'
#       1          2                   3             4 5              6            9            10


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("b = a + 1", [(5, 5)]),
        ("    b = a + 1\n", [(5, 5)]),
        ("b=a+1", [(5, 5)]),
        ("`b = a + 1`", [(5, 5)]),
        ("```python\nb = a + 1\n```", [(5, 5)]),
        ("line 5: b = a + 1", [(5, 5)]),
        ("5: b = a + 1", [(5, 5)]),
        ("m/f.py: b = a + 1", [(5, 5)]),
        ("m/f.py:5", [(5, 5)]),
        ("a + 1", [(5, 5)]),
        ("if a == 'x':", [(2, 2)]),
        ('if a == \\"x\\":', []),
        ("return b", [(6, 6), (10, 10)]),
        ("return b\n\n\ndef g(b):", []),
        ("return 1\n\n    b = a + 1\n", [(3, 5)]),
        ("return 1\n    b = a + 1\n    return b", []),  # with the blank line between, four
        ("a + 1  # off by one", [(5, 5)]),
        ("5: b = a + 1  # off by one", [(5, 5)]),
        ("b = a + 1  # off by one\n    return b  # see above", [(5, 6)]),
        ("# off by one", []),
        (["b = a + 1"], [(5, 5)]),
        (["b = a + 1", "return b"], [(5, 6)]),
        (["b = a + 1", "return 1"], []),
        (["b = a + 1", 6], []),
        ([5], [(5, 5)]),
        ([[5]], []),
        ([], []),
        ("m/f.py, line 5", [(5, 5)]),
        ("m/f.py line 5", [(5, 5)]),
        ("m/f.py, lines 5-6", [(5, 6)]),
        ("lines 5-5", [(5, 5)]),
        ("5–7", [(5, 7)]),
        ("L5-L7", [(5, 7)]),
        ("5-8", []),
        ("6-5", []),
        ("9-11", []),
        ("+", []),
        ("+ 1", []),  # two of five
        ("= a + 1", [(5, 5)]),
        ("b = a + 1\n    r", [(5, 5)]),
        ("1\n    b = a + 1\n    r", []),  # four lines, counted with the blank one
        ("1\n\n    b = a + 1", [(5, 5)]),
        ("return", []),
        ("def", []),
        (5, [(5, 5)]),
        ("5", [(5, 5)]),
        ("Line 5.", [(5, 5)]),
        (4, [(4, 4)]),
        (0, []),
        (11, []),
        (-1, []),
        (True, []),
        (5.0, []),
        ("", []),
        (" \n ", []),
        ("'\"`", []),
        (TEXT, []),
        ("x" * 100_000, []),
        ("somewhere", []),
        (None, []),
        ({"line": 5}, []),
    ],
)
def test_where_a_piece_stands(where: object, found: list[tuple[int, int]]) -> None:
    assert spans(TEXT, where, "m/f.py") == found


def test_a_piece_names_a_line_only_if_it_touches_one_wherever_it_stands() -> None:
    assert names(TEXT, {5}, "b = a + 1") and not names(TEXT, {4, 6}, "b = a + 1"), "next to it is not it"
    assert names(TEXT, {6}, "b = a + 1\n    return b") and not names(TEXT, {6}, "return b")
    assert names(TEXT, {6, 10}, "return b")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.file)
def test_less_than_half_of_a_line_names_no_defect(pair: Pair) -> None:
    """Neither a bracket nor a word that happens to stand in no other line."""
    draft = Draft("D", pair, True)
    lines = draft.text.split("\n")
    assert not any(draft.is_place(piece) for piece in ("[", "(", ",", "=", "return", "if", "for", "self"))
    for number in pair.places:
        bare = lines[number - 1].strip()
        size = len(re.sub(r"[\s\"']", "", bare))
        for end in range(len(bare)):
            for piece in (bare[:end], bare[end:]):
                if 2 * len(re.sub(r"[\s\"']", "", piece)) < size:
                    assert not draft.is_place(piece), piece


def test_where_the_unit_is_made_is_as_good_a_place_as_where_it_is_returned() -> None:
    assert PARCEL.is_place(KILOS) and PARCEL.is_place(KG)


def test_visible_tests_say_what_anybody_can_see() -> None:
    sample = SUITE.sample(SUITE.sample_ids()[0])
    key = SUITE.problem(sample.id).key()
    one = next(i for i, entry in enumerate(key) if entry["verdict"] == "defect")

    async def failures(entries: object) -> Sequence[str]:
        assert sample.visible is not None
        return await sample.visible(entries if isinstance(entries, str) else json.dumps(entries))

    def said_of(entries: object) -> Sequence[str]:
        return asyncio.run(failures(entries))

    assert said_of(key) == []
    opposite = [{**e, "verdict": "clean" if e["where"] else "defect", "where": None if e["where"] else 1} for e in key]
    assert said_of(opposite) == [], "they know no key"
    assert said_of("Fine.") == said_of([]) == ["the answer holds no JSON array of objects"]
    for changed, word in (
        (key[1:], "0 entries instead of one for D00-01"),
        ([*key, key[0]], "2 entries instead of one for D00-01"),
        ([{**key[0], "verdict": "fine"}, *key[1:]], "the verdict on D00-01 is neither 'defect' nor 'clean'"),
        (
            [*key[:one], {**key[one], "where": "x = 1 / 0"}, *key[one + 1 :]],
            f"wrong in {key[one]['draft']} is no line of",
        ),
        ([*key[:one], {**key[one], "where": None}, *key[one + 1 :]], f"wrong in {key[one]['draft']} is no line of"),
    ):
        (failure,) = said_of(changed)
        assert word in failure
