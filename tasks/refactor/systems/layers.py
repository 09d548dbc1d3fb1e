"""What the systems have in common: a table of rows at the bottom, and tests of what every one of them promises.

Names: ``$THING`` and ``$THINGS`` (a parcel), ``$ID`` and ``$WHO`` (keys that rows have), ``$ADD``, ``$LIST``,
``$MOVE``, ``$FINISH`` and ``$OPEN`` (functions of the front end), ``$KEY`` (the new key), ``$WAIT`` and ``$DONE`` (the
words), ``$INTO``, ``$OUT``, ``$PLUS``, ``$NUMBER`` (expressions), ``$V1`` to ``$V3`` (plain values, rising), ``$FIRST``
(that of old rows).
"""

from __future__ import annotations

from tasks.refactor.system import Part

_TABLE = '''
"""The table of $THINGS."""
#+

$IMPORTS
#=

COLUMNS = ("$ID", "$WHO"$NEW_COLUMNS)
OLD = (("$O1", "$P1"), ("$O2", "$P2"))
_rows = {}


#+
def _first():
    """What the rows from before get."""
    text = "$FIRST"
    return $INTO


#=
def load_old():
    """Empties the table but for the rows from before."""
    _rows.clear()
    for one, who in OLD:
#-
        put({"$ID": one, "$WHO": who})
#+
        put({"$ID": one, "$WHO": who, "$KEY": _first()$WAITS})
#=


def put(row):
    """Adds or replaces a row; only the columns are kept."""
    _rows[row["$ID"]] = {name: row.get(name) for name in COLUMNS}


def get(one):
    return dict(_rows[one])


def rows():
    return [dict(_rows[one]) for one in sorted(_rows)]


def drop(one):
    del _rows[one]
'''

# Every test writes a row into the table past the front end, or takes one out, and looks whether the front end follows:
# a program that keeps values or states anywhere else than in the table's rows passes none.
_SHOWN = """
def test_kept_and_shown(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    front.$ADD("$I1", "$P3", "$V1")
    front.$ADD("$I2", "$P4")
    old = [["$O1", "$P1", "$FIRST"], ["$O2", "$P2", "$FIRST"]]
    store.put({**store.get("$I1"), "$ID": "$I3"})
    mine = [["$I1", "$P3", "$V1"], ["$I2", "$P4", None], ["$I3", "$P3", "$V1"]]
    assert sorted(front.$LIST()) == sorted([*old, *mine])


def test_the_table_is_what_counts(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    front.$ADD("$I1", "$P3", "$V2")
    front.$ADD("$I2", "$P4", "$V1")
    store.put({**store.get("$I1"), "$ID": "$I3"})
    store.drop("$I1")
    assert ["$I3", "$P3", "$V2"] in front.$LIST()
    assert ["$I2", "$P4", "$V1"] in front.$LIST()
    assert ["$O1", "$P1", "$FIRST"] in front.$LIST()
    assert "$I1" not in [one for one, _, _ in front.$LIST()]


def test_moved(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    front.$ADD("$I1", "$P3", "$V2")
    store.put({**store.get("$I1"), "$ID": "$I2"})
    front.$MOVE("$I2", $N)
    store.put({**store.get("$I2"), "$ID": "$I3"})
    front.$MOVE("$O2", $N)
    assert ["$I1", "$P3", "$V2"] in front.$LIST()
    assert ["$I2", "$P3", "$V2_MOVED"] in front.$LIST()
    assert ["$I3", "$P3", "$V2_MOVED"] in front.$LIST()
    assert ["$O2", "$P2", "$FIRST_MOVED"] in front.$LIST()
    assert ["$O1", "$P1", "$FIRST"] in front.$LIST()
"""

FINISHING = """
def test_finished(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    front.$ADD("$I1", "$P3")
    store.put({**store.get("$I1"), "$ID": "$I2"})
    front.$FINISH("$I1")
    store.put({**store.get("$I1"), "$ID": "$I3"})
    assert sorted(front.$OPEN()) == sorted(["$O1", "$O2", "$I2"])
    store.drop("$O2")
    assert sorted(front.$OPEN()) == sorted(["$O1", "$I2"])


def test_old_ones_finish_once(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    front.$FINISH("$O1")
    store.put({**store.get("$O1"), "$ID": "$I1"})
    assert front.$OPEN() == ["$O2"]
    for finished in ("$O1", "$I1"):
        with raises(ValueError):
            front.$FINISH(finished)
"""

STORE = Part(
    "store.py",
    _TABLE,
    "the table. Let a row also keep the $FIELD$STATE_TOO: add to COLUMNS and to the rows of load_old(), which get "
    "$FIRST$STATE_FIRST. put, get, rows and drop stay as they are. It is called by $PKG/back.py, with rows as dicts.",
    _SHOWN,
)

EXAMPLES = """
def test_heading(program):
    assert program["$PKG.front"].heading() == "$HEADING"


def test_tidy(program):
    assert program["$PKG.back"].tidy("$RAW") == "$TIDY"


def test_old_rows(program):
    store = program["$PKG.store"]
    store.load_old()
    assert [row["$ID"] for row in store.rows()] == ["$O1", "$O2"]
"""
