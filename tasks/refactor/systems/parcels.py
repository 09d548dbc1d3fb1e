"""A parcel desk: a promised day for each parcel, and which were handed over."""

from __future__ import annotations

from tasks.refactor.kinds import DAY
from tasks.refactor.system import Part, System
from tasks.refactor.systems.layers import FINISHING, STORE

_BACK = '''
"""Rules of the parcel desk, between the counter and the table."""
#+

$IMPORTS
#=

from $PKG import store


def tidy(number):
    """A parcel's number as it is kept."""
    return number.strip().upper()


def start():
    store.load_old()


def rows():
    return store.rows()


#-
def register(record):
    store.put({"number": tidy(record["number"]), "to": record["to"]})
#+
def register(record):
    row = {"number": tidy(record["number"]), "to": record["to"]}
    row.update({"$KEY": record.get("$KEY"), "state": "$WAIT"})
    store.put(row)


def postpone(number, n):
    row = store.get(tidy(number))
    value = row["$KEY"]
    row["$KEY"] = $PLUS
    store.put(row)


def hand_over(number):
    row = store.get(tidy(number))
    if row["state"] != "$WAIT":
        raise ValueError("this parcel does not wait")
    row["state"] = "$DONE"
    store.put(row)


def _rank(value):
    return $NUMBER


def late(limit):
    """Numbers of waiting parcels promised before a day."""
    waiting = [row for row in store.rows() if row["state"] == "$WAIT" and row["$KEY"] is not None]
    return [row["number"] for row in waiting if _rank(row["$KEY"]) < _rank(limit)]
#=
'''

_FRONT = '''
"""The counter of the parcel desk."""
#+

$IMPORTS
#=

from $PKG import back


def heading():
    return "Parcel desk"


def start():
    """Opens the desk with the parcels from before."""
    back.start()


#-
def add_parcel(number, to):
    back.register({"number": number, "to": to})


def parcels():
    return [[row["number"], row["to"]] for row in back.rows()]
#+
def _kept(text):
    return $INTO


def _shown(value):
    return None if value is None else $OUT


def add_parcel(number, to, day=None):
    record = {"number": number, "to": to}
    if day is not None:
        record["$KEY"] = _kept(day)
    back.register(record)


def parcels():
    return [[row["number"], row["to"], _shown(row["$KEY"])] for row in back.rows()]


def postpone(number, days):
    back.postpone(number, days)


def hand_over(number):
    back.hand_over(number)


def waiting():
    return [row["number"] for row in back.rows() if row["state"] == "$WAIT"]


def late(day):
    return back.late(_kept(day))
#=
'''

_LATE = """
def test_late(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    front.add_parcel("$I1", "$P3", "$V2")
    store.put({**store.get("$I1"), "number": "$I2"})
    front.add_parcel("$I3", "$P3", "$V3")
    assert [n for n in front.late("$V3") if n in ("$I1", "$I2", "$I3")] == sorted(["$I1", "$I2"])
    assert [n for n in front.late("$V2") if n in ("$I1", "$I2", "$I3")] == []
    front.hand_over("$I2")
    assert [n for n in front.late("$V3") if n in ("$I1", "$I2", "$I3")] == ["$I1"]
"""

PARCELS = System(
    "parcels",
    "a parcel desk",
    "promised day",
    DAY,
    ("due_on", "promised", "deliver_by", "day"),
    (("waiting", "gone"), ("on hand", "handed over"), ("held", "out"), ("here", "collected")),
    {
        "HEADING": "Parcel desk",
        "RAW": " p7 ",
        "TIDY": "P7",
        "THING": "parcel",
        "THINGS": "parcels",
        "ID": "number",
        "WHO": "to",
        "ADD": "add_parcel",
        "LIST": "parcels",
        "MOVE": "postpone",
        "FINISH": "hand_over",
        "OPEN": "waiting",
    },
    ("Ito", "Moser", "Haddad", "Quist", "Varga", "Lund"),
    "P",
    STORE,
    Part(
        "back.py",
        _BACK,
        "the rules. register(record) takes a record as a dict from $PKG/front.py and gives $PKG/store.py a row with "
        "number, to, the promised day (None if the record has none) and, under the key state, the word for waiting. "
        "New: postpone(number, n) moves the promised day by n days; hand_over(number) sets the word for handed over "
        "and raises ValueError unless the parcel waits; late(limit), with a day as front.py keeps it in records, lists "
        "the numbers of waiting parcels promised before it, in the order of the table. tidy, start and rows stay.",
        FINISHING,
    ),
    Part(
        "front.py",
        _FRONT,
        "the counter; it takes and shows days as $PLAIN and talks to $PKG/back.py. add_parcel(number, to, day=None) "
        "puts the promised day into the record if there is one; parcels() lists [number, to, day or None] for every "
        "row; new: postpone(number, days) and hand_over(number) call back.py; waiting() lists the numbers of the rows "
        "that have the word for waiting; late(day) asks back.py. heading and start stay.",
        _LATE,
    ),
)
