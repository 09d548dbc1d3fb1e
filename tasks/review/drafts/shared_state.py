"""Drafts in which one thing changes that another one holds."""

from __future__ import annotations

from tasks.review.pairs import SHARED, Pair

PAIRS = (
    Pair(
        file="basket/add.py",
        kind=SHARED,
        contract="add(item, basket) puts the item at the end of the basket, a list, and gives the basket back; without "
        "a basket it starts a new one each time.",
        clean='''"""A basket of goods."""


def add(item, basket=None):
    basket = [] if basket is None else basket
    basket.append(item)
    return basket


def first(items):
    return [add(item) for item in items]
''',
        right="def add(item, basket=None):\n    basket = [] if basket is None else basket\n",
        wrong="def add(item, basket=[]):\n",
        also=("basket.append(item)",),
    ),
    Pair(
        file="roster/numbered.py",
        kind=SHARED,
        contract="numbered(people) numbers the names in a list from 1, in alphabetical order whatever their case, such "
        "as 1. Ada, and leaves the list as it was.",
        clean='''"""Names in order."""


def numbered(people):
    people = sorted(people, key=str.casefold)
    return [f"{n}. {name}" for n, name in enumerate(people, 1)]
''',
        right="    people = sorted(people, key=str.casefold)",
        wrong="    people.sort(key=str.casefold)",
    ),
    Pair(
        file="settings/merged.py",
        kind=SHARED,
        contract="merged(defaults, own) gives a new dict with the defaults and over them those of one's own settings "
        "that are not None, and changes neither.",
        clean='''"""Settings over defaults."""


def merged(defaults, own):
    result = dict(defaults)
    for name, value in own.items():
        if value is not None:
            result[name] = value
    return result
''',
        right="    result = dict(defaults)",
        wrong="    result = defaults",
        also=("result[name] = value",),
    ),
    Pair(
        file="matrix/grid.py",
        kind=SHARED,
        contract="grid(rows, columns) gives a list of rows lists with columns zeros each; mark(cells, row, column) "
        "adds 1 to one field of such a grid and to no other, and gives the grid back.",
        clean='''"""Grids of counts."""


def grid(rows, columns):
    return [[0] * columns for _ in range(rows)]


def mark(cells, row, column):
    cells[row][column] += 1
    return cells
''',
        right="[[0] * columns for _ in range(rows)]",
        wrong="[[0] * columns] * rows",
    ),
    Pair(
        file="visitors/clicks.py",
        kind=SHARED,
        contract="Clicks() keeps the pages that one visitor has clicked: click(page) adds one, count(page) says how "
        "often it was clicked, last() gives the latest page or None. Each visitor has an object of its own.",
        clean='''"""Clicks of visitors."""


class Clicks:
    def __init__(self):
        self.pages = []

    def click(self, page):
        self.pages.append(page)

    def count(self, page):
        return self.pages.count(page)

    def last(self):
        return self.pages[-1] if self.pages else None
''',
        right="    def __init__(self):\n        self.pages = []\n",
        wrong="    pages = []\n",
        also=("self.pages.append(page)",),
    ),
    Pair(
        file="makers/scalers.py",
        kind=SHARED,
        contract="scalers(factors) gives a function for each factor, in order, that multiplies its one argument by "
        "that factor.",
        clean='''"""Functions made to measure."""


def scalers(factors):
    made = []
    for factor in factors:
        made.append(lambda value, factor=factor: value * factor)
    return made


def scaled(factors, value):
    return [scale(value) for scale in scalers(factors)]
''',
        right="lambda value, factor=factor: value * factor",
        wrong="lambda value: value * factor",
    ),
)
