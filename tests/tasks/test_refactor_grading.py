"""refactor's grader by hand: a good change, and each way in which one is not."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import pytest

from harness.blocks import block
from harness.errors import ConfigError
from harness.models.simulated import SimulatedModel
from harness.suite import Grade, Sample
from harness.testing.models import faultless
from harness.testing.runs import bare, cell, faults, records
from harness.topology import Topology
from tasks.refactor import Refactor, grading
from tasks.refactor.changes import changes_in
from tasks.refactor.project import LAYERS, MOST_PARTS, Project, project
from tests.support.layers import share
from topologies.bus import Bus
from topologies.moa import Moa
from topologies.single import Single
from topologies.sync import Sync

MADE = project(0, LAYERS + 1, seed=5)  # parcels, with the board on the wall
STORE, BACK, FRONT, BOARD = MADE.files
ONE, OTHER = MADE.decisions[0], next(d for d in MADE.decisions if d.key != MADE.decisions[0].key)
NEW = MADE.new(ONE)
ALL_BUT_ONE = (len(MADE.tests) - 1) / len(MADE.tests)


def answer(files: Mapping[str, str]) -> str:
    return "\n\n".join(block(file, text) for file, text in files.items())


def graded(text: str) -> Grade:
    return asyncio.run(grading.grade(MADE, text))


def visible(text: str) -> list[str]:
    return list(asyncio.run(grading.VisibleTests(MADE)(text)))


def without(*files: str) -> dict[str, str]:
    return {file: text for file, text in NEW.items() if file not in files}


def test_a_change_by_one_decision_passes_whichever_it_is() -> None:
    found = graded(f"Here it is.\n\n{answer(MADE.new(OTHER))}\n\nDone.")
    assert found.score == 1 and found.detail["passed"] == len(MADE.tests) and found.detail["changed"] == [*MADE.files]
    assert visible(answer(NEW)) == []


def test_files_by_two_decisions_break_what_crosses_the_seam() -> None:
    board = graded(answer({**NEW, BOARD: MADE.new(OTHER)[BOARD]}))
    assert board.score == ALL_BUT_ONE, "only the board's own test crosses it"
    (failed,) = [test for test in board.detail["tests"] if test["outcome"] == "failed"]
    assert failed["test"] == "test_board" and "KeyError" in failed["failure"]
    assert graded(answer({**NEW, FRONT: MADE.new(OTHER)[FRONT]})).score < 0.5
    assert visible(answer({**NEW, FRONT: MADE.new(OTHER)[FRONT]})) == [], "no visible test crosses a seam"


def test_a_file_left_as_it_was_scores_nothing_where_it_is_crossed() -> None:
    found = graded(answer(without(BOARD)))
    assert found.detail["unchanged"] == 1 and found.score == ALL_BUT_ONE
    for text in ("", answer(MADE.old), answer({**MADE.old, FRONT: NEW[FRONT]}), answer(without(STORE))):
        assert graded(text).score == 0, "and without starting anything"


def test_a_front_end_that_keeps_everything_itself_has_not_changed_the_program() -> None:
    """It passes no test on its own, however well it pretends: what the tests cross has to change."""
    alone = f'''
OLD = [["{MADE.values["O1"]}", "{MADE.values["P1"]}", "{MADE.values["FIRST"]}"]]
rows = []
def start(): rows[:] = OLD
def add_parcel(number, to, day=None): rows.append([number, to, day])
def parcels(): return rows
'''
    assert graded(answer({FRONT: alone})).score == 0
    changed = {file: f"{MADE.old[file]}\n\ndef changed():\n    return True" for file in (STORE, BACK)}
    found = graded(answer({**changed, FRONT: alone}))
    assert found.score == 0 and found.detail["changed"] == [STORE, BACK, FRONT], "the tests were run and failed"


@pytest.mark.parametrize(
    "more",
    [
        "# a comment",
        "X = 1",
        "X: int = 1\nY = X = 2",
        "pass",
        "import os",
        "if_ = None\nimport os.path as if_",
        '"""A text."""',
        "...",
        "from __future__ import annotations",
    ],
)
def test_what_does_nothing_changes_no_file(more: str) -> None:
    old = MADE.old[STORE]
    for text in (f"{old}\n\n{more}\n", f"{more}\n{old}", old.replace("def rows():", f"{more}\n\n\ndef rows():")):
        assert changes_in(MADE, answer({STORE: text})).same == (STORE,), text


def test_what_is_said_about_code_changes_no_file_and_code_does() -> None:
    old = MADE.old[STORE]
    for one, other, changed in (
        ("Adds or replaces a row", "Puts a row in or replaces one", False),
        ("def put(row):", "def put(row: dict) -> None:", False),
        ("    return dict(_rows[one])", "    pass\n    return dict(_rows[one])  # a copy", False),
        ('"to")', '"to", "due")', True),
        ("row.get(name)", "row[name]", True),
        ("def drop(", "def more():\n    pass\n\n\ndef drop(", True),
    ):
        assert one in old
        assert changes_in(MADE, answer({STORE: old.replace(one, other)})).changed(STORE) is changed, other


def test_broken_doubled_and_foreign_files() -> None:
    broken = graded(answer({**NEW, BOARD: "def lines(:"}))
    assert broken.detail["broken"] == [BOARD] and broken.score == ALL_BUT_ONE
    twice = answer(NEW) + "\n\n" + block(STORE, MADE.new(OTHER)[STORE])
    assert graded(twice).score == 0, "two versions are none"
    assert graded(answer(NEW) + "\n\n" + block(STORE, NEW[STORE])).score == 1
    foreign = {"/etc/passwd.py": "x = 1", "other_00/store.py": "x = 1", f"{MADE.package}/../x.py": "x = 1"}
    found = graded(answer({**NEW, **foreign}))
    assert found.score == 1 and len(found.detail["unknown"]) == 2, "a name that is no name is none"
    helper = {f"{MADE.package}/keys.py": f'KEY = "{ONE.key}"'}
    using = f"from {MADE.package}.keys import KEY\n\n{NEW[BOARD]}"
    assert graded(answer({**NEW, **helper, BOARD: using})).score == 1, "files may be added"


def test_an_exit_or_an_endless_loop_fails_and_is_told() -> None:
    found = graded(answer({**NEW, FRONT: f"import os\nos._exit(0)\n{NEW[FRONT]}"}))
    assert found.score == 0 and found.detail["failed"] == len(MADE.tests)


def test_visible_tests_say_what_anybody_can_say() -> None:
    assert len(visible("")) == len(MADE.files)
    (same,) = visible(answer({**NEW, BACK: MADE.old[BACK]}))
    assert same == f"{BACK}: does what it did before"
    spoilt = NEW[FRONT].replace('"Parcel desk"', '"Desk"')
    (failure,) = visible(answer({**NEW, FRONT: spoilt}))
    assert failure.startswith("heading: ")


@pytest.mark.parametrize("option", [{"parts": 2}, {"parts": MOST_PARTS + 1}, {"samples": 0}, {"limit": 0}])
def test_options_that_no_program_has_are_refused(option: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match=rf"task\.{next(iter(option))}"):
        Refactor(**option)  # type: ignore[arg-type]


def test_the_tools_show_the_program_before_the_change() -> None:
    suite = Refactor(parts=5, limit=1)
    sample = suite.sample(suite.sample_ids()[0])
    lister, reader = suite.tools(sample)
    made = suite.problem(sample.id)
    listed = asyncio.run(lister.run({}))
    assert [line.split()[1] for line in str(listed).split("\n")] == [*made.files]
    assert asyncio.run(reader.run({"file": f"./{made.files[0]}"})) == made.old[made.files[0]]
    with pytest.raises(Exception, match="list_files"):
        asyncio.run(reader.run({"file": "store"}))


# -- simulated rows ----------------------------------------------------------------------------------------------------


class Quick(Refactor):
    """Grades inside the test's process: the simulated model writes nothing but our own files."""

    async def grade(self, sample: Sample, answer: str) -> Grade:
        made: Project = self.problem(sample.id)
        changes = changes_in(made, answer)
        if changes.broken or not all(map(changes.changed, made.files)):
            return Grade(0.0)
        return Grade(share(made, {**made.old, **changes.given}))


def mean(topology: Topology, seeds: int, suite: Refactor, **more: float) -> float:
    model = SimulatedModel()
    behaviour = model.behaviour
    if more:
        behaviour = replace(behaviour, agreement=replace(behaviour.agreement, **more))
    model = SimulatedModel(behaviour=behaviour)
    model.consult(suite.oracle())
    scores = [
        r.run.score or 0.0 for seed in range(seeds) for r in records(cell(topology, model, suite=suite, seed=seed))
    ]
    return sum(scores) / len(scores)


def test_one_agent_is_consistent_and_workers_that_cannot_talk_are_not() -> None:
    """100 seeds each, 25 of the bus, whose members say what they take and agree, unless they are silent."""
    suite = Quick(limit=1)
    single, sync = mean(Single(), 100, suite), mean(Sync(), 100, suite)
    assert single > sync + 0.15
    talking, silent = mean(Bus(), 25, suite), mean(Bus(), 25, suite, announce=0.0)
    assert talking > silent + 0.15


def test_four_topologies_solve_it_without_errors(tmp_path: object) -> None:
    suite = Refactor(limit=2)
    model = faultless(suite.oracle())
    for topology in (Single(), Sync(), Bus(), Moa()):
        found = records(cell(topology, model, suite=suite))
        assert [(r.run.status, r.run.score) for r in found] == [("ok", 1.0)] * 2, topology
        assert faults(found, tmp_path / type(topology).__name__) == []  # type: ignore[operator]


def test_rows_are_the_same_at_any_concurrency() -> None:
    suite = Quick(limit=3)
    model = SimulatedModel()
    model.consult(suite.oracle())
    one, all_at_once = (records(cell(Bus(), model, suite=suite), concurrency=n) for n in (1, 3))
    assert list(map(bare, one)) == list(map(bare, all_at_once))
