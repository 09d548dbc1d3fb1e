"""Drafts that count one too many or one too few."""

from __future__ import annotations

from tasks.review.pairs import OFF_BY_ONE, Pair

PAIRS = (
    Pair(
        file="archive/pages.py",
        kind=OFF_BY_ONE,
        contract="page(items, number, size) gives the items of one page as a list, pages counted from 1, and an empty "
        "list beyond the last; page_count(items, size) says how many pages there are. items is a list, number and size "
        "are at least 1.",
        clean='''"""A long list, page by page."""


def page_count(items, size):
    return (len(items) + size - 1) // size


def page(items, number, size):
    start = (number - 1) * size
    return items[start : start + size]


def pages(items, size):
    return [page(items, number, size) for number in range(1, page_count(items, size) + 1)]
''',
        right="    start = (number - 1) * size",
        wrong="    start = number * size",
    ),
    Pair(
        file="weather/smooth.py",
        kind=OFF_BY_ONE,
        contract="smooth(readings, width) gives the mean of every run of width neighbouring readings, in order, and "
        "nothing if there are fewer than width; jumps(readings) gives the difference of each reading from the one "
        "before. width is at least 1.",
        clean='''"""Readings of a day, smoothed."""


def smooth(readings, width):
    means = []
    for start in range(len(readings) - width + 1):
        window = readings[start : start + width]
        means.append(sum(window) / width)
    return means


def jumps(readings):
    return [now - before for before, now in zip(readings, readings[1:])]
''',
        right="range(len(readings) - width + 1)",
        wrong="range(len(readings) - width)",
    ),
    Pair(
        file="hostel/stay.py",
        kind=OFF_BY_ONE,
        contract="nights(arrival, departure) lists the date of every night: that of arrival, and no longer that of "
        "departure; price(arrival, departure, rate) asks rate for each of them, and for Saturdays half as much again. "
        "Both are datetime.date, and departure is later.",
        clean='''"""The nights of a stay and what they cost."""

from datetime import timedelta

SATURDAY = 5


def nights(arrival, departure):
    count = (departure - arrival).days
    return [arrival + timedelta(days=n) for n in range(count)]


def price(arrival, departure, rate):
    total = 0
    for night in nights(arrival, departure):
        total += rate * 1.5 if night.weekday() == SATURDAY else rate
    return total
''',
        right="for n in range(count)]",
        wrong="for n in range(count + 1)]",
        also=("count = (departure - arrival).days",),
    ),
    Pair(
        file="garden/fence.py",
        kind=OFF_BY_ONE,
        contract="posts(length, gap) counts the posts of a straight fence, one at each end and one every gap cm "
        "between; rails(length, gap, rows) counts rows rails for each field between two posts. length is a multiple of "
        "gap, both are whole numbers above 0.",
        clean='''"""What a straight fence is made of."""


def posts(length, gap):
    fields = length // gap
    return fields + 1


def rails(length, gap, rows):
    return rows * (length // gap)


def shopping_list(length, gap, rows):
    return f"{posts(length, gap)} posts, {rails(length, gap, rows)} rails"
''',
        right="    return fields + 1",
        wrong="    return fields",
        also=("fields = length // gap",),
    ),
    Pair(
        file="search/first.py",
        kind=OFF_BY_ONE,
        contract="first_at_least(values, wanted) gives the index of the first of the ascending values that is not "
        "below wanted, and len(values) if all are; contains(values, wanted) says whether wanted is one of them.",
        clean='''"""Search in sorted lists."""


def first_at_least(values, wanted):
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def contains(values, wanted):
    at = first_at_least(values, wanted)
    return at < len(values) and values[at] == wanted
''',
        right="    low, high = 0, len(values)\n",
        wrong="    low, high = 0, len(values) - 1\n",
    ),
    Pair(
        file="layout/fill.py",
        kind=OFF_BY_ONE,
        contract="fill(words, width) sets words, in order and with single blanks between, into as few lines as "
        "possible, none longer than width characters. No word is empty or longer than width.",
        clean='''"""Words set into lines."""


def fill(words, width):
    lines = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def paragraph(text, width):
    return "\\n".join(fill(text.split(), width))
''',
        right="+ len(word) <= width:",
        wrong="+ len(word) < width:",
    ),
)
