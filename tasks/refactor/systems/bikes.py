"""A workshop for bicycles: a quote for each, and which have gone back to their owners."""

from __future__ import annotations

from tasks.refactor.kinds import MONEY
from tasks.refactor.system import Part, System
from tasks.refactor.systems.layers import FINISHING, STORE

_BACK = '''
"""Jobs of the workshop."""
#+

$IMPORTS
#=

from $PKG import store


def tidy(ticket):
    """A ticket's number as it is kept: with a sign before it."""
    return ticket if ticket.startswith("#") else f"#{ticket}"


def start():
    store.load_old()


def jobs():
    return store.rows()


#-
def take_in(ticket, owner):
    store.put({"ticket": ticket, "owner": owner})
#+
def take_in(ticket, owner, more):
    store.put({"ticket": ticket, "owner": owner, "state": "$WAIT", "$KEY": more.get("$KEY")})


def extra(ticket, n):
    job = store.get(ticket)
    value = job.pop("$KEY")
    job["$KEY"] = $PLUS
    store.put(job)


def give_back(ticket):
    job = store.get(ticket)
    if job["state"] == "$DONE":
        raise ValueError("it has gone back")
    if job["state"] != "$WAIT":
        raise RuntimeError("a state that nobody knows")
    job["state"] = "$DONE"
    store.put(job)


def dear(limit):
    """Tickets with a quote above a limit."""
    return [job["ticket"] for job in store.rows() if job["$KEY"] is not None and _above(job["$KEY"], limit)]


def _above(one, other):
    return _number(one) > _number(other)


def _number(value):
    return $NUMBER
#=
'''

_FRONT = '''
"""The workshop's counter."""
#+

$IMPORTS
#=

from $PKG import back


def heading():
    return "Workshop"


def start():
    back.start()


#-
def take_in(ticket, owner):
    back.take_in(ticket, owner)


def bikes():
    return [[job["ticket"], job["owner"]] for job in back.jobs()]
#+
def _written(value):
    return $OUT


def _meant(text):
    return $INTO


def take_in(ticket, owner, quote=None):
    back.take_in(ticket, owner, {} if quote is None else {"$KEY": _meant(quote)})


def bikes():
    quotes = [job["$KEY"] for job in back.jobs()]
    shown = [None if quote is None else _written(quote) for quote in quotes]
    return [[job["ticket"], job["owner"], quote] for job, quote in zip(back.jobs(), shown)]


def extra(ticket, cents):
    back.extra(ticket, cents)


def give_back(ticket):
    back.give_back(ticket)


def in_shop():
    return [job["ticket"] for job in back.jobs() if job["state"] == "$WAIT"]


def dear(limit):
    return back.dear(_meant(limit))
#=
'''

_DEAR = """
def test_dear(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    front.take_in("$I1", "$P3", "$V1")
    front.take_in("$I2", "$P4", "$V3")
    front.take_in("$I3", "$P5")
    assert [t for t in front.dear("$V2") if t not in ("$O1", "$O2")] == ["$I2"]
    store.put({**store.get("$I2"), "ticket": "$I3"})
    store.drop("$I2")
    assert [t for t in front.dear("$V2") if t not in ("$O1", "$O2")] == ["$I3"]
    assert [t for t in front.dear("$V3") if t not in ("$O1", "$O2")] == []
    assert {"$O1", "$O2"} <= set(front.dear("0.01"))
"""

BIKES = System(
    "bikes",
    "a workshop for bicycles",
    "quote",
    MONEY,
    ("quote", "estimate", "cost", "offer"),
    (("in the shop", "given back"), ("open", "closed"), ("here", "gone"), ("on the stand", "with its owner")),
    {
        "HEADING": "Workshop",
        "RAW": "41",
        "TIDY": "#41",
        "THING": "bicycle",
        "THINGS": "bicycles",
        "ID": "ticket",
        "WHO": "owner",
        "ADD": "take_in",
        "LIST": "bikes",
        "MOVE": "extra",
        "FINISH": "give_back",
        "OPEN": "in_shop",
    },
    ("Kaya", "Lopes", "Mehta", "Novak", "Olsen", "Petit"),
    "#",
    STORE,
    Part(
        "back.py",
        _BACK,
        "the rules. take_in(ticket, owner, more) now also takes a dict from $PKG/front.py that holds the quote or is "
        "empty, and gives $PKG/store.py a row with ticket, owner, the quote (None if there is none) and, under the key "
        "state, the word for being in the shop. New: extra(ticket, n) raises the quote by n cents; give_back(ticket) "
        "sets the word for having gone back and raises ValueError unless the bicycle is in the shop; dear(limit), with "
        "a limit as front.py keeps quotes, lists the tickets with a quote above it. tidy, start and jobs stay.",
        FINISHING,
    ),
    Part(
        "front.py",
        _FRONT,
        "the counter; it takes and shows money as $PLAIN and talks to $PKG/back.py. take_in(ticket, owner, quote=None) "
        "passes the quote on in a dict, which is empty without one; bikes() lists [ticket, owner, quote or None] for "
        "every row; new: extra(ticket, cents) and give_back(ticket) call back.py; in_shop() lists the tickets of the "
        "rows that have the word for being in the shop; dear(limit) asks back.py. heading and start stay.",
        _DEAR,
    ),
)
