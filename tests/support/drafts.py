"""The drafts of the suite ``review`` at work: each with all that its contract promises, written from the contract."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from itertools import combinations_with_replacement, pairwise, product
from pathlib import Path
from types import ModuleType
from typing import Any

from tasks.review.pairs import Pair

Check = Callable[..., None]
CHECKS: dict[str, Check] = {}
"""File of a draft → what fails unless the module keeps its contract, given the module, that of the file beside it (or
None) and an empty folder."""


def contract(file: str) -> Callable[[Check], Check]:
    def register(check: Check) -> Check:
        CHECKS[file] = check
        return check

    return register


@contextmanager
def at_work(pair: Pair, defective: bool) -> Iterator[tuple[ModuleType, ModuleType | None]]:
    """A draft as a module, and the file beside it as another, each found by the other's imports."""
    texts = {pair.file: pair.text(defective)}
    if pair.context is not None:
        texts[pair.context.file] = pair.context.text
    names = {file: file.removesuffix(".py").replace("/", ".") for file in texts}
    package = pair.file.partition("/")[0]
    made = {name: ModuleType(name) for name in (package, *names.values())}
    before = {name: sys.modules.get(name) for name in made}
    sys.modules.update(made)
    try:
        for file in sorted(texts, key=lambda file: f"from {package}." in texts[file]):  # first what imports nothing
            exec(compile(texts[file], file, "exec"), made[names[file]].__dict__)
        beside = None if pair.context is None else made[names[pair.context.file]]
        yield made[names[pair.file]], beside
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


class Closing:
    """Something that must be closed."""

    def __init__(self, inside: Any) -> None:
        self.inside, self.closed = inside, 0

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.inside)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inside, name)

    def close(self) -> None:
        self.closed += 1
        if hasattr(self.inside, "close"):
            self.inside.close()


def raised(call: Callable[[], object], kind: type[BaseException]) -> bool:
    try:
        call()
    except kind:
        return True
    return False


class Boom(Exception):
    pass


def boom(*_: object) -> Any:
    raise Boom


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


# -- left open ---------------------------------------------------------------------------------------------------------


@contract("notes/words.py")
def _(m: Any, _c: Any, folder: Path) -> None:
    path = folder / "note"
    for text, count in (("", 0), ("one\n", 1), ("ein Ü \t b\n\nzwei\n", 4)):
        path.write_text(text, encoding="utf-8")
        opened: list[Closing] = []

        def spying(*given: Any, opened: list[Closing] = opened, **more: Any) -> Closing:
            opened.append(Closing(io.open(*given, **more)))  # noqa: SIM115, UP020
            return opened[-1]

        m.open = spying
        try:
            assert m.words(path) == count and m.minutes(path, 2) == count / 2
            assert [file.closed for file in opened] == [1, 1]
        finally:
            for file in opened:
                file.inside.close()


@contract("till/change.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    lock, till = threading.Lock(), {"cents": 100}

    def doubled(cents: int) -> int:
        assert lock.locked()
        return 2 * cents

    assert m.change(lock, till, doubled) == 200 == till["cents"] and not lock.locked()
    assert m.put_in(lock, till, 5) == 205 == till["cents"] and not lock.locked()
    assert raised(lambda: m.change(lock, till, boom), Boom)
    assert not lock.locked() and till == {"cents": 205}


@contract("store/customer.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    class Base:
        def __init__(self, find: Callable[[int], Any]) -> None:
            self.find, self.closed = find, 0

        def close(self) -> None:
            self.closed += 1

    for rows in ({7: {"name": "Ann"}}, {}):
        base = Base(rows.get)
        assert m.customer(lambda base=base: base, 7) == rows.get(7) and base.closed == 1
        assert m.name_of(lambda base=base: base, 7) == ("Ann" if rows else None) and base.closed == 2
    broken = Base(boom)
    assert raised(lambda: m.customer(lambda: broken, 7), Boom) and broken.closed == 1


@contract("press/packed.py")
def _(m: Any, _c: Any, folder: Path) -> None:
    m.tempfile = type("Here", (), {"mkdtemp": staticmethod(lambda: _scratch(folder))})
    assert m.packed(lambda path: Path(path).read_text(encoding="utf-8").upper(), "grün") == "GRÜN"
    assert not any(folder.iterdir())
    assert raised(lambda: m.packed(boom, "x"), Boom) and not any(folder.iterdir())


def _scratch(folder: Path) -> str:
    made = folder / "scratch"
    made.mkdir()
    return str(made)


@contract("pool/together.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    made: list[Any] = []

    class Pool:
        def __init__(self, workers: int) -> None:
            self.workers, self.ended = workers, False
            made.append(self)

        def map(self, call: Callable[[Any], Any], inputs: Any) -> Iterator[Any]:
            return map(call, inputs)

        def shutdown(self, *_: object, **__: object) -> None:
            self.ended = True

        def __enter__(self) -> Pool:
            return self

        def __exit__(self, *_: object) -> None:
            self.shutdown()

    m.ThreadPoolExecutor = Pool
    assert m.together(str.upper, ["b", "a"]) == ["B", "A"] and m.together(str.upper, [], workers=2) == []
    assert [(pool.workers, pool.ended) for pool in made] == [(4, True), (2, True)]


@contract("archive/squeeze.py")
def _(m: Any, _c: Any, folder: Path) -> None:
    real, opened = m.gzip, []

    def spying(*given: Any, **more: Any) -> Closing:
        opened.append(Closing(real.open(*given, **more)))
        return opened[-1]

    m.gzip = type("Spy", (), {"open": staticmethod(spying)})
    path = folder / "text"
    try:
        m.squeeze("Größe\r\n\n1", path)
        assert [file.closed for file in opened] == [1]
        assert real.decompress(path.read_bytes()) == "Größe\r\n\n1".encode()
        assert m.stretch(path) == "Größe\r\n\n1"
    finally:
        for file in opened:
            file.inside.close()


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


# -- what is shared ----------------------------------------------------------------------------------------------------


@contract("basket/add.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    own = ["pear"]
    assert m.add("fig", own) is own and own == ["pear", "fig"] and m.add("fig", []) == ["fig"]
    assert m.add("fig") == ["fig"] and m.add("plum") == ["plum"] and m.first(["a", "b"]) == [["a"], ["b"]]


@contract("roster/numbered.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    people = ["bob", "Ada", "Cy"]
    assert m.numbered(people) == ["1. Ada", "2. bob", "3. Cy"] and people == ["bob", "Ada", "Cy"]
    assert m.numbered([]) == []


@contract("settings/merged.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    defaults, own = {"a": 1, "b": 2}, {"b": 3, "a": None, "c": 0, "d": None}
    result = m.merged(defaults, own)
    assert result == {"a": 1, "b": 3, "c": 0} and result is not defaults and result is not own
    assert (defaults, own) == ({"a": 1, "b": 2}, {"b": 3, "a": None, "c": 0, "d": None})


@contract("matrix/grid.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    cells = m.grid(2, 3)
    assert cells == [[0, 0, 0], [0, 0, 0]] and m.grid(0, 3) == []
    assert m.mark(cells, 1, 2) is cells and cells == [[0, 0, 0], [0, 0, 1]]
    assert m.mark(cells, 1, 2) == [[0, 0, 0], [0, 0, 2]]


@contract("visitors/clicks.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    one, other = m.Clicks(), m.Clicks()
    for page in ("home", "shop", "home"):
        one.click(page)
    assert (one.count("home"), one.count("shop"), one.count("x"), one.last()) == (2, 1, 0, "home")
    assert (other.count("home"), other.last()) == (0, None)


@contract("makers/scalers.py")
def _(m: Any, _c: Any, _p: Path) -> None:
    assert [scale(10) for scale in m.scalers([1, 2, 0.5])] == [10, 20, 5] == m.scaled([1, 2, 0.5], 10)
    assert m.scalers([]) == []
