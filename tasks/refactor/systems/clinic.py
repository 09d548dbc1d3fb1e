"""A clinic's appointments: a time of the day for each, and who has been seen."""

from __future__ import annotations

from tasks.refactor.kinds import CLOCK
from tasks.refactor.system import Part, System
from tasks.refactor.systems.layers import FINISHING, STORE

_BACK = '''
"""The clinic's list of visits."""

from $PKG import store


def tidy(slip):
    """The number of a slip as it is kept: in lower case."""
    return slip.lower()


def start():
    store.load_old()


def visits():
    return store.rows()


#-
def enter(visit):
    store.put({"slip": tidy(visit["slip"]), "patient": visit["patient"]})
#+
def enter(visit):
    visit["slip"] = tidy(visit["slip"])
    visit["state"] = "$WAIT"
    if visit.get("$KEY") is None:
        visit["$KEY"] = None
    store.put(visit)


def delay(slip, n):
    visit = store.get(tidy(slip))
    value = visit["$KEY"]
    visit["$KEY"] = $PLUS
    store.put(visit)


def see(slip):
    visit = store.get(tidy(slip))
    if visit["state"] != "$WAIT":
        raise ValueError("has been seen")
    visit["state"] = "$DONE"
    store.put(visit)


def agenda():
    """Visits with a time, earliest first."""

    def minutes(visit):
        value = visit["$KEY"]
        return $NUMBER

    return sorted((visit for visit in store.rows() if visit["$KEY"] is not None), key=minutes)
#=
'''

_FRONT = '''
"""The clinic's reception."""

from $PKG import back


def heading():
    return "Reception"


def start():
    back.start()


#-
def enter(slip, patient):
    back.enter({"slip": slip, "patient": patient})


def visits():
    return [[visit["slip"], visit["patient"]] for visit in back.visits()]
#+
def _time(text):
    return $INTO


def _told(value):
    return $OUT


def enter(slip, patient, at=None):
    visit = {"slip": slip, "patient": patient}
    if at is not None:
        visit["$KEY"] = _time(at)
    back.enter(visit)


def visits():
    listed = []
    for visit in back.visits():
        at = visit["$KEY"]
        listed.append([visit["slip"], visit["patient"], at if at is None else _told(at)])
    return listed


def delay(slip, minutes):
    back.delay(slip, minutes)


def see(slip):
    back.see(slip)


def expected():
    return [visit["slip"] for visit in back.visits() if visit["state"] == "$WAIT"]


def agenda():
    return [f"{_told(visit['$KEY'])} {visit['patient']}" for visit in back.agenda()]
#=
'''

_AGENDA = """
def test_agenda(program):
    front, store = program["$PKG.front"], program["$PKG.store"]
    front.start()
    front.enter("$I2", "$P4", "$V3")
    store.put({**store.get("$I2"), "slip": "$I1", "patient": "$P3"})
    store.drop("$I2")
    front.enter("$I2", "$P4", "$V1")
    front.enter("$I3", "$P5")
    mine = [line for line in front.agenda() if line.split()[1] not in ("$P1", "$P2")]
    assert mine == ["$V1 $P4", "$V3 $P3"]
    assert len(front.agenda()) == 4 and "$FIRST $P1" in front.agenda()
"""

CLINIC = System(
    "clinic",
    "a clinic",
    "time of the visit",
    CLOCK,
    ("at", "time", "begins", "hour"),
    (("expected", "seen"), ("to come", "been here"), ("waiting", "treated"), ("planned", "done")),
    {
        "HEADING": "Reception",
        "RAW": "S9",
        "TIDY": "s9",
        "THING": "visit",
        "THINGS": "visits",
        "ID": "slip",
        "WHO": "patient",
        "ADD": "enter",
        "LIST": "visits",
        "MOVE": "delay",
        "FINISH": "see",
        "OPEN": "expected",
    },
    ("Amari", "Berg", "Chen", "Diaz", "Evans", "Farah"),
    "s",
    STORE,
    Part(
        "back.py",
        _BACK,
        "the rules. enter(visit) takes a visit as a dict from $PKG/front.py and gives $PKG/store.py a row with slip, "
        "patient, the time (None if the visit has none) and, under the key state, the word for expected. New: "
        "delay(slip, n) moves the time by n minutes; see(slip) sets the word for seen and raises ValueError unless the "
        "visit is expected; agenda() gives the rows that have a time, earliest first. tidy, start and visits stay.",
        FINISHING,
    ),
    Part(
        "front.py",
        _FRONT,
        "the reception; it takes and shows times as $PLAIN and talks to $PKG/back.py. enter(slip, patient, at=None) "
        "puts the time into the visit if there is one; visits() lists [slip, patient, time or None] for every row; "
        "new: delay(slip, minutes) and see(slip) call back.py; expected() lists the slips of the rows that have the "
        "word for expected; agenda() shows what back.py gives as a list of texts, each the time, a blank and the "
        "patient. heading and start stay.",
        _AGENDA,
    ),
)
