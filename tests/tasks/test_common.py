"""What suites share: which samples there are, files in answers, items by their lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.blocks import block, blocks_in
from harness.errors import ConfigError, CorpusError
from harness.models.oracle import Item
from harness.suite import Sample
from tasks.common.files import code_in, files_in
from tasks.common.oracle import LineOracle
from tasks.common.sampled import Sampled, numbered


@dataclass
class Numbers(Sampled[int]):
    """Samples that are their own numbers."""

    count: int = 12
    name = "numbers"

    def read(self) -> Sequence[str]:
        return numbered(f"n-s{self.seed}", self.count)

    def build(self, sample_id: str, number: int) -> tuple[Sample, int]:
        return Sample(sample_id, str(number), "", None, 1, "h", 1.0, 1.0), number


def test_limit_and_ids_choose_in_the_order_of_the_material() -> None:
    assert list(Numbers(limit=2).sample_ids()) == ["n-s0-00", "n-s0-01"]
    chosen = Numbers(only=["n-s0-11", "n-s0-03", "n-s0-03"])
    assert list(chosen.sample_ids()) == ["n-s0-03", "n-s0-11"]
    assert list(Numbers(only=["n-s0-11", "n-s0-03"], limit=1).sample_ids()) == ["n-s0-03"]
    assert chosen.problem("n-s0-11") == 11 and chosen.sample("n-s0-03").statement == "3"


def test_ids_have_as_many_digits_as_the_last_needs() -> None:
    assert numbered("x", 3) == ["x-00", "x-01", "x-02"]
    assert numbered("x", 1001)[-1] == "x-1000" and numbered("x", 1001)[1] == "x-0001"


def test_an_unknown_sample_is_named_with_the_choices_and_what_they_depend_on() -> None:
    with pytest.raises(CorpusError, match=r"n-s1-00.*n-s0-00.*task.seed"):
        Numbers(only=["n-s1-00"]).load()
    with pytest.raises(CorpusError, match="n-s0-05"):
        Numbers(limit=2).sample("n-s0-05")


@pytest.mark.parametrize(
    ("options", "named"),
    [({"limit": 0}, "task.limit=0"), ({"only": []}, "task.sample_ids"), ({"pass_threshold": 1.1}, "1.1")],
)
def test_values_that_no_material_could_use_are_refused(options: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        Numbers(**options)  # type: ignore[arg-type]


CODE = st.text(alphabet="ab `~\n#.py=", max_size=60).map(lambda text: text.rstrip("\n"))


@given(st.lists(CODE, max_size=3))
def test_files_written_as_blocks_are_read_back(contents: list[str]) -> None:
    files = {f"pkg/m{i}.py": content for i, content in enumerate(contents)}
    text = "Here they are.\n\n" + "\n\n".join(block(name, content) for name, content in files.items())
    assert files_in(text) == files


@pytest.mark.parametrize(
    "text",
    [
        "a.py\n```python\nx = 1\n```",
        "**`a.py`**:\n\n```python\nx = 1\n```",
        "### 1. File: a.py\n```\nx = 1\n```",
        "```python a.py\nx = 1\n```",
        '```python title="a.py"\nx = 1\n```',
        "~~~\n# a.py\nx = 1\n~~~",
        '[{"file": "a.py", "content": "x = 1\\n"}]',
        "**`./a.py`**\n```\nx = 1\n```",
        "```python ./a.py\nx = 1\n```",
        "~~~\n# ././a.py\nx = 1\n~~~",
        '[{"file": "././a.py", "content": "x = 1"}]',
        "./a.py\n```\nx = 1\n```\nand once more\na.py\n```\nx = 1\n```",
    ],
)
def test_the_usual_ways_of_naming_a_file_are_understood(text: str) -> None:
    (content,) = files_in(text).values()
    assert content.rpartition("a.py\n")[2] == "x = 1" and list(files_in(text)) == ["a.py"]


def test_code_without_a_file_s_name_is_the_one_block_that_is_wanted_or_the_whole_text() -> None:
    text = "a.py\n```\n1\n```\nor:\n```\n2\n```\nonce more\n```\n2\n```"
    assert code_in(text, lambda name, _: name is None) == "2" and code_in(text, lambda _, code: code == "1") == "1"
    assert code_in(text, lambda *_: True) is code_in(text, lambda *_: False) is None
    assert code_in("x = 1", lambda *_: False) == "x = 1" and code_in("", lambda *_: True) == ""


def test_names_keep_what_they_begin_with() -> None:
    for name in ("__init__.py", "_a.py", "7_a.py", "./_a.py", "./p-1/__init__.py"):
        assert list(files_in(f"{name}\n```\n1\n```\n**`{name}`**\n```\n1\n```")) == [name.removeprefix("./")]


def test_a_long_line_names_no_file_and_takes_no_time() -> None:
    for line in ("1." * 50_000, "./" * 50_000, "_" * 100_000):
        assert blocks_in(f"{line}\n```{line}\n# {line}\n```") == ((None, f"# {line}"),)


def test_a_file_in_two_versions_is_no_file() -> None:
    assert files_in("a.py\n```\n1\n```\na.py\n```\n2\n```\nb.py\n```\n3\n```") == {"b.py": "3"}


def test_what_is_not_closed_or_has_no_name_is_told_apart() -> None:
    assert blocks_in("```\n1\n```\nprose.\n```py\n2\n```\na.py\n```\n3") == ((None, "1"), (None, "2"))


def test_items_are_found_by_question_and_by_label() -> None:
    one = Item("A1: one?", ("A1: one?",), {"question": "A1", "answer": "1"}, ())
    two = Item("B: two?", ("B: two?",), {"month": "01", "amount": "2"}, ())
    three = Item("C: three?", ("C: three?",), {"month": "01", "amount": "3"}, ())
    oracle = LineOracle([one, two, three])
    assert oracle.lookup(" 3. A1: one? ") is one and oracle.lookup("A1") is one and oracle.lookup("B: two?") is two
    assert oracle.lookup("01") is None, "two items carry that label"
    with pytest.raises(ValueError, match="A1: one"):
        LineOracle([one, one])


@dataclass
class Made(Numbers):
    """As many samples as asked for."""

    samples: int = 3


@pytest.mark.parametrize(("samples", "right"), [(10_000, True), (10_001, False), (10**9, False), (0, False)])
def test_no_suite_makes_more_samples_than_the_machine_holds(samples: int, right: bool) -> None:
    if right:
        Made(samples=samples)
        return
    with pytest.raises(ConfigError, match=f"task.samples={samples} is too"):
        Made(samples=samples)
