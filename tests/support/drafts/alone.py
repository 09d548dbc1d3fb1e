"""Drafts that count, default, pass on and look at cases: each judged by its contract alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from itertools import combinations_with_replacement, pairwise, product
from pathlib import Path
from typing import Any

from .contracts import Boom, boom, contract, raised

# -- off by one --------------------------------------------------------------------------------------------------------


@contract("archive/pages.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    for count, size in product(range(8), range(1, 5)):
        items = list(range(count))
        pages = m.page_count(items, size)
        assert pages == -(-count // size)
        shown = [m.page(items, n, size) for n in range(1, pages + 3)]
        assert [i for page in shown for i in page] == items and shown[pages:] == [[], []]
        assert all(0 < len(page) <= size for page in shown[:pages])
        assert m.pages(items, size) == shown[:pages]


@contract("weather/smooth.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    assert m.smooth([1, 3, 8], 2) == [2, 5.5] and m.smooth([1, 3, 8], 3) == [4] and m.smooth([4, 5], 1) == [4, 5]
    assert m.smooth([1, 3, 8], 4) == [] == m.smooth([], 1)
    assert m.jumps([1, 3, 2]) == [2, -1] and m.jumps([1]) == [] == m.jumps([])


@contract("hostel/stay.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    friday = date(2026, 5, 1)
    assert friday.strftime("%A") == "Friday"
    for nights in range(1, 9):
        leaving = friday + timedelta(nights)
        assert m.nights(friday, leaving) == [friday + timedelta(n) for n in range(nights)]
        saturdays = sum((friday + timedelta(n)).strftime("%A") == "Saturday" for n in range(nights))
        assert m.price(friday, leaving, 40) == 40 * nights + 20 * saturdays


@contract("garden/fence.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    for fields, gap, rows in product(range(1, 6), (1, 50, 200), range(4)):
        length = fields * gap
        assert m.posts(length, gap) == len(range(0, length + 1, gap))
        assert m.rails(length, gap, rows) == rows * fields
    assert m.shopping_list(600, 200, 2) == "4 posts, 6 rails"


@contract("search/first.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    for length in range(5):
        for values in combinations_with_replacement(range(4), length):
            for wanted in range(-1, 5):
                first = next((i for i, v in enumerate(values) if v >= wanted), len(values))
                assert m.first_at_least(list(values), wanted) == first
                assert m.contains(list(values), wanted) is (wanted in values)


@contract("layout/fill.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    for lengths in product((1, 2, 3), repeat=4):
        words = ["x" * n for n in lengths]
        for width in range(3, 13):
            lines = m.fill(words, width)
            assert " ".join(lines).split(" ") == words and all(len(line) <= width for line in lines)
            for line, following in pairwise(lines):
                assert len(line) + 1 + len(following.split(" ")[0]) > width, "as few lines as possible"
    assert m.fill([], 3) == [] and m.paragraph("a bc  d", 4) == "a bc\nd"


# -- defaults ----------------------------------------------------------------------------------------------------------


@contract("post/send.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    def failing(times: int) -> tuple[Callable[[str], str], list[str]]:
        seen: list[str] = []

        def deliver(letter: str) -> str:
            seen.append(letter)
            if len(seen) <= times:
                raise ConnectionError(len(seen))
            return f"got {letter}"

        return deliver, seen

    for tries, options in ((3, {}), (1, {"tries": 1}), (5, {"tries": 5})):
        for times in range(7):
            deliver, seen = failing(times)
            if times < tries:
                assert m.send(deliver, "a", **options) == "got a" and len(seen) == times + 1
            else:
                try:
                    m.send(deliver, "a", **options)
                except ConnectionError as last:
                    assert last.args == (tries,) and len(seen) == tries
                else:
                    raise AssertionError("the last error was lost")
    assert raised(lambda: m.send(boom, "a"), Boom)
    assert m.send_all(str.upper, ["a", "b"]) == ["A", "B"]


@contract("survey/tally.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    ballots = [{"choice": "b"}, {"choice": "a", "weight": 2}, {"choice": "b"}, {"choice": "c", "weight": 0.5}]
    assert m.tally(ballots) == {"b": 2, "a": 2, "c": 0.5} and m.tally([]) == {}
    assert m.leader(ballots) == "a" and m.leader(ballots[:1]) == "b" and m.leader([]) is None


@contract("club/ranking.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    points = {"Dora": 3, "Ann": 5, "Cy": 3, "Bob": 9}
    assert m.ranking(points) == ["Bob", "Ann", "Cy", "Dora"] and m.ranking({}) == []
    assert m.ranking(points, best_first=False) == m.ranking(points, False) == ["Cy", "Dora", "Ann", "Bob"]
    assert m.podium(points) == ["Bob", "Ann", "Cy"] and m.podium({"x": 1}) == ["x"]


@contract("export/row.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    assert m.row(["a", 1, 2.5, ""]) == "a;1;2.5;" and m.row([]) == "" and m.row(["a", 1], "|") == "a|1"
    assert m.row(["a;b", "c,d"]) == '"a;b";c,d' and m.row(["a;b", "c,d"], separator=",") == 'a;b,"c,d"'
    assert m.row(['say "x"', "y"]) == '"say ""x""";y'


@contract("alarm/level.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    assert {kind: m.level(kind) for kind in m.LEVELS} == m.LEVELS and m.level("frog") == "high"
    assert m.loudest(["door", "water"]) == "medium" and m.loudest(["smoke", "door"]) == "high"
    assert m.loudest(["door", "frog"]) == "high" and m.loudest([]) == "low" == m.loudest(["window"])


@contract("rights/may.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    listed = [("guest", "read"), ("editor", "read"), ("editor", "write")]
    for role, action in product(("guest", "editor", "stranger"), ("read", "write", "delete", "print")):
        assert m.may(role, action) is ((role, action) in listed)
    assert all(m.may("owner", action) for action in ("read", "delete", "print"))
    assert m.allowed("editor", ["delete", "write", "print", "read"]) == ["write", "read"]


# -- swapped arguments -------------------------------------------------------------------------------------------------


@contract("bank/pay.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    balances = {"ann": 50, "shop": 5}
    m.pay(balances, "ann", "shop", 20)
    m.pay(balances, "ann", "shop", 30)
    assert balances == {"ann": 0, "shop": 55}
    assert raised(lambda: m.pay(balances, "ann", "shop", 1), ValueError) and balances == {"ann": 0, "shop": 55}


@contract("maps/region.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    for latitude, longitude in product(range(8, 14), range(18, 34)):
        inside = latitude in (10, 11, 12) and longitude in range(20, 32)
        assert m.inside((10, 20, 12, 31), latitude, longitude) is inside
        assert m.inside((-12, -31, -10, -20), -latitude, -longitude) is inside


@contract("stock/growth.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    assert m.report([(2022, 200), (2023, 208), (2024, 156)]) == ["2023: +4.0 %", "2024: -25.0 %"]
    assert m.report([(2022, 200)]) == [] == m.report([])


@contract("clockwork/spoken.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    for hours, minutes, seconds in product((0, 1, 30), (0, 1, 59), (0, 1, 59)):
        assert m.spoken(hours * 3600 + minutes * 60 + seconds) == f"{hours} h {minutes} min {seconds} s"


@contract("letters/german.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    shown = {1234.5: "1.234,50", 0: "0,00", 999.999: "1.000,00", 12: "12,00", 1234567.89: "1.234.567,89", -5: "-5,00"}
    assert {amount: m.german(amount) for amount in shown} == shown and m.with_currency(12) == "12,00 EUR"


@contract("frames/bars.py")
def _(m: Any, saw: Any, _p: Path) -> None:
    assert m.bars(300, 200) == saw.cut(height=280, width=380)
    assert sorted(m.bars(300, 200)) == [("cross", 380), ("cross", 380), ("upright", 280), ("upright", 280)]


# -- cases that are forgotten ------------------------------------------------------------------------------------------


@contract("stats/summary.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    assert (m.mean([1, 2, 6]), m.spread([1, 2, 6])) == (3, 14 / 3) and (m.mean([4]), m.spread([4])) == (4, 0)
    assert m.mean([]) == 0.0 == m.spread([])


@contract("weather/dry.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    for length in range(7):
        for rain in product((0, 2.5), repeat=length):
            runs = "".join("." if amount == 0 else "r" for amount in rain).split("r")
            assert m.longest(list(rain)) == max(map(len, runs))


@contract("dates/days.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    for year in range(1583, 2401):
        days = (date(year + 1, 1, 1) - date(year, 1, 1)).days
        assert m.days(year) == days and m.left(year, 1) == days - 1 and m.left(year, days) == 0


@contract("names/initials.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    assert m.initials("ada lovelace") == m.initials("  ada   lovelace ") == "A.L."
    assert m.initials("cher") == "C." and m.initials("") == "" == m.initials("  ")
    assert m.signature("ada lovelace", "3 May") == "A.L. 3 May"


@contract("lists/merge.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    some = [list(v) for n in range(4) for v in combinations_with_replacement(range(3), n)]
    for left, right in product(some, repeat=2):
        before = (left[:], right[:])
        assert m.merge(left, right) == sorted(left + right) and (left, right) == before
    assert m.merge_all([[3], [1, 4], [], [2]]) == [1, 2, 3, 4] and m.merge_all([]) == []


@contract("releases/newer.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    order = ["0", "0.9", "1", "1.0.1", "1.2", "1.2.3", "1.10", "1.10.2", "2.0.0", "10"]
    for one, other in product(range(len(order)), repeat=2):
        for zeros in ("", ".0", ".0.0"):
            assert m.newer(order[one] + zeros, order[other]) is (one > other)
            assert m.newer(order[one], order[other] + zeros) is (one > other)
