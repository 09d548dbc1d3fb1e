"""A ferry: a fare for each booking, and who is aboard."""

from __future__ import annotations

from tasks.refactor.kinds import MONEY
from tasks.refactor.system import Part, System
from tasks.refactor.systems.layers import FINISHING, STORE

_BACK = '''
"""Bookings of the ferry."""
#+

$IMPORTS
#=

from $PKG import store


def tidy(code):
    """A booking's code as it is kept."""
    return code.strip()


def start():
    store.load_old()


def bookings():
    return store.rows()


#-
def book(booking):
    store.put({"code": tidy(booking["code"]), "name": booking["name"]})
#+
def book(booking):
    booking = {"$KEY": None, **booking, "state": "$WAIT"}
    store.put({**booking, "code": tidy(booking["code"])})


def surcharge(code, n):
    booking = store.get(tidy(code))
    value = booking["$KEY"]
    store.put({**booking, "$KEY": $PLUS})


def board(code):
    booking = store.get(tidy(code))
    if booking["state"] == "$WAIT":
        store.put({**booking, "state": "$DONE"})
    else:
        raise ValueError("nobody with this booking is ashore")


def _cents(value):
    return $NUMBER


def takings():
    """Whole cents of all fares."""
    return sum(_cents(row["$KEY"]) for row in store.rows() if row["$KEY"] is not None)
#=
'''

_FRONT = '''
"""The ferry's ticket window."""
#+

$IMPORTS
#=

from $PKG import back


def heading():
    return "Tickets"


def start():
    back.start()


#-
def book(code, name):
    back.book({"code": code, "name": name})


def bookings():
    return [[row["code"], row["name"]] for row in back.bookings()]
#+
def book(code, name, fare=None):
    booking = {"code": code, "name": name}
    if fare is not None:
        text = fare
        booking["$KEY"] = $INTO
    back.book(booking)


def bookings():
    listed = []
    for row in back.bookings():
        value = row["$KEY"]
        listed.append([row["code"], row["name"], None if value is None else $OUT])
    return listed


def surcharge(code, cents):
    back.surcharge(code, cents)


def board(code):
    back.board(code)


def ashore():
    return [row["code"] for row in back.bookings() if row["state"] == "$WAIT"]


def takings():
    cents = back.takings()
    return f"{cents // 100}.{cents % 100:02d}"
#=
'''

_TAKINGS = """
def test_takings(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    before = front.takings()
    front.book("$I1", "$P3", "$V1")
    front.book("$I2", "$P4")
    after = front.takings()
    front.surcharge("$I1", $N)
    assert round(100 * (float(after) - float(before))) == round(100 * float("$V1"))
    assert round(100 * (float(front.takings()) - float(after))) == $N
    assert round(100 * float(before)) == round(200 * float("$FIRST"))
    before = front.takings()
    store.put({**store.get("$O1"), "code": "$I3"})
    assert round(100 * (float(front.takings()) - float(before))) == round(100 * float("$FIRST"))
"""

FERRY = System(
    "ferry",
    "a ferry",
    "fare",
    MONEY,
    ("fare", "price", "to_pay", "amount"),
    (("ashore", "aboard"), ("booked", "boarded"), ("expected", "on deck"), ("open", "used")),
    {
        "HEADING": "Tickets",
        "RAW": " f12",
        "TIDY": "f12",
        "THING": "booking",
        "THINGS": "bookings",
        "ID": "code",
        "WHO": "name",
        "ADD": "book",
        "LIST": "bookings",
        "MOVE": "surcharge",
        "FINISH": "board",
        "OPEN": "ashore",
    },
    ("Nilsen", "Okafor", "Perera", "Rossi", "Sato", "Tran"),
    "f",
    STORE,
    Part(
        "back.py",
        _BACK,
        "the rules. book(booking) takes a booking as a dict from $PKG/front.py and gives $PKG/store.py a row with "
        "code, name, the fare (None if the booking has none) and, under the key state, the word for ashore. New: "
        "surcharge(code, n) raises the fare by n cents; board(code) sets the word for aboard and raises ValueError "
        "unless the booking is ashore; takings() gives the whole cents of all fares that there are. tidy, start and "
        "bookings stay.",
        FINISHING,
    ),
    Part(
        "front.py",
        _FRONT,
        "the window; it takes and shows money as $PLAIN and talks to $PKG/back.py. book(code, name, fare=None) puts "
        "the fare into the booking if there is one; bookings() lists [code, name, fare or None] for every row; new: "
        "surcharge(code, cents) and board(code) call back.py; ashore() lists the codes of the rows that have the word "
        "for ashore; takings() gives the sum of all fares as such text, made of the cents that back.py gives. heading "
        "and start stay.",
        _TAKINGS,
    ),
)
