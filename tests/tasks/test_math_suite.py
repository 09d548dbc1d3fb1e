"""The suite math: its own problems, its grader, and files in GSM8K's format."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf
from support.lines import write

from harness.entry.schema import make, settings
from harness.errors import ConfigError, CorpusError, HarnessError
from harness.suite import Sample
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.testing.suites import SuiteConformance
from harness.topology import Topology
from tasks.math import Math
from tasks.math.generated.problems import LANGUAGES, TEMPLATES, GeneratedProblems
from tasks.math.grading import grade
from tasks.math.problems import Problem, number_of
from topologies.bus import Bus
from topologies.moa import Moa
from topologies.single import Single
from topologies.sync import Sync

CONF = Path(__file__).parents[2] / "conf" / "task" / "math.yaml"
EGGS = Problem("P0001", "Six hens lay two eggs a day. How many eggs in six days?", Fraction(72), (Fraction(12),))
HALF = Problem("P0002", "What is half of -1,234.5 dollars?", Fraction("-617.25"), (Fraction(-1234),))
GSM = {
    "question": "Ada has 48 clips,\nand Bo half as many. Both?",
    "answer": "48/2 = <<48/2=24>>24\nso <<48+24=72>>72\n#### 72",
}


class TestOwn(SuiteConformance):
    closed = True

    def suite(self) -> Math:
        return Math(samples=4)

    def dumps(self, suite: Math, sample: Sample) -> Sequence[str]:
        problems = suite.problem(sample.id)
        every = [p.entry(value) for p in problems for value in (p.answer, *p.wrong)]
        listed = " or ".join(entry["answer"] for entry in every)
        return [
            json.dumps(every),
            listed,
            "\n".join(f"#### {e['answer']}" for e in every),
            " ".join(map(str, range(5000))),
        ]


class TestSeveral(TestOwn):
    def suite(self) -> Math:
        return Math(samples=3, problems=4, seed=5)


def score(answer: str, *problems: Problem) -> float:
    return grade(problems or (EGGS,), answer).score


@pytest.mark.parametrize(
    "answer",
    [
        "72", "72 eggs", "$72.00", "#### 72", "6 * 2 = 12\n12 * 6 = 72\n#### 72", "So 12 a day.\nANSWER: 72",
        "12 a day in all.\n**Answer:**\n72", "First 12, then 72. The answer is 72.", "每天12个。答案：72个",
        "It is 12 a day, so \\boxed{72} in all", '[{"question": "P0001", "answer": "72"}]',
        '[{"question": "p0001", "answer": 72.0}]', '{"question": "P0001", "answer": "72"}', '[{"answer": "72"}]',
        '12 a day:\n```json\n[{"question": "P0001", "answer": "72 eggs"}]\n```',
        '[{"question": "Six hens lay two eggs a day. How many eggs in six days?", "answer": "72"}]',
        '[{"question": "1. P0001: Six hens lay two eggs a day. How many eggs in six days?", "answer": "72"}]',
        '[{"question": "P0001", "answer": "72"}, {"question": "P0001", "answer": "72.0"}]',
        '[{"question": "P0001", "answer": "72"}]\n#### 72',
        'So the answer is 6 * 2 = 12 a day.\n[{"question": "P0001", "answer": "72"}]',
        '[{"question": "P0001", "answer": "72"}]\n#### 36', '[{"question": "P0001", "answer": "60 + 12 = 72"}]',
        "The answer is 72 because 6*12.", "\\boxed{60+12=72}", "Answer: 72 eggs (6 days)", "ANSWER: 72 eggs in 6 days.",
        "The answer is 12 per day.\nSo\n#### 72", "\\boxed{72}\nThe answer is 12 a day.",
        "#### Step 1\nThe answer is 72",
        "The answer is 12 a day.\nThe answer is (6 + 6) * 6 = 72.", "The answer is 72. It is 12 a day.",
        "\\boxed{12} a day, then \\boxed{72}", "答案是72个（每天12个）。", "The answer is 60 plus 12 equals 72",
        "ANSWER: 36\nANSWER: 72",
    ],
)  # fmt: skip
def test_a_right_number_is_right_in_any_of_the_usual_forms(answer: str) -> None:
    assert score(answer) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "", "12", "-72", "7.2", "72.0001", "0.72", "72 or 36", "It is 12 a day, so 72 in all", "72 thousand",
        "#### 72\n#### 36", "ANSWER: 72 or 36", "72\nANSWER: 36", "The answer is 36, not 72", "\\boxed{72} \\boxed{12}",
        '[{"question": "P0001", "answer": "72"}, {"question": "P0001", "answer": "36"}]',
        '[{"question": "P0001", "answer": "36"}]\n#### 72', '[{"question": "P0002", "answer": "72"}]',
        "The answer is not 72.", "The answer is 72 plus 5", "The answer is 72 or 36 = 6 * 6", "ANSWER: 72 and 36",
        "The answer is 72, 36", "ANSWER: 72\n#### 36", "The answer is 72 dozen, or 12", "72 = 6 * 12 = 12",
        '[{"question": "P0001", "answer": null}]', '[{"question": "P0001", "answer": ["72"]}]',
        '[{"question": "P0001", "answer": true}]', '[{"question": "P0001", "answer": 1e400}]',
        '[{"question": "P0001", "answer": "12 a day makes 72"}]', f'[{{"question": "P0001", "answer": {"9" * 5000}}}]',
        "#### 72\n" * 101, "ninety", "P0072",
    ],
)  # fmt: skip
def test_a_wrong_or_undecided_number_is_not(answer: str) -> None:
    assert score(answer) == 0


def test_each_outcome_is_counted_by_name() -> None:
    found = grade((EGGS, HALF), '[{"question": "P0001", "answer": "72"}, {"question": "P0002", "answer": "617.25"}]')
    assert found.score == 0.5
    assert {k: found.detail[k] for k in ("right", "wrong", "missing")} == {"right": 1, "wrong": 1, "missing": 0}
    assert found.detail["problems"][1] == {
        "question": "P0002", "outcome": "wrong", "answer": ["617.25"], "number": ["617.25"], "expected": "-617.25"
    }  # fmt: skip
    assert grade((EGGS, HALF), "#### 72").detail["missing"] == 2, "of several problems, a bare number answers none"
    assert score('[{"question": "P0002", "answer": "-$617.25"}]', EGGS, HALF) == 0.5


def test_visible_tests_know_the_form_and_no_key() -> None:
    sample = Math(samples=2).sample("math-1-s0-00")
    assert sample.visible is not None
    tests = sample.visible

    async def told(answer: str) -> list[str]:
        return list(await tests(answer))

    label = sample.statement.split("\n")[2].split(":")[0]
    assert asyncio.run(told("1234567")) == []
    assert asyncio.run(told("")) == [f"no final number: {label}"]
    assert asyncio.run(told("#### 7\n#### 8")) == [f"several numbers that differ: {label}"]
    assert asyncio.run(told("7 or 8")) == [f"the answer is not one number: {label}"]
    assert "answer" not in repr(sample.visible)


def test_there_are_many_problems_and_all_differ() -> None:
    assert len(TEMPLATES) == 30 and LANGUAGES == ("en", "zh")
    made = GeneratedProblems(300, 0, LANGUAGES)
    problems = [made.problem(i) for i in range(len(made))]
    assert len({p.text for p in problems}) == 300
    assert [len({p.kind for p in problems[i : i + 30]}) for i in range(0, 300, 30)] == [30] * 10
    for p in problems:
        assert len(p.wrong) >= 2 and p.answer not in p.wrong and len(set(p.wrong)) == len(p.wrong)
        assert "{" not in p.text and "\n" not in p.text
        assert (p.answer * 100).denominator == 1 and min(p.answer, *p.wrong) > 0


def test_a_problem_worked_by_hand() -> None:
    """Two of them, from their texts alone."""
    made = GeneratedProblems(60, 3, ("en",))
    by_kind = {p.kind: p for p in (made.problem(i) for i in range(24))}
    text = by_kind["outing"].text
    pupils, adults, seats, bus, entry = map(int, re.findall(r"\d+", text))
    assert by_kind["outing"].answer == (pupils + adults) // seats * bus + (pupils + adults) * entry
    price, off, card, count = map(int, re.findall(r"\d+", by_kind["sale"].text))
    assert by_kind["sale"].answer == count * (price - Fraction(price * off, 100) - card)
    assert count * (price - card) in by_kind["sale"].wrong, "the sale forgotten"


def test_more_samples_and_other_seeds_change_only_what_they_should() -> None:
    few, many, other = Math(samples=2), Math(samples=50), Math(samples=2, seed=1)
    assert few.sample("math-1-s0-01") == many.sample("math-1-s0-01")
    assert few.sample("math-1-s0-01").statement != other.sample("math-1-s1-01").statement
    assert len(Math().sample_ids()) == 40
    clusters = [many.sample(i).cluster_id for i in many.sample_ids()]
    assert len(set(clusters)) == 30, "problems of one template are no independent evidence"
    assert Math(problems=3, samples=1).sample("math-3-s0-00").cluster_id == "math-3-s0-00"


def test_the_declared_graph() -> None:
    one, four = Math(samples=1).sample("math-1-s0-00"), Math(samples=1, problems=4).sample("math-4-s0-00")
    assert one.graph_work == one.graph_critical_path
    assert four.graph_work > 2 * four.graph_critical_path
    assert four.material_tokens > four.graph_work


def test_a_sample_can_be_larger_than_a_window() -> None:
    """By as many problems as the README says, at some 50 tokens each."""
    suite = Math(problems=2600, samples=1)
    sample = suite.sample("math-2600-s0-00")
    assert sample.material_tokens > 128_000 and sample.graph_work / 2600 == pytest.approx(50, abs=5)
    assert asyncio.run(suite.grade(sample, suite.key(sample.id))).score == 1


def test_the_configuration_file_says_what_the_class_does() -> None:
    values = OmegaConf.to_container(OmegaConf.load(CONF))
    assert isinstance(values, dict)
    assert set(values) == {"_target_", *settings(Math)}
    assert make(values, "task") == Math()


@pytest.mark.parametrize(
    ("options", "error", "names"),
    [
        ({"problems": 0}, ConfigError, "task.problems=0"),
        ({"samples": 0}, ConfigError, "task.samples=0"),
        ({"languages": ["de"]}, ConfigError, "Valid choices: en, zh"),
        ({"languages": []}, ConfigError, "at least one"),
        ({"samples": 3, "path": "x.jsonl"}, ConfigError, "our own problems only"),
        ({"path": "/no/such.jsonl"}, CorpusError, "task.path=/no/such.jsonl does not exist"),
        ({"only": ["math-1-s1-00"]}, CorpusError, "task.seed"),
    ],
)
def test_bad_options_give_one_clear_error(options: dict[str, Any], error: type[HarnessError], names: str) -> None:
    with pytest.raises(error) as caught:
        Math(**options).load()
    assert names in str(caught.value)


def test_a_file_in_the_format_of_gsm8k(tmp_path: Path) -> None:
    rows = [
        GSM,
        {**GSM, "question": "Less?", "answer": "-1,234.50 it is\n#### -1,234.50", "id": 7},
        {**GSM, "answer": "#### $5"},
    ]
    suite = Math(path=write(tmp_path / "my set.jsonl", *rows), problems=2)
    assert suite.sample_ids() == ["math-2-my-set-00", "math-2-my-set-01"]
    first, last = (suite.problem(i) for i in suite.sample_ids())
    assert [p.line for p in first] == ["P0001: Ada has 48 clips, and Bo half as many. Both?", "P0002: Less?"]
    assert [p.answer for p in (*first, *last)] == [72, Fraction("-1234.5"), 5]
    assert first[0].wrong == (24, 73, 720), "an intermediate result, then numbers nearby"
    assert first[0].tags == ("my-set", "steps-2") and first[1].tags == ("my-set",)
    assert asyncio.run(suite.grade(suite.sample("math-2-my-set-00"), suite.key("math-2-my-set-00"))).score == 1
    alone = Math(path=suite.path)
    assert asyncio.run(alone.grade(alone.sample("math-1-my-set-00"), str(GSM["answer"]))).score == 1


def test_a_packed_file_has_the_samples_of_the_plain_one(tmp_path: Path) -> None:
    one, two = (Math(path=write(tmp_path / name, GSM, GSM)) for name in ("mine.jsonl", "mine.jsonl.gz"))
    assert [one.sample(i) for i in one.sample_ids()] == [two.sample(i) for i in two.sample_ids()]


def test_everything_wrong_with_a_file_is_told_by_line_and_field(tmp_path: Path) -> None:
    path = write(
        tmp_path / "bad.jsonl", "{", "[]", {"question": "x"}, {**GSM, "question": " "}, {**GSM, "answer": "72"}, "",
        {**GSM, "answer": "#### 7 or 8"}, GSM,
    )  # fmt: skip
    with pytest.raises(CorpusError) as caught:
        Math(path=path).load()
    told = caught.value.facts["problems"]
    assert [t.split(":")[1] for t in told] == ["1", "2", "3", "4", "5", "7"]
    assert all(t.startswith("bad.jsonl:") for t in told)
    for number, said in enumerate(("not JSON", "not a JSON object", "'answer'", "'question'", "'answer'", "'answer'")):
        assert said in told[number]


def test_labels_are_read_back() -> None:
    assert [number_of(t) for t in ("P0007", "P12345")] == [7, 12345]
    assert not any(map(number_of, ("P7", "P00007", "p0007", "P", "0007", "P٠٠٠٧", "P0007:", "")))


@pytest.mark.parametrize("topology", [Single(), Sync(), Bus(), Moa()])
def test_topologies_solve_it_and_a_faultless_model_makes_no_mistake(topology: Topology, tmp_path: Path) -> None:
    suite = Math(problems=3, samples=2)
    suite.load()
    found = records(cell(topology, faultless(suite.oracle()), suite=suite))
    assert [(r.run.status, r.run.score, r.run.passed) for r in found] == [("ok", 1.0, True)] * 2
    assert faults(found, tmp_path) == []
