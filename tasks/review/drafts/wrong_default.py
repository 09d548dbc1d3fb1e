"""Drafts that do something else than promised when nothing is said."""

from __future__ import annotations

from tasks.review.pairs import WRONG_DEFAULT, Pair

PAIRS = (
    Pair(
        file="post/send.py",
        kind=WRONG_DEFAULT,
        contract="send(deliver, letter) calls deliver(letter) until it returns without ConnectionError, three times at "
        "most unless tries says otherwise (at least 1); it gives back what deliver returned and lets the last error "
        "through.",
        clean='''"""Letters sent with patience."""


def send(deliver, letter, tries=3):
    for left in range(tries - 1, -1, -1):
        try:
            return deliver(letter)
        except ConnectionError:
            if left == 0:
                raise


def send_all(deliver, letters):
    return [send(deliver, letter) for letter in letters]
''',
        right="tries=3):",
        wrong="tries=2):",
    ),
    Pair(
        file="survey/tally.py",
        kind=WRONG_DEFAULT,
        contract="tally(ballots) adds up the ballots by their choice, each with its weight; a ballot without a weight "
        "counts once. leader(ballots) gives the choice with the highest total, of equal ones the first by name, and "
        "None without ballots. Weights are above 0.",
        clean='''"""Votes counted by choice."""


def tally(ballots):
    totals = dict()
    for ballot in ballots:
        choice = ballot["choice"]
        totals[choice] = totals.get(choice, 0) + ballot.get("weight", 1)
    return totals


def leader(ballots):
    totals = tally(ballots)
    return min(totals, key=lambda choice: (-totals[choice], choice), default=None)
''',
        right='ballot.get("weight", 1)',
        wrong='ballot.get("weight", 0)',
    ),
    Pair(
        file="club/ranking.py",
        kind=WRONG_DEFAULT,
        contract="ranking(points) lists the names that are the keys of points, those with most points first, or last "
        "if best_first is False; equal ones stand by name, ascending, in either case. podium(points) lists the best "
        "three.",
        clean='''"""Who is ahead."""


def ranking(points, best_first=True):
    names = sorted(points)
    return sorted(names, key=points.get, reverse=best_first)


def podium(points):
    return ranking(points, best_first=True)[:3]
''',
        right="def ranking(points, best_first=True):",
        wrong="def ranking(points, best_first=False):",
    ),
    Pair(
        file="export/row.py",
        kind=WRONG_DEFAULT,
        contract="row(values) joins the values by semicolons, or by separator (one character) if one is given; a value "
        "that holds the separator or a quotation mark is put in quotation marks and its own ones are doubled. Values "
        "hold no line breaks.",
        clean="""'''Rows for the tables of the accountants.'''

QUOTE = '"'


def field(value, separator):
    text = str(value)
    if separator in text or QUOTE in text:
        return QUOTE + text.replace(QUOTE, 2 * QUOTE) + QUOTE
    return text


def row(values, separator=";"):
    return separator.join(field(value, separator) for value in values)
""",
        right='separator=";"):',
        wrong='separator=","):',
    ),
    Pair(
        file="alarm/level.py",
        kind=WRONG_DEFAULT,
        contract="level(sensor) gives the level of a kind of sensor, and high for a kind that is not listed; "
        "loudest(sensors) gives the highest level of several kinds, and low for none.",
        clean='''"""How loud an alarm is."""

ORDER = ["low", "medium", "high"]
LEVELS = dict(door="low", window="low", water="medium", smoke="high", gas="high")


def level(sensor):
    return LEVELS.get(sensor, "high")


def loudest(sensors):
    return max((level(sensor) for sensor in sensors), key=ORDER.index, default="low")
''',
        right='LEVELS.get(sensor, "high")',
        wrong='LEVELS.get(sensor, "low")',
    ),
    Pair(
        file="rights/may.py",
        kind=WRONG_DEFAULT,
        contract="may(role, action): owners may do everything, anybody else what RULES allows and nothing that is not "
        "listed there; allowed(role, actions) lists those actions that the role may do, in order.",
        clean='''"""Who may do what."""

RULES = {
    ("guest", "read"): True,
    ("editor", "read"): True,
    ("editor", "write"): True,
    ("editor", "delete"): False,
}


def may(role, action):
    if role == "owner":
        return True
    return RULES.get((role, action), False)


def allowed(role, actions):
    return [action for action in actions if may(role, action)]
''',
        right="(role, action), False)",
        wrong="(role, action), True)",
    ),
)
