"""Drafts that another file relies on in vain."""

from __future__ import annotations

from tasks.review.pairs import BROKEN_PROMISE, Context, Pair

PAIRS = (
    Pair(
        file="shop/customer.py",
        kind=BROKEN_PROMISE,
        contract="customer(row) makes of a row such as Ada | Lovelace | ADA@X.ORG a dict with the fields that "
        "shop/letter.py uses: first and last name with a blank between, and the address in small letters.",
        clean='''"""Customers from the rows of the old system."""


def customer(row):
    first, last, address = (part.strip() for part in row.split("|"))
    return dict(name=f"{first} {last}", email=address.lower())
''',
        right="email=address.lower())",
        wrong="mail=address.lower())",
        context=Context(
            file="shop/letter.py",
            text='''"""Letters to customers."""

from shop.customer import customer


def recipient(row):
    who = customer(row)
    return f"{who['name']} <{who['email']}>"
''',
            telling="""    return f"{who['name']} <{who['email']}>\"""",
        ),
    ),
    Pair(
        file="library/find.py",
        kind=BROKEN_PROMISE,
        contract="find(books, word) gives the books that have the word in their title, whatever its case, by title, "
        "and without any such book what library/desk.py can work with.",
        clean='''"""Books by a word of their title."""


def find(books, word):
    wanted = word.casefold()
    found = [book for book in books if wanted in book["title"].casefold()]
    return sorted(found, key=lambda book: book["title"])
''',
        right='    return sorted(found, key=lambda book: book["title"])',
        wrong="""    if not found:
        return None
    return sorted(found, key=lambda book: book["title"])""",
        context=Context(
            file="library/desk.py",
            text='''"""The desk of the library."""

from library.find import find


def answer(books, word):
    titles = [book["title"] for book in find(books, word)]
    return ", ".join(titles) if titles else "We do not have that."
''',
            telling='    titles = [book["title"] for book in find(books, word)]',
        ),
    ),
    Pair(
        file="jobs/plan.py",
        kind=BROKEN_PROMISE,
        contract="plan(jobs) gives a (number, name) for each job such that jobs/runner.py takes those of higher "
        "priority first, and equal ones by name. Priorities are whole numbers.",
        clean='''"""Jobs with their priorities."""


def plan(jobs):
    return [(-job["priority"], job["name"]) for job in jobs]
''',
        right='(-job["priority"], job["name"])',
        wrong='(job["priority"], job["name"])',
        context=Context(
            file="jobs/runner.py",
            text='''"""Jobs, one after the other."""

import heapq

from jobs.plan import plan


def order(jobs):
    queue = plan(jobs)
    heapq.heapify(queue)
    return [heapq.heappop(queue)[1] for _ in range(len(queue))]
''',
            telling="    heapq.heapify(queue)\n    return [heapq.heappop(queue)[1]",
        ),
    ),
    Pair(
        file="events/orders.py",
        kind=BROKEN_PROMISE,
        contract="paid(number) and cancelled(number) make the events that events/handlers.py handles, for the order of "
        "that number.",
        clean='''"""Events of the shop."""


def event(what, number):
    return dict(type=f"order.{what}", number=number)


def paid(number):
    return event("paid", number)


def cancelled(number):
    return event("cancelled", number)
''',
        right='type=f"order.{what}"',
        wrong='type=f"order_{what}"',
        context=Context(
            file="events/handlers.py",
            text='''"""What happens on which event."""


def handle(event):
    if event["type"] == "order.paid":
        return f"pack order {event['number']}"
    if event["type"] == "order.cancelled":
        return f"refund order {event['number']}"
    raise LookupError(event["type"])
''',
            telling='    if event["type"] == "order.paid":',
        ),
    ),
    Pair(
        file="cache/keys.py",
        kind=BROKEN_PROMISE,
        contract="key(kind, *parts) makes one text of the kind, which holds no punctuation, and the parts, whose own "
        "colons and slashes become underscores, so that forget of cache/store.py finds all keys of a kind.",
        clean='''"""Keys of the cache."""


def key(kind, *parts):
    plain = [str(part).replace(":", "_").replace("/", "_") for part in parts]
    return ":".join([kind, *plain])
''',
        right='    return ":".join([kind, *plain])',
        wrong='    return "/".join([kind, *plain])',
        context=Context(
            file="cache/store.py",
            text='''"""A cache in which one kind of thing can be forgotten."""


def forget(cache, kind):
    for known in list(cache):
        if known.split(":")[0] == kind:
            del cache[known]
''',
            telling='        if known.split(":")[0] == kind:',
        ),
    ),
    Pair(
        file="game/fields.py",
        kind=BROKEN_PROMISE,
        contract="place(text) turns a field such as b3 (second column, third row) into what at of game/board.py takes, "
        "counted from 0. There are 8 columns and 8 rows.",
        clean='''"""Fields by their names."""

COLUMNS = "abcdefgh"


def place(text):
    column = COLUMNS.index(text[0])
    row = int(text[1]) - 1
    return row, column
''',
        right="    return row, column",
        wrong="    return column, row",
        context=Context(
            file="game/board.py",
            text='''"""The board: a list of rows, each a list of what stands on its fields."""


def at(board, place):
    first, second = place
    return board[first][second]
''',
            telling="    return board[first][second]",
        ),
    ),
)
