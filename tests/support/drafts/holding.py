"""Drafts that open and close, and that share or do not."""

from __future__ import annotations

import contextlib
import gzip
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .contracts import Boom, boom, contract, raised

# -- left open ---------------------------------------------------------------------------------------------------------


def _open_on(path: Path | str) -> list[int]:
    """The descriptors of this process that are open on a file, whatever object has them."""
    found = []
    for number in [int(entry.name) for entry in Path("/dev/fd").iterdir()]:
        with contextlib.suppress(OSError):  # that of the listing itself is gone
            if os.path.samestat(os.fstat(number), Path(path).stat()):
                found.append(number)
    return found


@contract("notes/words.py")
def _(m: Any, _c: Any, folder: Path) -> None:
    path = folder / "note"
    for text, count in (("", 0), ("one\n", 1), ("ein Ü \t b\n\nzwei\n", 4)):
        path.write_text(text, encoding="utf-8")
        note = m.Note(path)
        try:
            assert note.words() == count and _open_on(path) == []
            assert note.minutes(2) == count / 2 and _open_on(path) == []
        finally:
            for held in vars(note).values():
                if hasattr(held, "close"):
                    held.close()


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
    before, most = set(threading.enumerate()), []

    def doubled(number: int) -> int:
        most.append(len(set(threading.enumerate()) - before))
        return 2 * number

    assert m.together(doubled, range(50)) == [2 * n for n in range(50)] and max(most) <= 4
    assert m.together(str.upper, [], workers=2) == []
    try:
        m.together(boom, [1])
    except Boom:  # its traceback keeps what the draft holds: no thread ends of itself here
        assert set(threading.enumerate()) <= before
    else:
        raise AssertionError("it swallows what a call raises")


@contract("archive/squeeze.py")
def _(m: Any, _c: Any, folder: Path) -> None:
    path = m.squeeze("Größe\r\n\n1", folder)
    left = _open_on(path)
    for number in left:
        os.close(number)
    assert gzip.decompress(Path(path).read_bytes()) == "Größe\r\n\n1".encode()
    assert m.stretch(path) == "Größe\r\n\n1" and left == _open_on(path) == []
    assert m.squeeze("", folder) != path and len([*folder.iterdir()]) == 2


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
