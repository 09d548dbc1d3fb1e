"""The programs of refactor: one decision works in all files, no mixture does, nothing works without the change."""

from __future__ import annotations

import itertools
import random

import pytest

from tasks.common.files import files_in
from tasks.refactor import Refactor
from tasks.refactor.items import items
from tasks.refactor.kinds import CLOCK, DAY, LENGTH, MONEY, Kind
from tasks.refactor.project import MOST_PARTS, Project, project
from tasks.refactor.systems import SYSTEMS
from tasks.refactor.template import NEW, OLD, version
from tests.support.layers import passed, share

NUMBERS = range(len(SYSTEMS))


@pytest.mark.parametrize("number", NUMBERS)
def test_every_decision_works_and_no_old_file_does(number: int) -> None:
    made = project(number, MOST_PARTS, seed=number)
    assert 2 ** (3 if made.system.words else 2) <= len(made.decisions) == len(set(made.decisions))
    for decision in made.decisions:
        assert all(passed(made, made.new(decision)).values()), decision.contract(made)
        assert all(passed(made, made.new(decision), made.examples).values())
    assert not any(passed(made, made.old).values())
    assert all(passed(made, made.old, made.examples).values()), "examples hold before the change too"


@pytest.mark.parametrize("number", NUMBERS)
def test_a_file_by_another_decision_breaks_a_seam(number: int) -> None:
    """Every way in which one of the layers differs from the two others, and a draw of those in which all differ."""
    made = project(number, 3, seed=1)
    files = {decision: list(made.new(decision).items()) for decision in made.decisions}
    mixed = [
        tuple(other if i == odd else one for i in range(3))
        for one, other in itertools.permutations(made.decisions, 2)
        for odd in range(3)
    ]
    mixed += random.Random(7).sample(list(itertools.permutations(made.decisions, 3)), 40)
    for decisions in mixed:
        mix = dict(files[decision][i] for i, decision in enumerate(decisions))
        assert share(made, mix) < 1, [decision.contract(made) for decision in decisions]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_further_front_end_by_another_decision_fails_its_own_tests(number: int) -> None:
    made = project(number, MOST_PARTS, seed=2)
    one = made.decisions[0]
    for other in made.decisions[1:]:
        if other[:2] == one[:2]:
            continue  # the words are nothing to these files
        mix = {**made.new(other), **dict(list(made.new(one).items())[:3])}
        found = passed(made, mix)
        crossing = {t.name: len(t.needs) > 3 for t in made.tests}
        assert all(found[name] for name, further in crossing.items() if not further)
        alike = {"test_gaps", "test_search", "test_tally", "test_alarm"}
        failed = {name for name, further in crossing.items() if further and not found[name]}
        assert failed >= {name for name, further in crossing.items() if further} - alike


@pytest.mark.parametrize("number", NUMBERS)
def test_without_all_three_layers_nothing_works(number: int) -> None:
    made = project(number, 3, seed=3)
    new = made.new(made.decisions[-1])
    for size in (1, 2):
        for kept in itertools.combinations(made.files, size):
            files = {file: new[file] if file in kept else made.old[file] for file in made.files}
            assert share(made, files) == 0, kept


BYPASS = """
from types import ModuleType
from {package} import back as _back, store as _store
_old = dict(__name__="old")
exec({old!r}, _old)
{made}
{front}
_start, _add = start, {add}


def start():
    {first}
    _start()


def {add}(*given):
    {second}
    _add(*given)
"""


@pytest.mark.parametrize("for_show", [True, False])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_front_end_that_holds_the_other_layers_itself_passes_nothing(number: int, for_show: bool) -> None:
    """The new layers executed inside the front end, with a table of their own; for show, what was there before the
    change is called as well, so that the real table has all rows, without what is new."""
    made = project(number, 3, seed=6)
    new = made.new(made.decisions[0])
    store, back, front = made.files
    below = f"from {made.package} import "
    layers = [
        f"{name} = ModuleType({name!r})\n{given}exec({new[file].replace(f'{below}store', '')!r}, {name}.__dict__)"
        for name, file, given in (("store", store, ""), ("back", back, "back.store = store\n"))
    ]
    add = made.values["ADD"]
    bypass = BYPASS.format(
        package=made.package,
        old=made.old[front],
        made="\n".join(layers),
        front=new[front].replace(f"{below}back", ""),
        add=add,
        first="_old['start']()" if for_show else "pass",
        second=f"_old[{add!r}](*given[:2])" if for_show else "pass",
    )
    assert passed(made, {**made.old, front: bypass}) == {test.name: False for test in made.tests}
    assert all(passed(made, {**made.old, front: bypass}, made.examples).values())
    untouched = [test for test in made.tests if "store." not in test.source]
    assert untouched == [], "every test writes into the table or takes out of it"
    if not for_show:
        whole = bypass.replace("ModuleType('store')", "_store")
        assert all(passed(made, {**new, front: whole}).values()), "it is the table alone that is missing"


@pytest.mark.parametrize("number", NUMBERS)
def test_what_the_simulated_model_writes_wrong_is_wrong(number: int) -> None:
    made = project(number, 3, seed=4)
    right = made.new(made.decisions[0])
    for item in items(made):
        for wrong in item.wrong:
            assert share(made, {**right, wrong["file"]: wrong["content"]}) < 1


def test_lines_of_the_board_come_least_first() -> None:
    for number in NUMBERS:
        made = project(number, 4, seed=8)
        new, board = made.new(made.decisions[0]), made.files[3]
        first, _, rest = new[board].partition("sorted(_known(), key=lambda row: _number(row[")
        turned = f"{first}sorted(_known(), reverse=True, key=lambda row: _number(row[{rest}"
        assert rest and not passed(made, {**new, board: turned})["test_board"]


def test_what_gives_a_decision_away_stands_nowhere_else() -> None:
    suite = Refactor(parts=MOST_PARTS)
    for sample_id in suite.sample_ids():
        made, sample = suite.problem(sample_id), suite.sample(sample_id)
        shown = sample.statement + sample.brief + "".join(made.old.values())
        told = [decision.contract(made) for decision in made.decisions]
        assert len(set(told)) == len(told)
        assert not any(one in shown for one in told)
        assert not any(one in other for one, other in itertools.permutations(told, 2))
        for decision, text in zip(made.decisions, told, strict=True):
            assert all(text in content for content in made.new(decision).values())


def test_labels_are_unique_and_lines_name_what_they_are_about() -> None:
    suite = Refactor(parts=MOST_PARTS, samples=30)
    oracle = suite.oracle()
    labels = set()
    for sample_id in suite.sample_ids():
        made = suite.problem(sample_id)
        for line in (made.line(part) for part in made.parts):
            label, _, _ = line.partition(":")
            labels.add(label)
            item = oracle.lookup(line)
            assert item is not None and item is oracle.lookup(label) and "$" not in line
            assert line in suite.sample(sample_id).statement.split("\n")
    assert len(labels) == 30 * MOST_PARTS


@pytest.mark.parametrize("kind", [DAY, MONEY, LENGTH, CLOCK])
def test_forms_of_a_value_by_hand(kind: Kind) -> None:
    """In, on and out again is what plain arithmetic says, whatever the form."""
    plain, later = {
        "text such as 2023-08-31": ("2024-02-27", "2024-03-03"),
        "text such as 7.05": ("9.97", "10.02"),
        "text such as 08:05": ("09:57", "10:02"),
    }[kind.plain]
    assert kind.later(plain, 5) == later and kind.rank(plain) < kind.rank(later)
    for form in kind.forms:
        space: dict[str, object] = {"text": plain, "n": 5}
        exec("\n".join(f"{statement} {name}" for statement, name in form.imports), space)
        space["value"] = eval(form.into, space)
        assert eval(form.out, space) == plain
        before = eval(form.number, space)
        space["value"] = eval(form.plus, space)
        assert eval(form.out, space) == later
        assert eval(form.number, space) == before + 5


def test_templates_hold_both_versions() -> None:
    text = "\na\n#-\nold $X\n#+\n$X\nnew\n#=\n\nz\n"
    assert version(text, OLD, {"X": "1"}) == "a\nold 1\n\nz"
    assert version(text, NEW, {"X": ""}) == "a\nnew\n\nz"
    with pytest.raises(KeyError):
        version(text, NEW, {})


def test_programs_differ_over_seeds_and_numbers() -> None:
    def said(made: Project) -> str:
        return "".join(made.old.values()) + str(made.decisions)

    told = {said(project(number, 3, seed)) for number in range(24) for seed in range(3)}
    assert len(told) == 72
    assert said(project(5, 3, 1)) == said(project(5, 3, 1))


def test_a_key_is_a_change_by_one_decision() -> None:
    suite = Refactor(limit=1)
    (sample_id,) = suite.sample_ids()
    made = suite.problem(sample_id)
    assert files_in(suite.key(sample_id)) == made.new(made.decisions[0])
