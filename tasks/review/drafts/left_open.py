"""Drafts that do not give back what they take: files, locks, connections, folders, threads."""

from __future__ import annotations

from tasks.review.pairs import LEFT_OPEN, Pair

PAIRS = (
    Pair(
        file="notes/words.py",
        kind=LEFT_OPEN,
        contract="words(path) counts the words of a file in UTF-8, as they stand between white space, and has closed "
        "the file when it returns.",
        clean='''"""How long notes are."""


def words(path):
    total = 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            total += len(line.split())
    return total


def minutes(path, words_per_minute=200):
    return words(path) / words_per_minute
''',
        right="""    with open(path, encoding="utf-8") as file:
        for line in file:
            total += len(line.split())
""",
        wrong="""    file = open(path, encoding="utf-8")
    for line in file:
        total += len(line.split())
""",
        also=("return total",),
    ),
    Pair(
        file="till/change.py",
        kind=LEFT_OPEN,
        contract="change(lock, till, update) sets the till's cents to update(cents) while it holds the lock, gives "
        "back the new amount, and leaves the lock free, also if update raises.",
        clean='''"""A till that several threads use."""


def change(lock, till, update):
    with lock:
        amount = update(till["cents"])
        till["cents"] = amount
    return amount


def put_in(lock, till, cents):
    return change(lock, till, lambda before: before + cents)
''',
        right="""    with lock:
        amount = update(till["cents"])
        till["cents"] = amount
""",
        wrong="""    lock.acquire()
    amount = update(till["cents"])
    till["cents"] = amount
    lock.release()
""",
    ),
    Pair(
        file="store/customer.py",
        kind=LEFT_OPEN,
        contract="customer(connect, number) opens a connection with connect(), gives back what its find(number) "
        "returns, and closes the connection once in every case, also if find raises.",
        clean='''"""One customer from the data base."""


def customer(connect, number):
    connection = connect()
    try:
        return connection.find(number)
    finally:
        connection.close()


def name_of(connect, number):
    found = customer(connect, number)
    return None if found is None else found["name"]
''',
        right="""    try:
        return connection.find(number)
    finally:
        connection.close()
""",
        wrong="""    found = connection.find(number)
    connection.close()
    return found
""",
        also=("connection = connect()", "connection.close()"),
    ),
    Pair(
        file="press/packed.py",
        kind=LEFT_OPEN,
        contract="packed(pack, text) writes the text to a file in a new scratch folder, gives back pack(path of that "
        "file), and leaves no scratch folder behind, also if pack raises.",
        clean='''"""Work that needs a scratch folder."""

import os
import shutil
import tempfile


def packed(pack, text):
    folder = tempfile.mkdtemp()
    try:
        path = os.path.join(folder, "source")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return pack(path)
    finally:
        shutil.rmtree(folder)
''',
        right="        shutil.rmtree(folder)",
        wrong="        os.remove(path)",
        also=("folder = tempfile.mkdtemp()",),
    ),
    Pair(
        file="pool/together.py",
        kind=LEFT_OPEN,
        contract="together(call, inputs) gives call(input) for each of the inputs, in order, made by at most 4 threads "
        "unless workers says otherwise; its threads have ended when it returns.",
        clean='''"""Many slow calls at once."""

from concurrent.futures import ThreadPoolExecutor


def together(call, inputs, workers=4):
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(call, inputs))
''',
        right="""    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(call, inputs))
""",
        wrong="""    pool = ThreadPoolExecutor(workers)
    return list(pool.map(call, inputs))
""",
    ),
    Pair(
        file="archive/squeeze.py",
        kind=LEFT_OPEN,
        contract="squeeze(text, path) writes the text in UTF-8 to a gzip file, which is complete and closed when it "
        "returns; stretch(path) reads it back.",
        clean='''"""Texts, compressed."""

import gzip


def squeeze(text, path):
    with gzip.open(path, "wb") as file:
        file.write(text.encode("utf-8"))


def stretch(path):
    with gzip.open(path, "rb") as file:
        return file.read().decode("utf-8")
''',
        right="""    with gzip.open(path, "wb") as file:
        file.write(text.encode("utf-8"))
""",
        wrong="""    file = gzip.open(path, "wb")
    file.write(text.encode("utf-8"))
""",
    ),
)
