"""What overrides say, and what would run a part of an experiment again."""

from __future__ import annotations

import itertools
import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omegaconf import OmegaConf

from harness.entry.commandline import CommandLine
from harness.entry.overrides import by_value, cells, joined, parsed, quoted, varied, without
from harness.entry.rerun import LONGEST, rerun_commands
from harness.errors import ConfigError


def line(*words: str) -> CommandLine:
    return CommandLine.parse(["harness/__main__.py", *words])


def test_a_command_line_is_flags_and_overrides_in_any_order() -> None:
    found = line("a=1", "-m", "-cd", "dir", "b=2,3", "--cfg=job", "--info", "c=4")
    assert found.program == ("python", "-m", "harness")
    assert found.flags == ("-cd", "dir", "--cfg", "job", "--info")
    assert found.overrides == ("a=1", "b=2,3", "c=4")
    assert found.multirun
    assert CommandLine.parse(["/usr/bin/topology-harness"]).program == ("topology-harness",)


def test_a_flag_that_hydra_does_not_have_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r"unknown flag '--multi'\. Did you mean '--multirun'"):
        line("--multi")


def test_a_sweep_is_every_combination_and_the_last_word_counts() -> None:
    assert cells(["a=1", "b=1,2", "a=3", "+g=x,y", "c=[1,2]", "~d"]) == [
        ["a=3", "b=1", "+g=x", "c=[1,2]", "~d"],
        ["a=3", "b=1", "+g=y", "c=[1,2]", "~d"],
        ["a=3", "b=2", "+g=x", "c=[1,2]", "~d"],
        ["a=3", "b=2", "+g=y", "c=[1,2]", "~d"],
    ]
    with pytest.raises(ConfigError, match="a sweep needs a list of values"):
        cells(["a=interval(1,2)"])


def test_only_what_a_sweep_varies_distinguishes_a_cell() -> None:
    typed = ["topology=single,bus", "task.docs=4,16", "task.name='x, y'", "+experiment=a,b", "seed=3", "~model.key"]
    cell = ["topology=bus", "task.docs=16", "task.name='x, y'", "+experiment=b", "seed=3", "~model.key"]
    assert varied(cell, typed) == {"topology": "bus", "task.docs": 16, "experiment": "b"}
    assert varied(["seed=3"], ["seed=3"]) == {}


def test_overrides_are_dropped_by_key() -> None:
    assert without(["task.limit=3", "+task.limit=4", "task=a"], ["task.limit"]) == ["task=a"]


@given(
    st.lists(st.sampled_from(["1", "2", "x", "[1,2]"]), min_size=1, max_size=3, unique=True),
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3, unique=True),
)
def test_a_whole_product_of_cells_is_one_sweep(numbers: list[str], letters: list[str]) -> None:
    cells = [["seed=1", f"n={n}", f"t={t}"] for n, t in itertools.product(numbers, letters)]
    assert joined(cells) == ["seed=1", f"n={','.join(numbers)}", f"t={','.join(letters)}"]
    if len(cells) > 3:
        assert joined(cells[1:]) is None or len(numbers) == 1 or len(letters) == 1


def test_cells_with_other_keys_are_no_sweep() -> None:
    assert joined([["a=1"], ["b=1"]]) is None
    assert joined([["a=1", "b=1"], ["a=2", "b=2"]]) is None


def test_names_with_equal_lists_come_together() -> None:
    assert by_value({"c0": ["s1"], "c1": ["s2"], "c2": ["s1"]}) == [(["c0", "c2"], ("s1",)), (["c1"], ("s2",))]


@given(st.lists(st.text(min_size=1).filter(lambda s: "\x00" not in s and "???" not in s), min_size=1, max_size=4))
def test_any_sample_id_survives_the_override_grammar(ids: list[str]) -> None:
    override = parsed([f"task.sample_ids=[{','.join(map(quoted, ids))}]"])[0]
    node = OmegaConf.create({"task": {"sample_ids": None}})
    OmegaConf.update(node, override.key_or_group, override.value())
    assert OmegaConf.to_container(node, resolve=True) == {"task": {"sample_ids": ids}}


def test_one_command_for_cells_that_miss_the_same_and_one_each_otherwise(tmp_path: Path) -> None:
    command = line("-m", "topology=a,b", "task.n=1,2", "task.limit=9", "hydra.verbose=true")
    made = {f"c{i}": [f"topology={t}", f"task.n={n}", "task.limit=9"] for i, (t, n) in enumerate(
        itertools.product("ab", "12"))}  # fmt: skip
    start = "python -m harness"
    same = rerun_commands(command, made, {c: ["s 1"] for c in made}, tmp_path, "x")
    assert same == [
        f"{start} -m hydra.verbose=true topology=a,b task.n=1,2 {shlex.quote('''task.sample_ids=['s 1']''')}"
    ]
    some = rerun_commands(command, made, {"c0": ["s1"], "c3": ["s1"], "c1": ["s2"]}, tmp_path, "x")
    assert some == [
        f"{start} hydra.verbose=true topology=a task.n=1 'task.sample_ids=[s1]'",
        f"{start} hydra.verbose=true topology=b task.n=2 'task.sample_ids=[s1]'",
        f"{start} hydra.verbose=true topology=a task.n=2 'task.sample_ids=[s2]'",
    ]
    assert not list(tmp_path.iterdir())


def test_a_long_list_goes_into_a_file_on_the_search_path(tmp_path: Path) -> None:
    command = line("topology=a", "hydra.searchpath=[pkg://mine]")
    ids = [f"sample-{i}" for i in range(LONGEST // 8)]
    (text,) = rerun_commands(command, {"c0": ["topology=a"]}, {"c0": ids}, tmp_path, "x")
    assert f"hydra.searchpath=['pkg://mine','file://{tmp_path}']" in shlex.split(text)
    assert "+missing=x-c0" in text
    stored = OmegaConf.load(tmp_path / "missing" / "x-c0.yaml")
    assert OmegaConf.to_container(stored) == {"sample_ids": ids}
