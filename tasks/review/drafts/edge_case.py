"""Drafts that forget a case."""

from __future__ import annotations

from tasks.review.pairs import EDGE_CASE, Pair

PAIRS = (
    Pair(
        file="stats/summary.py",
        kind=EDGE_CASE,
        contract="mean(values) is that of a list of numbers, and spread(values) their mean squared distance from it; "
        "both are 0.0 for an empty list.",
        clean='''"""Figures about a list of numbers."""


def mean(values):
    if not values:
        return 0.0
    return sum(values) / len(values)


def spread(values):
    middle = mean(values)
    return mean([(value - middle) ** 2 for value in values])
''',
        right="    if not values:\n        return 0.0\n    return sum(values)",
        wrong="    return sum(values)",
        also=("return sum(values) / len(values)", "def mean(values):"),
    ),
    Pair(
        file="weather/dry.py",
        kind=EDGE_CASE,
        contract="longest(rain) gives the length of the longest run of days with 0 mm of rain, and 0 if there is none; "
        "rain lists the amounts day by day.",
        clean='''"""Dry spells."""


def longest(rain):
    best = run = 0
    for amount in rain:
        if amount == 0:
            run += 1
        else:
            best = max(best, run)
            run = 0
    return max(best, run)
''',
        right="    return max(best, run)",
        wrong="    return best",
        also=("best = max(best, run)",),
    ),
    Pair(
        file="dates/days.py",
        kind=EDGE_CASE,
        contract="days(year) gives the number of days of a year of the Gregorian calendar, and left(year, day) how "
        "many days of it follow on its day-th day, counted from 1.",
        clean='''"""Days of a year."""


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days(year):
    return 366 if is_leap(year) else 365


def left(year, day):
    return days(year) - day
''',
        right="(year % 100 != 0 or year % 400 == 0)",
        wrong="year % 100 != 0",
    ),
    Pair(
        file="names/initials.py",
        kind=EDGE_CASE,
        contract="initials(name) gives the first letter of each word in capitals, each with a full stop, such as A.L. "
        "for ada lovelace. Words are made of the letters a to z; around them stands any number of blanks.",
        clean='''"""Names made short."""


def initials(name):
    return "".join(word[0].upper() + "." for word in name.split())


def signature(name, date):
    return f"{initials(name)} {date}"
''',
        right="name.split())",
        wrong='name.split(" "))',
    ),
    Pair(
        file="lists/merge.py",
        kind=EDGE_CASE,
        contract="merge(left, right) makes one new ascending list of two ascending lists, with all that is in them, "
        "and leaves both as they are; merge_all(lists) does so for any number of lists.",
        clean='''"""Two sorted lists made one."""


def merge(left, right):
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def merge_all(lists):
    merged = []
    for one in lists:
        merged = merge(merged, one)
    return merged
''',
        right="    return merged + left[i:] + right[j:]",
        wrong="    return merged + left[i:]",
    ),
    Pair(
        file="releases/newer.py",
        kind=EDGE_CASE,
        contract="newer(one, other) says whether release one, such as 1.10.2, is newer than the other. Parts count as "
        "numbers, from the left, and parts that are missing at the end count as 0.",
        clean='''"""Which release is newer."""


def numbers(release):
    parts = [int(part) for part in release.split(".")]
    while parts and parts[-1] == 0:
        parts.pop()
    return parts


def newer(one, other):
    return numbers(one) > numbers(other)
''',
        right="    while parts and parts[-1] == 0:\n        parts.pop()\n    return parts",
        wrong="    return parts",
        also=(
            'parts = [int(part) for part in release.split(".")]',
            "return parts",
            "return numbers(one) > numbers(other)",
        ),
    ),
)
