"""docs/sandbox.md says what the sandbox does."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from harness.sandbox.limits import USUAL
from harness.sandbox.lock import MOST_FILES
from harness.sandbox.process import environment
from harness.sandbox.runner import run_tests

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text()
SHOP = """
CURRENCY = "CHF"
def sort_in_place(numbers): numbers.sort()
def total(prices):
    if min(prices) < 0: raise ValueError("a negative price")
    return sum(prices)
"""


def test_the_example_runs() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    report = asyncio.run(run_tests({"shop/prices.py": SHOP}, example))
    assert report.failures == []
    other = asyncio.run(run_tests({"shop/prices.py": SHOP.replace("numbers.sort()", "sorted(numbers)")}, example))
    assert other.failures == ["test_sorting: fails: assert numbers == [1, 2, 3]"]


def test_the_figures_are_the_limits() -> None:
    assert f"| {USUAL.cpu_s} s, {USUAL.memory_mb} MB of address space, {MOST_FILES} open files |" in PAGE
    assert f"| {USUAL.wall_s:g} real seconds in all" in PAGE
    assert f"threads: {USUAL.threads} |" in PAGE
    assert f"a reply has at most {USUAL.reply_bytes // 10**6} MB |" in PAGE


def test_the_environment_is_as_told() -> None:
    (row,) = re.findall(r"^\| environment \| (.*?) \|", PAGE, re.M)
    told = environment("/folder") | {"LD_LIBRARY_PATH": "/lib"}
    assert set(re.findall(r"\b[A-Z][A-Z_]+\b", row)) - {"UTC"} == set(told)
    assert f"TZ={told['TZ']}" in row
    assert f"PYTHONHASHSEED={told['PYTHONHASHSEED']}" in row
