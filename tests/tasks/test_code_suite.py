"""code_search as the engine sees it: options, corpora, and who solves it how."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from harness.accounting.tokens import count_tokens
from harness.entry.schema import make, settings
from harness.errors import ConfigError, CorpusError
from harness.suite import Suite
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from tasks.code_search import CodeSearch
from tasks.code_search.code import folder, generated, stdlib
from topologies.bus import Bus
from topologies.moa import Moa
from topologies.single import Single
from topologies.sync import Sync

CONF = Path(__file__).parents[2] / "conf" / "task" / "code_search.yaml"
SMALL: dict[str, Any] = {"corpus": "generated", "tokens": 20_000, "limit": 1}


def test_the_suite_keeps_the_contract_and_its_configuration_file() -> None:
    suite: Suite = CodeSearch()
    assert suite.name == "code_search"
    values = OmegaConf.to_container(OmegaConf.load(CONF))
    assert isinstance(values, dict)
    assert set(values) == {"_target_", *settings(CodeSearch)}
    assert make(values, "task") == suite


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"corpus": "stdlip"}, "did you mean 'stdlib'"),
        ({"corpus": "generated", "root": "x"}, "give one of them"),
        ({"kinds": ["caller"]}, "did you mean 'callers'"),
        ({"kinds": []}, "at least one"),
        ({"kinds": ["grep", "grep"]}, "each of them once"),
        ({"tokens": 999}, "task.tokens=999"),
        ({"files": 0}, "task.files=0"),
        ({"questions": 0}, "task.questions=0"),
        ({"samples": 0}, "task.samples=0"),
        ({"pass_threshold": 2}, "between 0 and 1"),
    ],
)
def test_options_that_no_code_could_use(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as fault:
        CodeSearch(**options)
    assert words.casefold() in str(fault.value).casefold()


def test_ids_tell_what_they_depend_on() -> None:
    assert list(CodeSearch(limit=2).sample_ids()) == ["stdlib-50000-s0-00", "stdlib-50000-s0-01"]
    assert list(CodeSearch(corpus="generated", files=3, seed=4, limit=1).sample_ids()) == ["generated-3f-s4-00"]
    with pytest.raises(CorpusError, match=r"Ids change with task\.corpus"):
        CodeSearch(only=["stdlib-50000-s1-00"]).load()


def test_default_samples_are_about_as_large_as_asked_for_and_ask_one_question_of_each_kind() -> None:
    suite = CodeSearch(limit=2)
    for sample_id in suite.sample_ids():
        sample, case = suite.sample(sample_id), suite.problem(sample_id)
        assert 40_000 < sample.material_tokens < 60_000 and len(case.files) > 3
        assert sample.tags == ("stdlib", "defined", "callers", "subclasses", "grep")
        assert [q.kind for q in case.questions] == list(sample.tags[1:])
        assert sample.material_tokens == sample.graph_work > sample.graph_critical_path
    assert len(CodeSearch().sample_ids()) == 8


def test_labels_come_once_in_the_suite() -> None:
    suite = CodeSearch(corpus="generated", tokens=5_000, samples=4, questions=3)
    labels = [q.label for sample_id in suite.sample_ids() for q in suite.problem(sample_id).questions]
    assert labels == [f"Q{n:02d}" for n in range(1, 13)]


@pytest.mark.parametrize(
    "make_", [lambda s: CodeSearch(tokens=5_000, seed=s, limit=1), lambda s: CodeSearch(**SMALL, seed=s)]
)
def test_a_seed_decides_everything(make_: Any) -> None:
    def drawn(seed: int) -> tuple[str, str]:
        suite = make_(seed)
        (sample_id,) = suite.sample_ids()
        return suite.sample(sample_id).material_hash, suite.key(sample_id)

    assert drawn(0) == drawn(0)
    assert len({drawn(seed) for seed in range(3)}) == 3


def test_evidence_is_unique_and_shown_by_reading() -> None:
    """What proves a name stands in exactly one file of the sample, and not in the statement or the brief."""
    suite = CodeSearch(limit=2, questions=12)
    for sample_id in suite.sample_ids():
        sample, case = suite.sample(sample_id), suite.problem(sample_id)
        shown = [file.render(1, len(file.lines)).split("\n") for file in case.files]
        for question in case.questions:
            for lines, _ in question.pieces:
                assert lines
                for line in lines:
                    assert sum(line in text for text in shown) == 1
                    assert line not in sample.statement and line not in sample.brief


# -- corpora -------------------------------------------------------------------------------------------------------


def test_the_standard_library_without_tests_and_without_what_is_optional() -> None:
    units = stdlib.load(None)
    names = [file.name for files in units.values() for file in files]
    assert {"json", "email", "http", "asyncio", "logging", "unittest", "argparse"} <= set(units)
    parts = {part for name in names for part in name.split("/")}
    assert not parts & {"test", "tests", "tkinter", "idlelib", "lib2to3", "ensurepip"}
    assert all(file.guessed_tokens * 3 <= 5_000 for files in stdlib.load(5_000).values() for file in files)
    guessed = sum(file.guessed_tokens for file in units["json"])
    assert guessed == pytest.approx(sum(file.tokens for file in units["json"]), rel=0.15)


def test_generated_code_is_python_of_the_size_asked_for_and_the_same_for_a_seed() -> None:
    files = generated.project(0, 0, 30_000, None)
    assert 24_000 < sum(file.tokens for file in files) < 36_000
    assert files == generated.project(0, 0, 30_000, None) != generated.project(1, 0, 30_000, None)
    for file in files:
        compile(file.text, file.name, "exec")
    assert len(generated.project(0, 1, 1_000, 40)) == 40, "more modules than words for them"


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def test_own_code_without_what_does_not_parse(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    code = "class Base: pass\n\nclass Child(Base):\n    def work(self): return self.rest()\n\ndef rest(): pass\n"
    aside = ("pack/__pycache__/x.py", "venv/lib/y.py", ".git/hook.py", "node_modules/z.py")
    faulty = {"bad.py": "def (", "old.py": b"# \xff\n", "nul.py": "x = '\0'", "two words.py": code}
    latin = b"# coding: latin-1\nx = '\xe4'\n"
    write(tmp_path, {"pack/good.py": code, "pack/__init__.py": "", "latin.py": latin, "venv/pyvenv.cfg": ""})
    root = write(tmp_path, {**faulty, **dict.fromkeys(aside, code)})
    with caplog.at_level(logging.WARNING):
        found = folder.load(root)
    names = {unit: [file.name for file in files] for unit, files in found.items()}
    assert names == {"latin.py": ["latin.py"], "pack": ["pack/good.py"]}
    assert all(name in caplog.text for name in faulty) and "left out 4 files" in caplog.text
    suite = CodeSearch(root=str(root))
    suite.load()
    (sample_id,) = suite.sample_ids()
    assert sample_id == "root-50000-s0-00"
    assert asyncio.run(suite.grade(suite.sample(sample_id), suite.key(sample_id))).score == 1


def test_a_folder_without_code_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="there is no such folder"):
        CodeSearch(root=str(tmp_path / "none")).load()
    with pytest.raises(CorpusError, match=r"there is no \.py file in it"):
        CodeSearch(root=str(tmp_path)).load()
    write(tmp_path, {"bad.py": "def ("})
    with pytest.raises(CorpusError, match=r"that Python can read \(1 cannot be\)"):
        CodeSearch(root=str(tmp_path)).load()
    write(tmp_path, {"ok.py": "x = 1\n"})
    with pytest.raises(CorpusError, match=r"has no question of the kinds subclasses\. Choose more of task\.kinds"):
        CodeSearch(root=str(tmp_path), kinds=["subclasses"]).load()


@pytest.mark.parametrize("files", [1, 2, 3])
def test_no_word_is_asked_for_in_so_few_files_that_a_guess_would_do(files: int) -> None:
    """Of two files, one holds it: whoever names either is right half of the time."""
    with pytest.raises(CorpusError, match=r"no question of the kinds grep\. Choose more .* or more code a sample"):
        CodeSearch(corpus="generated", files=files, kinds=["grep"], limit=1).load()


def test_a_guessed_set_of_files_is_right_once_in_six_at_most() -> None:
    """By counting all sets of the right size, which a guesser does not even know."""
    suites = [CodeSearch(corpus="generated", files=n, kinds=["grep"], questions=12, samples=2) for n in (4, 5, 6, 12)]
    for case in (suite.problem(sample_id) for suite in suites for sample_id in suite.sample_ids()):
        names = [file.name for file in case.files]
        assert len(case.questions) == 12
        assert all(len([*combinations(names, len(q.answer))]) >= 6 for q in case.questions)


def test_the_size_asked_for_counts_line_numbers() -> None:
    """As `read_file` shows the code: bare, it has two thirds to four fifths of that."""
    suite = CodeSearch(limit=4)
    for case in map(suite.problem, suite.sample_ids()):
        shown = sum(file.tokens for file in case.files)
        assert 0.6 * shown < sum(count_tokens(file.text) for file in case.files) < 0.82 * shown


def test_fewer_questions_than_asked_for_are_named_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path, {"ok.py": "def first(): pass\n\ndef second(): first()\n"})
    suite = CodeSearch(root=str(tmp_path), questions=30)
    with caplog.at_level(logging.WARNING):
        suite.load()
    asked = len(suite.problem("root-50000-s0-00").questions)
    assert 0 < asked < 30 and f"has {asked} questions, not 30" in caplog.text


# -- who solves it -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("topology", [Single(), Sync(), Bus(), Moa()], ids=["single", "sync", "bus", "moa"])
def test_every_topology_solves_it_without_faults_of_its_own(topology: Any, tmp_path: Path) -> None:
    """Callers are found wherever they stand: lists of several agents are put together, and no row is invalid."""
    suite = CodeSearch(**SMALL, kinds=["callers", "defined", "grep"], questions=6)
    found = records(cell(topology, faultless(suite.oracle()), suite=suite))
    assert [record.run.score for record in found] == [1.0]
    assert faults(found, tmp_path) == []


def test_a_chain_of_classes_over_several_parts_is_lost_where_the_work_is_divided(tmp_path: Path) -> None:
    """By construction: a class whose base stands in another agent's files proves nothing to either of the two."""
    chain = {"b.py": "class B(A): pass\n", "c.py": "class C(B): pass\n", "d.py": "class D(C): pass\n"}
    write(tmp_path, {"a.py": "class A: pass\n", **chain})
    suite = CodeSearch(root=str(tmp_path), kinds=["subclasses"], questions=1)
    (question,) = suite.problem("root-50000-s0-00").questions
    assert question.about == "A" and question.answer == ("b.B", "c.C", "d.D")
    model = faultless(suite.oracle())
    ways = (Single(), Sync(max_dispatches=1), Sync())
    scores = [records(cell(topology, model, suite=suite))[0].run.score for topology in ways]
    assert scores == [1, 1, 0], "two parts of two files each"


def spent(topology: Any, kind: str) -> Any:
    suite = CodeSearch(**SMALL, kinds=[kind])
    (record,) = records(cell(topology, faultless(suite.oracle()), suite=suite))
    assert record.run.score == 1
    return record


def test_a_simple_search_reads_no_file_and_a_sub_agent_for_it_costs_more() -> None:
    single, sync = spent(Single(), "grep"), spent(Sync(max_dispatches=1), "grep")
    tokens = [r.run.prompt_tokens + r.run.completion_tokens for r in (single, sync)]
    assert tokens[0] < 6_000 < 20_000 * 0.9, "all the code has about 20,000 tokens"
    assert tokens[1] > 2 * tokens[0]


def test_a_sub_agent_keeps_the_code_out_of_its_leads_prompt() -> None:
    single, sync = spent(Single(), "callers"), spent(Sync(max_dispatches=1), "callers")
    assert max(c.prompt_tokens for c in single.calls) > 18_000
    assert max(c.prompt_tokens for c in sync.calls if c.depth == 0) < 4_000
    assert max(c.prompt_tokens for c in sync.calls if c.depth == 1) > 18_000
