"""Scripts that are refused before anything runs: file and line, what is wrong, and what to do instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.entry.command import run
from harness.errors import ConfigError
from harness.workflow.program import Source, program
from topologies.workflow import Workflow

from .stage import HEAD, main, written

OK = main("return 'x'")


def refused(folder: Path, body: str, head: str = HEAD) -> str:
    with pytest.raises(ConfigError) as fault:
        Workflow(script=written(folder, body, head))
    text = str(fault.value)
    assert "\n" not in text and str(folder) not in text
    return text


@pytest.mark.parametrize(
    ("body", "line", "what"),
    [
        ("async def main(task:\n    pass\n", 2, "does not parse"),
        ("async def main(task):\n    return await\n", 3, "does not parse"),
        ("import time\n" + OK, 2, "now()"),
        ("from datetime import datetime\n" + OK, 2, "now()"),
        ("import random\n" + OK, 2, "random()"),
        ("from random import choice\n" + OK, 2, "random()"),
        ("import os.path\n" + OK, 2, "topology.args"),
        ("import asyncio\n" + OK, 2, "parallel()"),
        ("import harness.session\n" + OK, 2, "modules that may be imported: collections"),
        ("import collections.abc\n" + OK, 2, "write `from collections.abc import NAME`"),
        ("import harness.workflow.script\n" + OK, 2, "write `from harness.workflow.script import NAME`"),
        ("from . import other\n" + OK, 2, "modules that may be imported"),
        ("from json import *\n" + OK, 2, "name it"),
        (main("return open('x').read()"), 3, "topology.args"),
        (main("return eval('1')"), 3, "`eval`"),
        (main("print(task)", "return ''"), 3, "use log(text)"),
        (main("return str(hash(task))"), 3, "differ from run to run"),
        ("from operator import attrgetter\n" + OK, 2, "`attrgetter`"),
        ("import string\n" + main("return string.Formatter()"), 4, "`.Formatter`"),
        ("import statistics\n" + main("return statistics.NormalDist().samples(2)"), 4, "random()"),
        (main("return __import__('time').ctime()"), 3, "`__import__`"),
        (main("return task.__class__.__name__"), 3, "`.__class__`"),
        (main("try:", "    pass", "except:", "    pass"), 5, "use `except Exception:`"),
        (main("try:", "    pass", "except BaseException:", "    pass"), 5, "use Exception"),
        (
            main("while True:", "    try:", "        await agent('x')", "    finally:", "        continue"),
            7,
            "`continue`",
        ),
        (main("for x in {'a', 'b'}:", "    log(x)"), 3, "sorted("),
        (main("return ', '.join(set(task))"), 3, "sorted("),
        (main("return [x for x in frozenset(task)]"), 3, "sorted("),
        (main("return max(set(task), key=task.count)"), 3, "sorted("),
        (main("return [*(set(task) - {'d'})]"), 3, "sorted("),
        (main("return {'a', 'b'}.pop()"), 3, "sorted("),
        ("import json\n" + main("json.JSONEncoder.item_separator = ' ; '"), 4, "for all runs"),
        ("def main(task):\n    return 'x'\n", None, "async def main(task)"),
        ("async def other(task):\n    return 'x'\n", None, "async def main(task)"),
        ("async def main():\n    return 'x'\n", 2, "main(task)"),
        ("async def main(task, *, more):\n    return 'x'\n", 2, "main(task)"),
        ("return 5\n" + OK, 2, "does not compile"),
        ("x = (yield)\n" + OK, 2, "does not compile"),
    ],
)
def test_a_script_is_refused_with_its_line(tmp_path: Path, body: str, line: int | None, what: str) -> None:
    text = refused(tmp_path, body)
    assert ("script.py:" if line is None else f"script.py:{line}: ") in text and what in text


@pytest.mark.parametrize(
    ("head", "what"),
    [
        ("", "has no META"),
        ("META = dict(name='x')\n", "written out"),
        ("META = ['x']\n", "must be a dict"),
        ("META = {'description': 'x'}\n", "needs a name"),
        ("META = {'name': 'x', 'stages': []}\n", "unknown key of META 'stages'"),
        ("META = {'name': 'x', 'phases': 'Find'}\n", "list of names"),
    ],
)
def test_a_script_says_what_it_is(tmp_path: Path, head: str, what: str) -> None:
    assert what in refused(tmp_path, OK, head)


def test_all_faults_are_told_at_once_up_to_five(tmp_path: Path) -> None:
    text = refused(tmp_path, "import time\nimport os\n" + "import random\n" * 5 + OK)
    assert text.count("script.py:") == 5 and text.endswith("2 more.")


def test_a_file_that_is_no_script(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"# \xff\n")
    for script, what in (
        ("reserch", "unknown workflow script in topology.script 'reserch'"),
        (str(tmp_path / "none.py"), "no such file"),
        (str(tmp_path / "latin.py"), "not UTF-8"),
        ("x/y.txt", "must end in .py"),
    ):
        with pytest.raises(ConfigError, match=what):
            Workflow(script=script)


@pytest.mark.parametrize(
    ("setting", "value"),
    [("max_agents", 0), ("max_concurrency", 0), ("script_steps", 0), ("worker_steps", 0), ("max_retries", 11)],
)
def test_settings_that_nobody_can_meet_are_refused(tmp_path: Path, setting: str, value: int) -> None:
    with pytest.raises(ConfigError, match=f"topology.{setting}={value}"):
        Workflow(script=written(tmp_path, OK), **{setting: value})  # type: ignore[arg-type]


def test_a_type_to_ablate_must_have_a_prompt(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"role in topology\.ablate 'alice'.*reviewer"):
        Workflow(script=written(tmp_path, OK), ablate="alice")


def test_a_byte_order_mark_is_no_part_of_a_script(tmp_path: Path) -> None:
    (tmp_path / "bom.py").write_bytes(b"\xef\xbb\xbf" + (HEAD + OK).encode())
    Workflow(script=str(tmp_path / "bom.py"))


PIECES = st.sampled_from(
    [
        *("META = {}\n", HEAD, OK, "\x00", "{", "}", "\t", "\n", "é", "'", "1\n", "import ", "    return ", "lambda: "),
        *("(" * 300, "-" * 3000 + "1\n", "META = " + "1+" * 3000 + "1\n", "async def main(task):\n", "class A: pass\n"),
        *("[x for x in y]", "try:\n    x\nfinally:\n    y\n", "match x:\n    case [a, *b]: pass\n", "nonlocal x\n"),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=6).map("".join))
def test_any_text_is_a_script_or_one_clear_error(text: str) -> None:
    try:
        program(Source("any.py", text, yaml=False))
    except ConfigError as fault:
        assert "any.py" in str(fault) and "\n" not in str(fault)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("async def main(task:\n    pass\n", "error: script.py:2: the script does not parse: "),
        (main("import time", "return str(time.time())"), "error: a workflow script may not do this: script.py:3: "),
    ],
)
def test_on_the_command_line_it_is_one_line_and_nothing_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, what: str
) -> None:
    words = ["topology=workflow", f"topology.script={written(tmp_path, body)}", "task=qa_corpus"]
    assert run(["harness/__main__.py", *words, f"store.dir={tmp_path / 'rows'}", "progress=none"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(what) and said.count("\n") == 1
    assert not (tmp_path / "rows").exists()
