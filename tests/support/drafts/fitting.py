"""Drafts together with the file that uses them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from .contracts import contract, raised

# -- units and forms of another file -----------------------------------------------------------------------------------


@contract("depot/parcel.py")
def _(m: Any, postage: Any, _p: Path) -> None:
    assert m.weight([]) == 180 and m.weight([{"kg": 0.4, "count": 2}, {"kg": 0.005, "count": 1}]) == 985
    assert [postage.postage([{"kg": kg, "count": 1}]) for kg in (1.82, 1.821, 31.32)] == [549, 899, 899]
    assert raised(lambda: postage.postage([{"kg": 31.321, "count": 1}]), ValueError)


@contract("clinic/dose.py")
def _(m: Any, _pump: Any, _p: Path) -> None:
    assert m.start("Ann", 1.2, 70) == "Ann at 003500", "84 mg a day are 3.5 mg an hour"


@contract("trains/delay.py")
def _(m: Any, board: Any, _p: Path) -> None:
    due = datetime(2026, 5, 1, 23, 50)
    for seconds, minutes in ((0, 0), (59, 0), (60, 1), (1799, 29), (90_000, 1500), (-70, 0)):
        expected = due + timedelta(seconds=seconds)
        assert m.delay(due, expected) == minutes
        shown = f"ICE 7: about {minutes} min late" if minutes else "ICE 7"
        assert board.line({"name": "ICE 7", "due": due, "expected": expected}) == shown


@contract("sensor/reading.py")
def _(m: Any, frost: Any, _p: Path) -> None:
    assert (m.temperature(0), m.temperature(1600), m.temperature(-640)) == (32, 212, -40)
    assert [frost.frost(raw) for raw in (-1, 0, 1, 160)] == [True, True, False, False]


@contract("invoice/total.py")
def _(m: Any, paper: Any, _p: Path) -> None:
    for lines, shown in (
        ([], "0.00"),
        ([{"price": "12.50", "count": 3}, {"price": "0.05", "count": 1}], "37.55"),
        ([{"price": "0.005", "count": 1}], "0.01"),
        ([{"price": "0.005", "count": 3}, {"price": "0.0049", "count": 1}], "0.02"),
        ([{"price": "2.675", "count": 1}], "2.68"),
    ):
        assert paper.last_line(lines) == f"To pay: {shown} EUR"


@contract("forms/birthday.py")
def _(m: Any, register: Any, _p: Path) -> None:
    assert m.read("3. 11. 1990") == m.read("03.11.1990") == "1990-11-03" and m.read(" 31.1. 2001") == "2001-01-31"
    assert [register.age("3. 11. 1990", date(2026, 11, day)) for day in (2, 3)] == [35, 36]


# -- promises to another file ------------------------------------------------------------------------------------------


@contract("shop/customer.py")
def _(m: Any, letter: Any, _p: Path) -> None:
    assert letter.recipient("Ada | Lovelace | ADA@X.ORG") == "Ada Lovelace <ada@x.org>"
    assert letter.recipient("Ada|Lovelace|ada@x.org") == "Ada Lovelace <ada@x.org>"


@contract("library/find.py")
def _(m: Any, desk: Any, _p: Path) -> None:
    books = [{"title": title} for title in ("Red Roofs", "Old roofs", "Walls")]
    assert [book["title"] for book in m.find(books, "ROOF")] == ["Old roofs", "Red Roofs"]
    assert desk.answer(books, "roof") == "Old roofs, Red Roofs"
    assert desk.answer(books, "tower") == "We do not have that." == desk.answer([], "roof")


@contract("jobs/plan.py")
def _(m: Any, runner: Any, _p: Path) -> None:
    jobs = [{"name": n, "priority": p} for n, p in (("wash", 1), ("call", 5), ("bake", 5), ("rest", -2))]
    assert runner.order(jobs) == ["bake", "call", "wash", "rest"] and runner.order([]) == []


@contract("events/orders.py")
def _(m: Any, handlers: Any, _p: Path) -> None:
    assert handlers.handle(m.paid(7)) == "pack order 7" and handlers.handle(m.cancelled(8)) == "refund order 8"


@contract("cache/keys.py")
def _(m: Any, store: Any, _p: Path) -> None:
    keys = [m.key("page", 1), m.key("page", "a:b/c", 2), m.key("page"), m.key("pages", 1), m.key("user", "page")]
    cache = dict.fromkeys(keys)
    assert len(cache) == len(keys) and all(isinstance(key, str) for key in keys) and "a_b_c" in keys[1]
    store.forget(cache, "page")
    assert list(cache) == keys[3:]


@contract("game/fields.py")
def _(m: Any, board: Any, _p: Path) -> None:
    rows = [[f"{letter}{row}" for letter in "abcdefgh"] for row in range(1, 9)]
    assert all(board.at(rows, m.place(field)) == field for row in rows for field in row)
