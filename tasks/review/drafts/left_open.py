"""Drafts that do not give back what they take: files, locks, connections, folders, threads."""

from __future__ import annotations

from tasks.review.pairs import LEFT_OPEN, Pair

PAIRS = (
    Pair(
        file="notes/words.py",
        kind=LEFT_OPEN,
        contract="Note(path).words() counts the words of a file in UTF-8, as they stand between white space, and has "
        "closed the file when it returns, however long the Note lives.",
        clean='''"""How long notes are."""


class Note:
    def __init__(self, path):
        self.path = path

    def words(self):
        with open(self.path, encoding="utf-8") as file:
            return sum(len(line.split()) for line in file)

    def minutes(self, words_per_minute=200):
        return self.words() / words_per_minute
''',
        right="""        with open(self.path, encoding="utf-8") as file:
            return sum(len(line.split()) for line in file)
""",
        wrong="""        self.file = open(self.path, encoding="utf-8")
        return sum(len(line.split()) for line in self.file)
""",
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
        "unless workers says otherwise; its threads have ended when it returns, also if a call raises.",
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
        contract="squeeze(text, folder) writes the text in UTF-8 to a new gzip file in the folder, gives back its path "
        "and leaves nothing open; stretch(path) reads it back.",
        clean='''"""Texts, compressed."""

import gzip
import tempfile


def squeeze(text, folder):
    number, path = tempfile.mkstemp(dir=folder)
    with open(number, "wb") as raw, gzip.open(raw, "wb") as file:
        file.write(text.encode("utf-8"))
    return path


def stretch(path):
    with gzip.open(path, "rb") as file:
        return file.read().decode("utf-8")
''',
        right="""open(number, "wb") as raw, gzip.open(raw, "wb") as file:""",
        wrong="""gzip.open(path, "wb") as file:""",
        also=("number, path = tempfile.mkstemp(dir=folder)",),
    ),
)
