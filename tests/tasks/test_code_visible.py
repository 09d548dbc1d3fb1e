"""The visible tests of code_search: they see form and existence, and never the key."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tasks.code_search import CodeSearch

CODE = """\
class BASE:
    def first(self): return SECOND()

class CHILD(BASE): pass

def SECOND(): return third()

def third(): pass
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> CodeSearch:
    root: Path = tmp_path_factory.mktemp("code")
    for name in ("part", "other", "third", "more", "fifth", "last"):
        (root / f"{name}.py").write_text(re.sub("([A-Z]{4,})", rf"{name}_\1", CODE))
    return CodeSearch(root=str(root), questions=4)


def failing(suite: CodeSearch, entries: list[dict[str, Any]]) -> list[str]:
    visible = suite.sample(suite.sample_ids()[0]).visible
    assert visible is not None
    return list(asyncio.run(visible(json.dumps(entries))))


def test_the_key_passes_and_so_does_any_answer_that_could_be_one(suite: CodeSearch) -> None:
    (sample_id,) = suite.sample_ids()
    assert failing(suite, json.loads(suite.key(sample_id))) == []
    questions = suite.problem(sample_id).questions
    assert failing(suite, [dict(q.entry(q.wrong[-1])) for q in questions]) == [], "wrong, and nobody can see it"


def test_what_anybody_can_see(suite: CodeSearch) -> None:
    (sample_id,) = suite.sample_ids()
    key = json.loads(suite.key(sample_id))
    labels = [e["question"] for e in key]
    assert failing(suite, []) == ["the answer holds no JSON array of entries with the label of a question"]
    assert failing(suite, key[1:]) == [f"{labels[0]}: no entry"]
    assert failing(suite, [*key, key[0]]) == [f"{labels[0]}: 2 entries instead of one"]
    assert failing(suite, [{**key[0], "names": []}, *key[1:]]) == [f"{labels[0]}: no names"]
    wrong = [{**e, "names": ["nothing.of.this"]} for e in key]
    what = ("line of these files", "function in these files", "class in these files", "file of these")
    assert [q.kind for q in suite.problem(sample_id).questions] == ["defined", "callers", "subclasses", "grep"]
    assert failing(suite, wrong) == [f"{n}: 'nothing.of.this' is no {w}" for n, w in zip(labels, what, strict=True)]
