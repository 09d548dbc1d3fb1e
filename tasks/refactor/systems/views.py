"""Further front ends, the same for every system: each reads the table's rows and shows them in a way of its own.

Before the change each knows only how many rows there are. Names as in ``tasks.refactor.systems.layers``.
"""

from __future__ import annotations

from tasks.refactor.system import Part

_HEAD = '''
"""{does}"""
#+

$IMPORTS
#=

from $PKG import store


def size():
    return len(store.rows())
#+


def _shown(value):
    return $OUT


def _number(value):
    return $NUMBER


def _kept(text):
    return $INTO


def _known():
    return [row for row in store.rows() if row["$KEY"] is not None]


{code}
#=
'''

_FILLED = """
def test_{name}(program):
    front, store, {name} = program["$PKG.front"], program["$PKG.store"], program["$PKG.{name}"]
    front.start()
    front.$ADD("$I4", "$P3", "$V3")
    store.put({{**store.get("$I4"), "$ID": "$I1"}})
    store.drop("$I4")
    front.$ADD("$I2", "$P4", "$V1")
    front.$ADD("$I3", "$P5")
    front.$MOVE("$I2", $N)
{checks}
"""

_NEW = (
    "size stays. It reads the rows of $PKG/store.py; the $FIELD in a row is as the other files keep it, and is shown "
    "as $PLAIN."
)


def _view(name: str, does: str, line: str, code: str, checks: str) -> Part:
    indented = "\n".join(f"    {check}" for check in checks.strip().split("\n"))
    return Part(
        f"{name}.py",
        _HEAD.format(does=does, code=code.strip()),
        f"{line} {_NEW}",
        _FILLED.format(name=name, checks=indented),
    )


VIEWS = (
    _view(
        "board",
        "A board on the wall.",
        "a board on the wall. New: lines() lists a text for each row that has the $FIELD, least first: it, a blank, "
        "and what stands under $ID.",
        """
def lines():
    return [f"{_shown(row['$KEY'])} {row['$ID']}" for row in sorted(_known(), key=lambda row: _number(row["$KEY"]))]
""",
        """
mine = [line for line in board.lines() if line.split(" ", 1)[1] in ("$I1", "$I2")]
assert sorted(mine) == sorted(["$V3 $I1", "$V1_MOVED $I2"])
assert "$FIRST $O1" in board.lines() and len(board.lines()) == 4
told = [line.split(" ", 1)[0] for line in board.lines()]
assert told == sorted(told, key=["$LEAST", "$MIDDLE", "$GREATEST"].index)
""",
    ),
    _view(
        "export",
        "A table for other programs.",
        "a table for other programs. New: table() gives a dict from what stands under $ID to the $FIELD, or to an "
        "empty text where a row has none.",
        """
def table():
    shown = {row["$ID"]: "" for row in store.rows()}
    shown.update((row["$ID"], _shown(row["$KEY"])) for row in _known())
    return shown
""",
        """
told = {"$O1": "$FIRST", "$O2": "$FIRST", "$I1": "$V3", "$I2": "$V1_MOVED", "$I3": ""}
assert export.table() == told
""",
    ),
    _view(
        "search",
        "A search.",
        "a search. New: having(text) lists what stands under $ID in the rows whose $FIELD is just that, in the order "
        "of the table.",
        """
def having(text):
    return [row["$ID"] for row in _known() if row["$KEY"] == _kept(text)]
""",
        """
assert search.having("$V1_MOVED") == ["$I2"]
assert search.having("$FIRST") == sorted(["$O1", "$O2"])
assert search.having("$V1") == []
""",
    ),
    _view(
        "peak",
        "Extremes.",
        "extremes. New: range_of() gives the least and the greatest $FIELD as a list of two texts.",
        """
def range_of():
    ranked = sorted((row["$KEY"] for row in _known()), key=_number)
    return [_shown(ranked[0]), _shown(ranked[-1])]
""",
        """
assert peak.range_of() == ["$LEAST", "$GREATEST"]
""",
    ),
    _view(
        "alarm",
        "A warning.",
        "a warning. New: up_to(text) lists what stands under $ID in the rows whose $FIELD is at most that, in the "
        "order of the table.",
        """
def up_to(text):
    return [row["$ID"] for row in _known() if _number(row["$KEY"]) <= _number(_kept(text))]
""",
        """
assert alarm.up_to("$GREATEST") == sorted(["$O1", "$O2", "$I1", "$I2"])
assert "$I2" in alarm.up_to("$V1_MOVED") and len(alarm.up_to("$LEAST")) < 3
""",
    ),
    _view(
        "gaps",
        "What is missing.",
        "what is missing. New: without() lists what stands under $ID in the rows that have no $FIELD; known() gives "
        "the $FIELD of all others, as a list in the order of the table.",
        """
def without():
    return [row["$ID"] for row in store.rows() if row["$KEY"] is None]


def known():
    return [_shown(row["$KEY"]) for row in _known()]
""",
        """
assert gaps.without() == ["$I3"]
assert sorted(gaps.known()) == sorted(["$FIRST", "$FIRST", "$V3", "$V1_MOVED"])
""",
    ),
    _view(
        "mail",
        "Letters.",
        "letters. New: letter(one) gives 'Dear $WHO NAME: VALUE' for the row with that under $ID, NAME being what "
        "stands under $WHO and VALUE its $FIELD, or 'unknown'.",
        """
def letter(one):
    row = store.get(one)
    told = "unknown" if row["$KEY"] is None else _shown(row["$KEY"])
    return f"Dear $WHO {row['$WHO']}: {told}"
""",
        """
assert mail.letter("$I2") == "Dear $WHO $P4: $V1_MOVED"
assert mail.letter("$I3") == "Dear $WHO $P5: unknown"
assert mail.letter("$O1") == "Dear $WHO $P1: $FIRST"
""",
    ),
    _view(
        "tally",
        "Counts.",
        "counts. New: split(text) gives a list of three whole numbers: rows whose $FIELD is less than that, equal to "
        "it, and greater.",
        """
def split(text):
    limit = _number(_kept(text))
    signs = [(_number(row["$KEY"]) > limit) - (_number(row["$KEY"]) < limit) for row in _known()]
    return [signs.count(-1), signs.count(0), signs.count(1)]
""",
        """
assert tally.split("$FIRST")[1] == 2 and tally.split("$V1_MOVED")[1] == 1
assert tally.split("$GREATEST")[2] == 0 and tally.split("$LEAST")[0] == 0
assert tally.split("$V1")[1] == 0 and sum(tally.split("$V1")) == 4
""",
    ),
    _view(
        "groups",
        "Groups of rows that are alike.",
        "groups. New: by_value() gives a dict from each $FIELD that there is to the sorted list of what stands under "
        "$ID in its rows.",
        """
def by_value():
    groups = {}
    for row in _known():
        groups.setdefault(_shown(row["$KEY"]), []).append(row["$ID"])
    return {value: sorted(found) for value, found in groups.items()}
""",
        """
told = {"$FIRST": sorted(["$O1", "$O2"]), "$V1_MOVED": ["$I2"], "$V3": ["$I1"]}
assert groups.by_value() == told
""",
    ),
)
"""In the order in which ``task.parts`` adds them."""
