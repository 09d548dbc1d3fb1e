"""Each wrong input is one clear error and a non-zero exit before any sample starts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .commands import QUIET, call, inside, one_error

BAD = {
    "a topology's name": (
        ["topology=bsu"],
        "unknown option of 'topology': 'bsu'. Did you mean 'bus'? Valid choices: bus, ",
    ),
    "a task's name": (["task=qa_corpse"], "Did you mean 'qa_corpus'?"),
    "a misspelt key": (["topology.wrokers=2"], "unknown key 'topology.wrokers'. Did you mean 'topology.workers'?"),
    "a misspelt key of the suite": (["task.doc=2"], "unknown key 'task.doc'. Did you mean 'task.docs'?"),
    "a text for a number": (["topology.workers=three"], "topology.workers=three: must be a whole number"),
    "a fraction for a whole number": (["task.docs=2.5"], "task.docs=2.5: must be a whole number"),
    "too many members": (["topology.workers=9"], "topology.workers=9: a team has 1 to 8 members."),
    "a negative limit on calls": (["limits.run_calls=-1"], "limits.run_calls=-1: must be above 0"),
    "a negative limit on time": (["limits.run_wall_s=-5"], "limits.run_wall_s=-5.0: must be above 0"),
    "a negative depth": (["limits.max_depth=-1"], "limits.max_depth=-1: must be at least 0"),
    "no proposers": (["topology=moa", "topology.proposers=0"], "topology.proposers=0: must be from 1 to 100."),
    "a million proposers": (["topology=moa", "topology.proposers=1000000"], "must be from 1 to 100."),
    "a quorum above the proposers": (["topology=moa", "topology.quorum=4"], "with topology.proposers=3: must be"),
    "no layer": (["topology=moa", "topology.layers=0"], "topology.layers=0: must be from 1"),
    "an unknown model of a proposer": (["topology=moa", "topology.models=[a,a,a]"], "unknown model in topology.models"),
    "an unknown aggregator": (["topology=moa", "topology.aggregator=nobody"], "unknown model in topology.aggregator"),
    "fewer models than voters": (["topology=vote", "topology.models=[strong]"], "has 1 for topology.voters=3"),
    "a debate with oneself": (["topology=debate", "topology.debaters=1"], "must be from 2 to 100."),
    "no round": (["topology=debate", "topology.rounds=0"], "topology.rounds=0: must be from 1"),
    "no chooser": (["topology=resample", "topology.choose=null"], "resample without a chooser"),
    "the key as chooser": (["topology=resample", "topology.choose=key"], "Valid choices: judge, majority, visible."),
    "a model that has none beside it": (["topology=strong", "model=local"], "set model.strong=NAME"),
    "a model of a role out of bounds": (
        ["+model.roles.proposer={name: x, accuracy: 2}"],
        "model.roles.proposer.accuracy=2.0: must lie between 0 and 1.",
    ),
    "a misspelt setting of a model of a role": (
        ["+model.roles.proposer={name: x, acuracy: 1}"],
        "unknown key 'model.roles.proposer.acuracy'. Did you mean 'model.roles.proposer.accuracy'?",
    ),
    "no layer that divides": (["topology=nested", "topology.fan_out=[]"], "topology.fan_out=[]: give a number"),
    "no delegation": (["topology=inline", "topology.max_delegations=0"], "topology.max_delegations=0: must be above"),
    "no member of a board": (["topology=taskboard", "topology.members=0"], "a team has 1 to 8 members."),
    "no sample": (["task.limit=0"], "task.limit=0 is too small: it must be at least 1."),
    "no document": (["task.docs=0"], "task.docs=0 is too small: it must be at least 1."),
    "a sample that does not exist": (["task.sample_ids=[python_docs-8-s0-99]"], "unknown sample 'python_docs-8"),
    "more documents than there are": (["task.docs=5000"], "is more than the corpus 'python_docs' holds:"),
    "more samples than the machine holds": (["task=math", "task.samples=1000000000"], "it must be at most 10,000."),
    "an option of our own documents only": (["task.languages=[zh]"], "are for task.corpus=generated only"),
    "an option of the judge without one": (["grader.rubric=x"], "the chosen option of grader has no settings"),
    "an option that one suite of a sweep lacks": (
        ["-m", "task=math,modules", "task.languages=[en]"],
        "task=modules task.languages=[en]",
    ),
    "a reviewer without its model": (["task=review", "task.reviewer=other_model"], "'+model.roles.reviewer=MODEL'"),
    "a corpus that is not there": (["task.corpus=nowhere"], "task.corpus=nowhere is neither a known corpus"),
    "Redis that cannot be reached": (
        ["bus=redis", "bus.url=redis://user:secret@127.0.0.1:1/0"],
        "cannot reach Redis at redis://***@127.0.0.1:1/0",
    ),
    "a server that is none": (["bus.server=/nowhere/redis-server"], "bus.server '/nowhere/redis-server' is not"),
    "a transcript that is not there": (["model=scripted", "model.path=nowhere.yaml"], "model.path=nowhere.yaml: "),
    "a transcript that is not named": (["model=scripted"], "model.path: Missing mandatory value"),
    "a store that cannot be made": (["store.dir=/proc/nowhere"], "cannot use store.dir '/proc/nowhere'"),
    "virtual time made faster": (["clock.scale=100"], "clock.scale=100"),
    "several values without -m": (["task.docs=2,4"], "'task.docs=2,4' names several values: add -m"),
    "the last of several cells": (["-m", "task.docs=2,4,5000"], "task.docs=5000 is more than the corpus"),
    "a type of sub-agent": (["topology=sync", "topology.types=[reserch]"], "Did you mean 'research'?"),
    "a type that is taken": (["topology=sync", "topology.definitions=[{name: plan}]"], "the name 'plan' is"),
    "a tag of a type": (["topology=sync", "topology.definitions=[{name: x, tags: [raed]}]"], "Did you mean 'read'?"),
    "no dispatch": (["topology=sync", "topology.max_dispatches=0"], "topology.max_dispatches=0: must be above 0"),
    "a pool": (["topology=sync", "topology.pool.core=9"], "topology.pool: core=9, max=8, queue=16: 1 <= core <= max"),
    "resample without a chooser": (
        ["topology=resample", "topology.choose=null"],
        "resample without a chooser cannot say which attempt counts. Valid choices: majority, judge, visible.",
    ),
    "no attempt": (["topology=resample", "topology.attempts=0"], "topology.attempts=0: must be from 1 to 100"),
    "no steps for an attempt": (
        ["topology=resample", "topology.attempt.max_steps=0"],
        "topology.attempt.max_steps=0: must be at least 1.",
    ),
    "a stronger model that is not there": (
        ["topology=strong", "model.strong=null"],
        "topology.strong=true needs a stronger model beside the main one, and there is none: set model.strong=NAME",
    ),
    "nothing to escalate to": (
        ["topology=escalate", "model.strong=null"],
        "topology=escalate needs a stronger model beside the main one",
    ),
    "a form of order": (["topology.delegation.order=sentense"], "Did you mean 'sentence'?"),
    "endless retries": (["topology.delegation.max_retries=99"], "must lie between 0 and 10"),
    "no card": (["topology.delegation.card_tokens=0"], "topology.delegation.card_tokens=0: must be at least 1"),
    "virtual time with a provider": (
        ["model=litellm", "model.name=openai/gpt-4o-mini", "clock=virtual"],
        "clock=virtual cannot drive model 'openai/gpt-4o-mini', which answers in real time",
    ),
    "an unknown provider": (["model=litellm", "model.name=opnai/gpt-4o"], "Did you mean openai/gpt-4o"),
    "a missing key": (
        ["model=litellm", "model.name=openai/gpt-4o-mini"],
        "needs the environment variable OPENAI_API_KEY, which is not set or empty",
    ),
    "a budget without a price": (
        ["model=openai_compatible", "model.name=mine", "limits.run_usd=1", "plan=true"],
        "limits.run_usd is set, but the price of model 'mine' is unknown",
    ),
    "a server that is not there": (
        ["model=openai_compatible", "model.base_url=http://127.0.0.1:1/v1"],
        "no connection to http://127.0.0.1:1/v1/models",
    ),
    "a role without the plus": (
        ["model=litellm", "model.name=openai/gpt-4o", "model.roles.worker=openai/gpt-4o-mini", "plan=true"],
        "'model.roles.worker' is a new key: write +model.roles.worker=VALUE",
    ),
    "an empty store": (["store.dir="], "store.dir is empty: name a folder"),
    "a model file that is none": (["model=local", "model.path=/etc/passwd"], "/etc/passwd: is no GGUF file"),
}  # fmt: skip


@pytest.mark.parametrize("words", BAD.values(), ids=BAD.keys())
def test_bad_input(tmp_path: Path, words: tuple[list[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    typed, said = words
    monkeypatch.setenv("OPENAI_API_KEY", "")
    done = inside(tmp_path, "topology=bus", "task=qa_corpus", *typed, *QUIET)
    error = one_error(done)
    assert said in error and "secret" not in error
    assert done.returncode == 2
    assert not list(tmp_path.iterdir()), "no row, no store, nothing"


ROWS = {
    "not JSON": ("{oops", "questions.jsonl:2: not JSON"),
    "a field is missing": ({"answer": None}, "questions.jsonl:2: 'answer' must be a text that is not empty"),
    "a document that is not there": (
        {"document": "manul.txt"},
        "questions.jsonl:2: unknown document 'manul.txt'. Did you mean 'manual.txt'?",
    ),
    "evidence that is no quote": (
        {"evidence": "opens at 5 bar"},
        "questions.jsonl:2: 'evidence' is not a quote from one section of manual.txt",
    ),
    "a misspelt field": ({"quesiton": "?"}, "questions.jsonl:2: unknown key 'quesiton'. Did you mean 'question'?"),
}


@pytest.mark.parametrize("case", ROWS.values(), ids=ROWS.keys())
def test_a_broken_line_of_questions_is_named(tmp_path: Path, case: tuple[str | dict[str, object], str]) -> None:
    wrong, said = case
    corpus = tmp_path / "mine"
    corpus.mkdir()
    (corpus / "manual.txt").write_text("The valve opens at 12 bar.\n\nThe pump runs at night.\n")
    good = {
        "question": "At what pressure does the valve open?",
        "answer": "12 bar",
        "document": "manual.txt",
        "evidence": "opens at 12 bar",
    }
    broken = wrong if isinstance(wrong, str) else json.dumps({**good, "question": "When does it open?", **wrong})
    (corpus / "questions.jsonl").write_text(f"{json.dumps(good)}\n{broken}\n")
    done = inside(tmp_path, "task=qa_corpus", "task.corpus=mine", "task.docs=1", *QUIET)
    assert done.returncode == 2 and not done.stdout
    assert done.stderr.startswith("error: the corpus folder mine has 1 problem(s):\n") and said in done.stderr
    assert done.stderr.count("error:") == 1 and "Traceback" not in done.stderr
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("name", ["tasks", "topologies", "results", "conf"])
def test_a_folder_in_the_way_is_named(tmp_path: Path, name: str) -> None:
    mine = tmp_path / name
    mine.mkdir()
    (mine / "__init__.py").write_text("raise RuntimeError('imported by mistake')\n")
    done = call(tmp_path, "topology=single", "task=qa_corpus", "task.limit=1", *QUIET)
    error = one_error(done)
    assert str(mine) in error and "python -P -m harness" in error
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_the_way_round_that_it_names_works(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "__init__.py").write_text("raise RuntimeError('imported by mistake')\n")
    words = ("topology=single", "task=qa_corpus", "task.limit=1", *QUIET)
    done = call(tmp_path, *words, env={"PYTHONSAFEPATH": "1"})  # what -P sets
    assert done.returncode == 0, done.stderr
