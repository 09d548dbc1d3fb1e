"""Drafts that hand over arguments in the wrong order."""

from __future__ import annotations

from tasks.review.pairs import SWAPPED, Context, Pair

PAIRS = (
    Pair(
        file="bank/pay.py",
        kind=SWAPPED,
        contract="pay(balances, customer, merchant, cents) takes cents from the customer's balance and adds them to "
        "the merchant's; it raises ValueError and moves nothing if the customer has less. Both have a balance, cents "
        "is above 0.",
        clean='''"""Money between accounts."""


def move(balances, giver, taker, cents):
    balances[giver] -= cents
    balances[taker] += cents


def pay(balances, customer, merchant, cents):
    if balances[customer] < cents:
        raise ValueError("not enough money")
    move(balances, customer, merchant, cents)
''',
        right="    move(balances, customer, merchant, cents)",
        wrong="    move(balances, merchant, customer, cents)",
    ),
    Pair(
        file="maps/region.py",
        kind=SWAPPED,
        contract="inside(region, latitude, longitude) says whether a place lies in a region or on its edge. A region "
        "is (south, west, north, east) in degrees and does not cross the date line.",
        clean='''"""Whether a place lies in a region."""


def between(value, low, high):
    return low <= value <= high


def inside(region, latitude, longitude):
    south, west, north, east = region
    return between(latitude, south, north) and between(longitude, west, east)
''',
        right="between(longitude, west, east)",
        wrong="between(longitude, east, west)",
    ),
    Pair(
        file="stock/growth.py",
        kind=SWAPPED,
        contract="report(years) gets (year, amount) pairs in order of years, amounts above 0, and gives a line such as "
        "2023: +4.0 % for each year after the first, with its change on the year before in percent.",
        clean='''"""How amounts grow."""


def change(before, after):
    return 100 * (after - before) / before


def report(years):
    lines = []
    for (_, last), (year, this) in zip(years, years[1:]):
        lines.append(f"{year}: {change(last, this):+.1f} %")
    return lines
''',
        right="{change(last, this):+.1f}",
        wrong="{change(this, last):+.1f}",
    ),
    Pair(
        file="clockwork/spoken.py",
        kind=SWAPPED,
        contract="spoken(seconds) gives a whole number of seconds, 0 or more, as hours, minutes below 60 and seconds "
        "below 60, all three always, such as 0 h 2 min 5 s.",
        clean='''"""Spans of time as people say them."""


def spoken(seconds):
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min {rest} s"


def until(now, then):
    return spoken(max(0, int(then - now)))
''',
        right="divmod(minutes, 60)",
        wrong="divmod(60, minutes)",
    ),
    Pair(
        file="letters/german.py",
        kind=SWAPPED,
        contract="german(amount) writes an amount with two decimals, a comma before them and a point between "
        "thousands, such as 1.234,50; with_currency(amount) adds a blank and EUR.",
        clean='''"""Amounts as Germans write them."""


def german(amount):
    whole, cents = f"{amount:,.2f}".split(".")
    return whole.replace(",", ".") + "," + cents


def with_currency(amount):
    return german(amount) + " EUR"
''',
        right='whole.replace(",", ".")',
        wrong='whole.replace(".", ",")',
    ),
    Pair(
        file="frames/bars.py",
        kind=SWAPPED,
        contract="bars(width, height) has frames/saw.py cut the bars for a picture of that size in mm with a border of "
        "40 mm on each side.",
        clean='''"""Orders for picture frames."""

from frames.saw import cut

BORDER = 40


def bars(width, height):
    wide, high = width + 2 * BORDER, height + 2 * BORDER
    return cut(high, wide)
''',
        right="    return cut(high, wide)",
        wrong="    return cut(wide, high)",
        context=Context(
            file="frames/saw.py",
            text='''"""The saw: bars cut to length, in mm."""


def cut(height, width):
    uprights = [("upright", height)] * 2
    return uprights + [("cross", width)] * 2
''',
            telling='def cut(height, width):\n    uprights = [("upright", height)] * 2',
        ),
    ),
)
