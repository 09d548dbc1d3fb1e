"""The drafts: clean ones are right, defective ones are wrong, at the named place and by little, and both say no more
than they should."""

from __future__ import annotations

import re
from collections import Counter
from difflib import unified_diff
from pathlib import Path

import pytest
from support.drafts import CHECKS, at_work

from harness.models.simulated.prompt.findings import example_in, files_in
from tasks.review.cases import Draft
from tasks.review.drafts import PAIRS
from tasks.review.pairs import KINDS, Pair
from tasks.review.statement import request

ACROSS = [pair for pair in PAIRS if pair.context is not None]
EVERY = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.file)
VERSIONS = [(pair, defective) for pair in PAIRS for defective in (False, True)]


def test_there_are_enough_of_each_kind() -> None:
    assert len(PAIRS) == 48 and Counter(pair.kind for pair in PAIRS) == dict.fromkeys(KINDS, 6)
    assert len(ACROSS) == 13 and {p.kind for p in PAIRS if p.kind in ("wrong_unit", "broken_promise")} <= {
        p.kind for p in ACROSS
    }
    names = [pair.file for pair in PAIRS] + [pair.context.file for pair in PAIRS if pair.context is not None]
    assert len(set(names)) == len(names) and CHECKS.keys() == {pair.file for pair in PAIRS}


@EVERY
def test_the_clean_version_keeps_the_contract(pair: Pair, tmp_path: Path) -> None:
    with at_work(pair, False) as (module, beside):
        CHECKS[pair.file](module, beside, tmp_path)


@EVERY
def test_the_defective_version_breaks_it(pair: Pair, tmp_path: Path) -> None:
    """By what it does: no defective version fails to load."""
    with at_work(pair, True) as (module, beside), pytest.raises(Exception) as broken:
        CHECKS[pair.file](module, beside, tmp_path)
    assert not isinstance(broken.value, NameError | SyntaxError), broken.value


@EVERY
def test_they_differ_by_little_and_at_the_named_place(pair: Pair) -> None:
    assert pair.clean.count(pair.right) == 1
    old, new = pair.text(False).split("\n"), pair.text(True).split("\n")
    changes = [d for d in unified_diff([*map(str.strip, old)], [*map(str.strip, new)], n=0) if d[0] in "+-"][2:]
    assert 1 <= len(changes) <= 7
    lines = {n: new[n - 1].strip() for n in pair.places}
    assert 1 <= len(lines) <= 4
    assert set(pair.also) <= set(lines.values()), "a line that is not there"
    own = {n for n, line in enumerate(new, 1) if line.strip() in {d[1:] for d in changes if d[0] == "+"}}
    assert own <= lines.keys(), "every line that differs names the defect"


@EVERY
def test_each_line_that_names_the_defect_is_enough_and_any_other_is_not(pair: Pair) -> None:
    """Copied whole, no line of a draft could be meant for another one."""
    draft = Draft("D", pair, True)
    for number, line in enumerate(draft.text.split("\n"), 1):
        if line.strip():
            assert draft.is_place(line.strip()) is (number in pair.places), line
        assert draft.is_place(number) is (number in pair.places)
    assert not Draft("D", pair, False).is_place(draft.right["where"]), "nothing is wrong with the clean version"


def test_what_tells_a_version_stands_in_it_and_nowhere_else() -> None:
    texts = [pair.text(defective) for pair, defective in VERSIONS]
    texts += [pair.context.text for pair in ACROSS if pair.context is not None]
    for pair, defective in VERSIONS:
        telling = pair.telling(defective)
        assert [text for text in texts if telling in text] == [pair.text(defective)]
        assert telling.count("\n") >= 1, "no single line of an answer is taken for the draft itself"
    for pair in ACROSS:
        assert pair.context is not None
        assert [text for text in texts if pair.context.telling in text] == [pair.context.text]


@EVERY
def test_contracts_are_one_line_and_name_the_file_that_is_needed(pair: Pair) -> None:
    assert "\n" not in pair.contract and '"' not in pair.contract and pair.contract.endswith(".")
    named = [found.name for found in files_in(pair.contract)]
    assert named == ([] if pair.context is None else [pair.context.file])


@pytest.mark.parametrize(("pair", "defective"), VERSIONS, ids=lambda value: getattr(value, "file", value))
def test_a_draft_says_nothing_but_code(pair: Pair, defective: bool) -> None:
    """No name of a file that could be asked for, nothing that looks like the form of an answer or like an order, and no
    word about its defect."""
    for text in (pair.text(defective), "" if pair.context is None else pair.context.text):
        assert files_in(text) == () and example_in(text) == "" and "```" not in text
        assert not re.search(r"defect|bug|wrong|fixme|todo|leave out|blocked", text, re.I)
        assert max(map(len, text.split("\n"))) <= 100 and "\t" not in text
    assert 4 <= pair.text(defective).count("\n") <= 22


def test_both_versions_are_asked_for_alike() -> None:
    """Neither the line about a draft nor what its author was asked depends on which version is shown."""
    from tasks.review.cases import Case

    for pair in PAIRS:
        clean, broken = (Draft("D00-01", pair, defective) for defective in (False, True))
        assert clean.line == broken.line and request(Case((clean,))) == request(Case((broken,)))
        assert Case((clean,)).contexts == Case((broken,)).contexts
