"""The suite of small functions, of our own and from files in HumanEval's format."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf
from support.lines import write
from support.programs import every_candidate

from harness.entry.schema import make, settings
from harness.errors import ConfigError, CorpusError
from harness.suite import Sample, Suite
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.testing.suites import SuiteConformance
from tasks.functions import Functions
from tasks.functions.mutations import mutations
from topologies.single import Single
from topologies.sync import Sync

CONF = Path(__file__).parents[2] / "conf" / "task" / "functions.yaml"

HALVES: dict[str, Any] = {
    "task_id": "Mine/1",
    "prompt": "def double(x):\n    return 2 * x\n\n\ndef halves(xs):\n"
    '    """Half of each even number; nothing for "{\\"odd\\"}".\n    >>> halves([2, 3, 8])\n    [1, 4]\n'
    "    >>> halves([])\n"
    '    []\n    >>> print(halves([1]))\n    []\n    """\n',
    "entry_point": "halves",
    "canonical_solution": "    found = []\n    for x in xs:\n        if x % 2 == 0:\n            found.append(x // 2)\n"
    "    return found\n",
    "test": "def check(candidate):\n    assert candidate([double(3), 5]) == [3]\n    assert candidate([0]) == [0]\n",
    "comment": "passed over",
}
SIGN: dict[str, Any] = {
    "task_id": "json",
    "prompt": "def sign(x: float) -> int:\n",
    "entry_point": "sign",
    "canonical_solution": "    return (x > 0) - (x < 0)\n",
    "test": "def check(candidate):\n    assert [candidate(x) for x in (-2, 0, .5)] == [-1, 0, 1]\n",
}


def file(folder: Path, *rows: dict[str, Any], name: str = "mine.jsonl") -> str:
    return write(folder / name, *rows, "\n")


def score(suite: Functions, sample_id: str, answer: str) -> float:
    return asyncio.run(suite.grade(suite.sample(sample_id), answer)).score


class TestOwn(SuiteConformance):
    samples = 2
    closed = True

    def suite(self) -> Functions:
        return Functions(limit=2)

    def dumps(self, suite: Functions, sample: Sample) -> Sequence[str]:
        return every_candidate(suite.problem(sample.id))


class TestFile(TestOwn):
    malformed = 5  # any text may complete a function, and starts a process

    @pytest.fixture(autouse=True)
    def _file(self, tmp_path: Path) -> None:
        self.path = file(tmp_path, HALVES, SIGN)

    def suite(self) -> Functions:
        return Functions(path=self.path)


def test_the_suite_keeps_the_contract_and_its_configuration_file() -> None:
    suite: Suite = Functions()
    assert suite.name == "functions"
    values = OmegaConf.to_container(OmegaConf.load(CONF))
    assert isinstance(values, dict)
    assert set(values) == {"_target_", *settings(Functions)}
    assert make(values, "task") == suite


def test_samples_are_named_by_their_function_or_numbered() -> None:
    one, three = Functions(), Functions(functions=3)
    assert len(one.sample_ids()) == 24 and "run_lengths" in one.sample_ids()
    assert list(three.sample_ids()) == [f"own-3-s0-0{i}" for i in range(8)]
    assert [f.module for i in three.sample_ids() for f in three.problem(i)] == list(one.sample_ids())
    assert list(Functions(seed=1).sample_ids()) != list(one.sample_ids())
    sample = three.sample("own-3-s0-00")
    assert sample.graph_critical_path < sample.graph_work


def test_a_file_in_humaneval_s_format_is_read(tmp_path: Path) -> None:
    suite = Functions(path=file(tmp_path, HALVES, SIGN, name="mine.jsonl.gz"))
    assert sorted(suite.sample_ids()) == ["Mine_1", "task_json"], "no module of the standard library is hidden"
    ((halves,), (sign,)) = (suite.problem(i) for i in ("Mine_1", "task_json"))
    told = json.loads(halves.line[halves.line.index('"') :])
    assert told == HALVES["prompt"], "the line holds the whole prompt"
    assert halves.examples.count("def test_") == 2 and sign.examples == "", "print's output is no value"
    assert score(suite, "Mine_1", HALVES["canonical_solution"]) == 1
    assert score(suite, "Mine_1", f"def halves(xs):\n{HALVES['canonical_solution']}") == 1
    assert score(suite, "Mine_1", "return [double(x) // 4 for x in xs if x % 2 == 0]") == 1, "helpers are there"
    assert score(suite, "Mine_1", "    return xs") == 0
    visible = suite.sample("Mine_1").visible
    assert visible is not None
    assert list(asyncio.run(visible("    return [1, 4]"))) == ["Mine_1.py: example: halves([]) gave [1, 4], not []"]


@pytest.mark.parametrize("topology", [Single(), Sync()], ids=lambda t: type(t).__name__)
def test_a_file_is_solved_by_one_agent_and_by_a_team(tmp_path: Path, topology: Any) -> None:
    suite = Functions(path=file(tmp_path, HALVES, SIGN), functions=2)
    found = records(cell(topology, faultless(suite.oracle()), suite=suite))
    assert [r.run.score for r in found] == [1.0]
    assert faults(found, tmp_path / "store") == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"prompt": ""}, "mine.jsonl:2: 'prompt' must be a text that is not empty"),
        ({"test": 7}, "mine.jsonl:2: 'test' must be a text that is not empty"),
        ({"entry_point": "other"}, "mine.jsonl:2: 'prompt' must be Python up to the head and docstring of other"),
        ({"prompt": "def sign(x"}, "mine.jsonl:2: 'prompt' must be Python"),
        ({"canonical_solution": "    return ("}, "mine.jsonl:2: 'canonical_solution' must complete"),
        ({"test": "x = 1"}, "mine.jsonl:2: 'test' must be Python with a function check"),
        ({"test": "def check("}, "mine.jsonl:2: 'test' must be Python with a function check"),
        ({"test": "def check(c): ...\ndef test_check(p): ..."}, "mine.jsonl:2: 'test': tests that would never run"),
        ({"task_id": "Mine 1"}, "mine.jsonl:2: 'task_id' Mine 1 makes the file name Mine_1.py for the second time"),
    ],
)
def test_a_wrong_line_is_named_by_file_line_and_field(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(CorpusError) as refused:
        Functions(path=file(tmp_path, HALVES, {**SIGN, **change})).load()
    assert said in str(refused.value) and "1 problem(s)" in str(refused.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "mine.jsonl is empty. Write one JSON object a line: {"),
        (b"\n[1]\n{", "mine.jsonl:2: not a JSON object; each line holds one of its own\n  mine.jsonl:3: not JSON"),
        (b"{}\n\xff\n", "mine.jsonl:2: byte 0 of the line is not UTF-8"),
        (b"\xef\xbb\xbf" + json.dumps(SIGN | {"prompt": 1}).encode(), "mine.jsonl:1: 'prompt' must be a text"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(content)
    with pytest.raises(CorpusError) as refused:
        Functions(path=str(path)).load()
    assert said in str(refused.value)


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    for path, said in ((tmp_path, "is a folder"), (tmp_path / "none.jsonl", "does not exist")):
        with pytest.raises(CorpusError, match=said):
            Functions(path=str(path)).load()


@pytest.mark.parametrize(
    ("options", "said"), [({"functions": 0}, "task.functions=0"), ({"functions": 25}, "own has 24 functions")]
)
def test_options_that_no_material_can_fulfil_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        Functions(**options).load()


# -- wrong solutions made of right ones ----------------------------------------------------------------------------


def test_mutations_change_one_thing_each() -> None:
    source = "def f(x):\n    total = 0\n    if x < 3:\n        total += 5\n    return total\n"
    assert [text.replace("\n", ";") for text in mutations(source, "f")] == [
        "def f(x):;    total = 0;    if x <= 3:;        total += 5;    return total",
        "def f(x):;    total = 1;    if x < 3:;        total += 5;    return total",
        "def f(x):;    total = 0;    return total",
    ]


def test_a_function_that_only_returns_is_given_two_other_results() -> None:
    source = "def g():\n    return 7\n\ndef f(x):\n    return (lambda y: y > 1)(x)\n"
    assert [text.splitlines()[-1].strip() for text in mutations(source, "f")] == [
        "return None",
        "return [(lambda y: y > 1)(x)]",
    ]
    assert all("return 7" in text for text in mutations(source, "f")), "other functions stay"
    assert mutations("no python", "f") == () == mutations(source, "h")
