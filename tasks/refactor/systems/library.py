"""A lending library: a day for each loan by which it has to be back."""

from __future__ import annotations

from tasks.refactor.kinds import DAY
from tasks.refactor.system import Part, System
from tasks.refactor.systems.layers import STORE

_BACK = '''
"""Rules of the library's loans."""
#+

$IMPORTS
#=

from $PKG import store

#+
CENTS_A_DAY = 20
#=


def tidy(shelfmark):
    """A shelfmark as it is kept: no blanks in it."""
    return shelfmark.replace(" ", "")


def start():
    store.load_old()


def loans():
    return store.rows()


#-
def lend(loan):
    store.put({"mark": tidy(loan["mark"]), "reader": loan["reader"]})
#+
def lend(loan):
    store.put({"mark": tidy(loan["mark"]), "reader": loan["reader"], "$KEY": loan.get("$KEY")})


def renew(mark, n):
    loan = store.get(tidy(mark))
    value = loan["$KEY"]
    loan["$KEY"] = $PLUS
    store.put(loan)


def _count(value):
    return $NUMBER


def fee(mark, back_on):
    """Cents for a loan that comes back on a day."""
    late = _count(back_on) - _count(store.get(tidy(mark))["$KEY"])
    return CENTS_A_DAY * max(0, late)
#=
'''

_FRONT = '''
"""The library's lending desk."""
#+

$IMPORTS
#=

from $PKG import back


def heading():
    return "Loans"


def start():
    back.start()


#-
def lend(mark, reader):
    back.lend({"mark": mark, "reader": reader})


def loans():
    return [[loan["mark"], loan["reader"]] for loan in back.loans()]
#+
def _kept(text):
    return $INTO


def _shown(value):
    return None if value is None else $OUT


def lend(mark, reader, until=None):
    loan = {"mark": mark, "reader": reader}
    if until is not None:
        loan["$KEY"] = _kept(until)
    back.lend(loan)


def loans():
    return [[loan["mark"], loan["reader"], _shown(loan["$KEY"])] for loan in back.loans()]


def renew(mark, days):
    back.renew(mark, days)


def fee(mark, back_on):
    return back.fee(mark, _kept(back_on))
#=
'''

_FEE = """
def test_fee(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    front.lend("$I1", "$P3", "$V2")
    store.put({**store.get("$I1"), "mark": "$I2"})
    assert front.fee("$I1", "$V2_MOVED") == 20 * $N
    assert front.fee("$I1", "$V1") == 0
    front.renew("$I1", $N)
    assert front.fee("$I1", "$V2_MOVED") == 0
    assert front.fee("$I2", "$V2_MOVED") == 20 * $N
    assert front.fee("$O1", "$FIRST_MOVED") == 20 * $N
"""

LIBRARY = System(
    "library",
    "a lending library",
    "day by which a loan has to be back",
    DAY,
    ("due", "until", "back_by", "return_day"),
    (),
    {
        "HEADING": "Loans",
        "RAW": "QA 76 9",
        "TIDY": "QA769",
        "THING": "loan",
        "THINGS": "loans",
        "ID": "mark",
        "WHO": "reader",
        "ADD": "lend",
        "LIST": "loans",
        "MOVE": "renew",
    },
    ("Abebe", "Costa", "Duda", "Fujita", "Grant", "Horvat"),
    "QA",
    STORE,
    Part(
        "back.py",
        _BACK,
        "the rules. lend(loan) takes a loan as a dict from $PKG/front.py and gives $PKG/store.py a row with mark, "
        "reader and the day by which it has to be back (None if the loan has none). New: renew(mark, n) moves that day "
        "by n days; fee(mark, back_on), with a day as front.py keeps it in loans, gives 20 cents for each day that "
        "back_on is later than that day, as a whole number of cents, or 0. tidy, start and loans stay.",
    ),
    Part(
        "front.py",
        _FRONT,
        "the desk; it takes and shows days as $PLAIN and talks to $PKG/back.py. lend(mark, reader, until=None) puts "
        "the day into the loan if there is one; loans() lists [mark, reader, day or None] for every row; new: "
        "renew(mark, days) calls back.py; fee(mark, back_on) asks back.py. heading and start stay.",
        _FEE,
    ),
)
