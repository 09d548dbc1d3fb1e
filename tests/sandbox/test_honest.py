"""Honest programs pass, and what crosses to their tests is what they would have given in one process."""

from __future__ import annotations

import asyncio

import pytest

from harness.errors import CorpusError
from harness.sandbox.report import TestReport
from harness.sandbox.runner import run_tests

ANSWER = """
import asyncio, bisect, collections, datetime, decimal, enum, fractions, functools, hashlib, heapq, itertools, json
import math, os, queue, random, re, sqlite3, statistics, string, threading, time, zoneinfo
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import NamedTuple

LIMIT = {"most": (1, 2.5)}

class Missing(KeyError): pass
class Own(Exception): pass
class Point(NamedTuple):
    x: int
    y: int
@dataclass
class Row:
    a: int
class Colour(enum.IntEnum):
    RED = 1
class Tool:
    @staticmethod
    def twice(x): return 2 * x

def same(x): return x
def both(*args, **kwargs): return args, kwargs
def sort_in_place(xs): xs.sort()
def swap(rows): rows[0], rows[1] = rows[1], rows[0]
def push(rows, x): rows[0].append(x); return rows[0]
def fill(d, s, b): d["new"] = [1]; s.add(3); b.append(255)
def break_off(xs): xs.append("half"); raise ValueError("in the middle")
def fail(kind):
    if kind == "own": raise Own("mine")
    if kind == "missing": raise Missing("k")
    if kind == "file": open("/nowhere/at/all")
    if kind == "exit": raise SystemExit(3)
    return 1 / 0
def squares(n): return (i * i for i in range(n))
def point(): return Point(1, 2)
def counted(text): return collections.Counter(text)
def row(): return Row(1)
def red(): return Colour.RED
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
def threads(n):
    with ThreadPoolExecutor(8) as pool: return sum(pool.map(math.sqrt, [4] * n))
def later():
    async def main():
        await asyncio.sleep(0.001)
        return await asyncio.to_thread(lambda: "done")
    return asyncio.run(main())
def sql():
    base = sqlite3.connect(":memory:")
    base.execute("create table t (x)"); base.executemany("insert into t values (?)", [(1,), (2,)])
    return base.execute("select sum(x) from t").fetchone()
def digest(): return hashlib.sha256(b"abc").hexdigest()
def day(): return datetime.date(2024, 2, 29) + datetime.timedelta(days=1)
def noon(): return datetime.datetime(2024, 7, 1, 12, tzinfo=zoneinfo.ZoneInfo("Europe/Zurich"))
def tokens(text): return re.findall(r"\\w+", text)
def loud(): print("x" * 1_000_000); return "quiet"
def notes():
    with open(os.path.join(os.path.dirname(__file__), "data", "notes.txt")) as file: return file.read()
def first(words): return list(set(words))
"""
FILES = {
    "answer.py": ANSWER,
    "pkg/__init__.py": "",
    "pkg/low.py": "def base(): return 20",
    "pkg/high.py": "from pkg.low import base\nfrom . import low\ndef top(): return base() + low.base() + 2",
    "data/notes.txt": "grüße",
    "json.py": "def hides(): return 'the standard library'",
    "broken.py": "def f(:",
    "raising.py": "1 / 0",
    "zero.py": "x = '\0'",
}
TESTS = """
import collections, datetime, decimal, fractions, math

VALUES = [
    None, True, False, 0, -1, 2**63, -(2**200), 1.5, -0.0, 5e-324, "", "é€🙂", "\\ud800", "\\x00", b"\\x00\\xff",
    (), (1, (2,)), [], [[1], [[]]], {}, {1: "a", (2, 3): [4], None: {}}, {"i": 1}, {"r": 0}, set(), {1, (2, "x")},
    frozenset({1}), 1 + 2j, bytearray(b"ab"), range(1, 9, 2), collections.deque([1, 2], 5), decimal.Decimal("1.10"),
    fractions.Fraction(1, 3), datetime.date(2024, 1, 2), datetime.time(3, 4), datetime.timedelta(-1, 5, 6),
    datetime.datetime(2024, 1, 2, 3, 4, 5, 6, datetime.timezone.utc), math.inf, -math.inf,
]

def test_values_come_back_as_they_went(program):
    for value in VALUES:
        back = program["answer"].same(value)
        assert (back, type(back), repr(back)) == (value, type(value), repr(value)), repr(value)[:50]
    assert math.isnan(program["answer"].same(math.nan))
    assert program["answer"].same(10**5000) == 10**5000

def test_arguments(program):
    assert program["answer"].both(1, [2], a=(3,), b=None) == ((1, [2]), {"a": (3,), "b": None})

def test_a_constant(program):
    assert program.value("answer", "LIMIT") == {"most": (1, 2.5)}
    assert program["answer"].Tool.twice(4) == 8
    with raises(TypeError, "is not called"):
        program["answer"].LIMIT == 3

def test_in_place(program):
    xs = [3, 1, 2]
    assert program["answer"].sort_in_place(xs) is None and xs == [1, 2, 3]
    a, b = [1], [2]
    rows = [a, b]
    program["answer"].swap(rows)
    assert rows[0] is b and rows[1] is a
    assert program["answer"].push(rows, 7) is b and b == [2, 7]
    d, s, c = {}, {1}, bytearray()
    program["answer"].fill(d, s, c)
    assert (d, s, c) == ({"new": [1]}, {1, 3}, bytearray(b"\\xff"))
    xs = []
    with raises(ValueError):
        program["answer"].break_off(xs)
    assert xs == ["half"]
    xs = [1]
    xs.append(xs)
    assert program["answer"].same(xs) is xs

def test_errors_are_what_they_are(program):
    with raises(ZeroDivisionError, "division by zero"):
        program["answer"].fail("")
    with raises(SystemExit):
        program["answer"].fail("exit")
    with raises(TypeError, "missing 1 required positional argument"):
        program["answer"].fail()
    try:
        program["answer"].fail("missing")
    except KeyError as fault:
        assert (fault.args, fault.kind) == (("k",), "Missing")
    try:
        program["answer"].fail("file")
    except FileNotFoundError as fault:
        assert fault.errno == 2 or fault.errno == 13
    except PermissionError:
        pass
    try:
        program["answer"].fail("own")
    except ProgramError as fault:
        assert (str(fault), fault.kind) == ("Own: mine", "Own")
    else:
        assert False
    with raises(AttributeError):
        program["answer"].nothing()
    with raises(ModuleNotFoundError):
        program["nothing"].f()
    with raises(ProgramError, "gave back a value of type Row, which is no plain data"):
        program["answer"].row()
    with raises(TypeError, "a program cannot be given a value of type function"):
        program["answer"].same(lambda: 1)

def test_files_that_cannot_be_imported(program):
    with raises(SyntaxError):
        program["broken"].f()
    with raises(ZeroDivisionError):
        program["raising"].f()
    with raises((SyntaxError, ValueError)):
        program["zero"].f()
    assert program["answer"].same(1) == 1

def test_what_iterates(program):
    assert list(program["answer"].squares(4)) == [0, 1, 4, 9]
    assert next(program["answer"].squares(4)) == 0
    assert program["answer"].same({"a": 1}.keys()) == {"a"}
    assert sorted(program["answer"].same({"b": 1, "a": 2}.items())) == [("a", 2), ("b", 1)]
    assert list(program["answer"].same({"b": 1, "a": 2}.values())) == [1, 2]

def test_subclasses_are_what_they_hold(program):
    assert program["answer"].point() == (1, 2)
    assert program["answer"].counted("aab") == {"a": 2, "b": 1}
    assert program["answer"].red() == 1

def test_the_standard_library(program):
    answer = program["answer"]
    assert answer.fib(15) == 610 and answer.deep(500) == 500
    assert answer.threads(100) == 200 and answer.later() == "done"
    assert answer.sql() == (3,)
    assert answer.digest().startswith("ba7816bf")
    assert answer.day() == datetime.date(2024, 3, 1)
    assert answer.tokens("a, b") == ["a", "b"]
    assert answer.loud() == "quiet"

def test_modules_and_files(program):
    assert program["pkg.high"].top() == 42
    assert program["answer"].notes() == "grüße"
    assert program["json"].hides() == "the standard library"

def test_given_code(program):
    assert doubled(program["answer"].same(2)) == 4
"""


def run(files: dict[str, str], tests: str, given: str = "") -> TestReport:
    return asyncio.run(run_tests(files, tests, given=given))


def test_honest_programs_pass() -> None:
    report = run(FILES, TESTS, "def doubled(x): return 2 * x")
    assert report.fault is None
    assert report.failures == []
    assert report.passed
    assert report.share == 1
    assert len(report.results) == TESTS.count("\ndef test_")


def test_a_failure_says_what_fails_and_the_others_count() -> None:
    report = run(
        {"m.py": "def f(x): return x\nnot_called = 1"},
        "def test_told(program):\n    assert program['m'].f(1) == 2, 'one is not two'\n"
        "def test_untold(program):\n    x = program['m'].f(1)\n    assert x == 2\n"
        "def test_raises(program):\n    program['m'].g()\n"
        "def test_long(program):\n    assert False, program['m'].f('\\ud800' + 'x' * 999)\n"
        "def test_right(program):\n    assert program['m'].f(1) == 1\n"
        "def test_without_program():\n    pass\n"
        "def test_no_error(program):\n    with raises((KeyError, OSError)):\n        program['m'].f(1)\n"
        "def test_other_error(program):\n    with raises(AttributeError, 'colour'):\n        program['m'].g()\n"
        "def helper(): pass\n",
    )
    messages = [r.message for r in report.results]
    assert messages[:2] == ["one is not two", "fails: assert x == 2"]
    assert messages[2] == "AttributeError: module 'm' has no attribute 'g'"
    assert messages[3] == "?" + "x" * 299, "cut, and fit to be stored"
    assert messages[4] == ""
    assert messages[5].startswith("TypeError: test_without_program() takes 0 positional arguments")
    assert messages[6] == "did not raise KeyError or OSError"
    assert messages[7] == "AttributeError without 'colour': module 'm' has no attribute 'g'"
    assert report.share == 1 / 8
    assert not report.passed
    assert report.failures[0] == "test_told: one is not two"
    assert report.fault is None


def test_sets_come_in_the_same_order_each_time() -> None:
    """A result that hangs on the order of a set is the same for all, right or wrong."""
    words = [f"word{n}" for n in range(50)]
    tests = f"def test_order(program):\n    assert False, ' '.join(program['m'].f({words!r}))[:300]"
    first, second = (run({"m.py": "def f(words): return list(set(words))"}, tests) for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    ("tests", "given", "says"),
    [
        ("def test_f(:", "", "the tests do not parse: invalid syntax"),
        ("x = 1", "", "the tests hold no top-level function test_"),
        ("class A:\n    def test_f(self, program): pass", "", "no top-level function"),
        ("async def test_f(program): pass", "", r"would never run: test_f \(async"),
        ("def test_f(program): pass\n" * 2, "", "would never run: test_f"),
        ("def test_f(program): pass\nnothing", "", "cannot be executed: NameError: name 'nothing'"),
        ("def test_f(program): pass", "def g(:", "cannot be executed: SyntaxError"),
    ],
)
def test_tests_that_cannot_run_are_the_suites_fault(tests: str, given: str, says: str) -> None:
    with pytest.raises(CorpusError, match=says):
        run({"m.py": ""}, tests, given)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "no files"),
        ({"/etc/m.py": ""}, "must be relative"),
        ({"../m.py": ""}, "must be relative"),
        ({"a/../../m.py": ""}, "must be relative"),
        ({"a//m.py": ""}, "must be relative"),
        ({"~/m.py": ""}, "must be relative"),
        ({"": ""}, "must be relative"),
        ({"m\0.py": ""}, "must be relative"),
        ({"\ud800.py": ""}, "must be relative"),
        ({"a/" * 9 + "m.py": ""}, "must be relative"),
        ({"x" * 300 + ".py": ""}, "must be relative"),
        ({"m.so": ""}, "must end with one of .py"),
        ({"a.pth": ""}, "must end with one of .py"),
        ({"m": ""}, "must end with one of .py"),
        ({"a.py": "", "a.py/b.py": ""}, "lies below another file"),
        ({"m.py": "x = '\ud800'"}, "no Unicode text"),
        ({"m.py": "#" * 10_000_000}, "more than 1,000,000 bytes"),
        ({"a.py": "é" * 300_000, "b.py": "é" * 300_000}, "more than 1,000,000 bytes"),
        ({f"m{n}.py": "" for n in range(65)}, "65 files; at most 64"),
        ({"m.py": 3}, "must be text"),
    ],
)
def test_files_that_cannot_be_laid_out_fail_all_tests(files: dict[str, str], says: str) -> None:
    report = run(files, "def test_f(program): pass\ndef test_g(program): pass")
    assert says in str(report.fault)
    assert [(r.name, r.passed) for r in report.results] == [("test_f", False), ("test_g", False)]
    assert report.results[0].message == report.fault
