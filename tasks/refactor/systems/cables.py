"""A store of cable on rolls: a length for each roll, and which are used up."""

from __future__ import annotations

from tasks.refactor.kinds import LENGTH
from tasks.refactor.system import Part, System
from tasks.refactor.systems.layers import FINISHING, STORE

_BACK = '''
"""What may be done with a roll."""
#+

$IMPORTS
#=

from $PKG import store


def tidy(roll):
    """A roll's name as it is kept."""
    return "-".join(roll.split())


def start():
    store.load_old()


def stock():
    return store.rows()


#-
def deliver(delivery):
    for roll in delivery:
        store.put({"roll": tidy(roll["roll"]), "colour": roll["colour"]})
#+
def deliver(delivery):
    for roll in delivery:
        row = {"roll": tidy(roll["roll"]), "colour": roll["colour"], "$KEY": None, "state": "$WAIT"}
        if "$KEY" in roll:
            row["$KEY"] = roll["$KEY"]
        store.put(row)


def splice(roll, n):
    row = store.get(roll)
    value = row["$KEY"]
    store.put(dict(row, **{"$KEY": $PLUS}))


def use_up(roll):
    row = store.get(roll)
    if row["state"] != "$WAIT":
        raise ValueError("there is nothing on it")
    store.put(dict(row, state="$DONE"))


def longest():
    """The roll with most on it, of those that are not used up."""
    usable = [row for row in store.rows() if row["state"] == "$WAIT" and row["$KEY"] is not None]
    lengths = {}
    for row in usable:
        value = row["$KEY"]
        lengths[row["roll"]] = $NUMBER
    return max(lengths, key=lengths.get)
#=
'''

_FRONT = '''
"""The hatch of the cable store."""
#+

$IMPORTS
#=

from $PKG import back


def heading():
    return "Cable"


def start():
    back.start()


#-
def deliver(roll, colour):
    back.deliver([{"roll": roll, "colour": colour}])


def rolls():
    return [[row["roll"], row["colour"]] for row in back.stock()]
#+
def deliver(roll, colour, length=None):
    entry = {"roll": roll, "colour": colour}
    if length is not None:
        entry["$KEY"] = _measured(length)
    back.deliver([entry])


def _measured(text):
    return $INTO


def _label(value):
    if value is None:
        return None
    return $OUT


def rolls():
    return [[row["roll"], row["colour"], _label(row["$KEY"])] for row in back.stock()]


def splice(roll, centimetres):
    back.splice(roll, centimetres)


def use_up(roll):
    back.use_up(roll)


def usable():
    return [row["roll"] for row in back.stock() if row["state"] == "$WAIT"]


def longest():
    name = back.longest()
    return next([row["roll"], _label(row["$KEY"])] for row in back.stock() if row["roll"] == name)
#=
'''

_LONGEST = """
def test_longest(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    for old in ("$O1", "$O2"):
        front.splice(old, 100)
    front.deliver("$I1", "$P3", "$LONG")
    front.deliver("$I2", "$P4")
    assert front.longest() == ["$I1", "$LONG"]
    front.use_up("$I2")
    store.put({**store.get("$I1"), "roll": "$I2"})
    store.drop("$I1")
    assert front.longest() == ["$I2", "$LONG"]
    front.use_up("$I2")
    assert front.longest()[1] == "$FIRST_PLUS_100"
"""

CABLES = System(
    "cables",
    "a store of cable",
    "length in metres",
    LENGTH,
    ("length", "metres", "left", "size"),
    (("usable", "used up"), ("full", "bare"), ("in stock", "finished"), ("good", "spent")),
    {
        "HEADING": "Cable",
        "RAW": "roll 3 b",
        "TIDY": "roll-3-b",
        "THING": "roll",
        "THINGS": "rolls",
        "ID": "roll",
        "WHO": "colour",
        "ADD": "deliver",
        "LIST": "rolls",
        "MOVE": "splice",
        "FINISH": "use_up",
        "OPEN": "usable",
        "LONG": "93.40",
    },
    ("red", "blue", "grey", "black", "green", "white"),
    "roll-",
    STORE,
    Part(
        "back.py",
        _BACK,
        "the rules. deliver(delivery) takes a list of dicts from $PKG/front.py, one a roll, and gives $PKG/store.py "
        "for each a row with roll, colour, the length (None if the dict has none) and, under the key state, the word "
        "for usable. New: splice(roll, n) makes the length n centimetres longer; use_up(roll) sets the word for used "
        "up and raises ValueError unless the roll is usable; longest() gives the name of the usable roll with the "
        "greatest length. tidy, start and stock stay.",
        FINISHING,
    ),
    Part(
        "front.py",
        _FRONT,
        "the hatch; it takes and shows lengths as $PLAIN and talks to $PKG/back.py. deliver(roll, colour, length=None) "
        "puts the length into the dict if there is one; rolls() lists [roll, colour, length or None] for every row; "
        "new: splice(roll, centimetres) and use_up(roll) call back.py; usable() lists the names of the rows that have "
        "the word for usable; longest() gives [roll, length] of the roll that back.py names. heading and start stay.",
        _LONGEST,
    ),
)
