"""The code in the pages of docs/ is the code of the third-party package, and that package works when installed."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.within import within

import results
from harness.entry.command import run

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tests" / "third_party"
PAGES = ("write-a-topology.md", "write-a-suite.md")
_BLOCK = re.compile(r"^`(?P<path>[\w/.-]+)`\n```\w+\n(?P<code>.*?)\n```$", re.M | re.S)
_COMMAND = re.compile(r"^python -m harness .*$", re.M)


def blocks() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for found in _BLOCK.finditer((ROOT / "docs" / page).read_text()):
            yield found["path"], found["code"]


def commands(page: str) -> list[str]:
    return _COMMAND.findall((ROOT / "docs" / page).read_text())


def test_the_pages_show_the_files_of_the_package() -> None:
    shown = dict(blocks())
    assert set(shown) == {
        "second_opinion/topology.py",
        "second_opinion/suite.py",
        "second_opinion/conf/topology/second_opinion.yaml",
        "second_opinion/conf/task/unit_quiz.yaml",
        "tests/test_second_opinion.py",
        "tests/test_unit_quiz.py",
    }
    for path, code in shown.items():
        assert (PACKAGE / path).read_text().rstrip("\n") == code, path


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, installed as a user would install it, in a folder of its own."""
    target = tmp_path_factory.mktemp("site")
    source = tmp_path_factory.mktemp("source") / "package"
    subprocess.run(["cp", "-r", str(PACKAGE), str(source)], check=True, timeout=30)
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--target", str(target), str(source)], check=True, timeout=100)
    return target


@pytest.mark.parametrize("page", PAGES)
def test_the_command_of_the_page_runs(page: str, installed: Path, tmp_path: Path) -> None:
    (line,) = [line for line in commands(page) if "second_opinion" in line]
    line = line.replace("python", sys.executable, 1) + f" task.limit=1 store.dir={tmp_path}"
    if "unit_quiz" in line:
        line = line.replace(" task.limit=1", "")
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=ROOT,
        env={"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert results.check(tmp_path).clean
    found = results.load(tmp_path).runs
    assert set(found["status"]) == {"ok"}
    assert found["topology"].nunique() == 2


@pytest.mark.parametrize("line", [line for page in PAGES for line in commands(page) if "second_opinion" not in line])
def test_the_commands_that_need_no_package_run(line: str, tmp_path: Path) -> None:
    words = shlex.split(line)[3:]
    done = within(ROOT, run, ["harness/__main__.py", *words, "task.limit=1", "bus=memory", f"store.dir={tmp_path}"])
    assert done.returncode == 0, done.stderr
    assert results.check(tmp_path).clean
    assert set(results.load(tmp_path).runs["status"]) == {"ok"}


def test_what_a_suite_refuses_is_an_input_error(installed: Path, tmp_path: Path) -> None:
    words = ["hydra.searchpath=[pkg://second_opinion.conf]", "task=unit_quiz", "task.questions=9"]
    done = subprocess.run(
        [sys.executable, "-m", "harness", *words, f"store.dir={tmp_path}"],
        cwd=ROOT,
        env={"PYTHONPATH": str(installed), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 2
    assert done.stderr == "error: task 'unit_quiz' cannot be loaded: ValueError: task.questions=9: must be 1 to 4\n"


def test_the_package_passes_the_conformance_suite(installed: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", str(PACKAGE / "tests")],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{installed}:{ROOT}", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout
