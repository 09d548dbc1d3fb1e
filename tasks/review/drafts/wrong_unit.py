"""Drafts that give a number or a date in another unit or form than the file that uses it takes it in."""

from __future__ import annotations

from tasks.review.pairs import WRONG_UNIT, Context, Pair

PAIRS = (
    Pair(
        file="depot/parcel.py",
        kind=WRONG_UNIT,
        contract="weight(items) gives the weight of the items, each with its kg and count, and of the box (180 g) "
        "together, as depot/postage.py takes it, to the gram.",
        clean='''"""The weight of a parcel."""

BOX_KG = 0.18


def weight(items):
    kg = BOX_KG + sum(item["kg"] * item["count"] for item in items)
    return round(1000 * kg)
''',
        right="    return round(1000 * kg)",
        wrong="    return round(kg, 3)",
        also=('kg = BOX_KG + sum(item["kg"] * item["count"] for item in items)',),
        context=Context(
            file="depot/postage.py",
            text='''"""What a parcel costs by its weight."""

from depot.parcel import weight

MOST = 31_500


def postage(items):
    heavy = weight(items)
    if heavy > MOST:
        raise ValueError("too heavy for a parcel")
    return 549 if heavy <= 2_000 else 899
''',
            telling="    return 549 if heavy <= 2_000 else 899",
        ),
    ),
    Pair(
        file="clinic/dose.py",
        kind=WRONG_UNIT,
        contract="start(name, mg_per_kg_per_day, weight_kg) programs the pump of clinic/pump.py with the dose of the "
        "patient, rounded to a whole number of what the pump counts in.",
        clean='''"""Doses by body weight."""

from clinic.pump import program


def start(name, mg_per_kg_per_day, weight_kg):
    mg_per_hour = mg_per_kg_per_day * weight_kg / 24
    return program(name, round(1000 * mg_per_hour))
''',
        right="round(1000 * mg_per_hour)",
        wrong="round(mg_per_hour)",
        also=("mg_per_hour = mg_per_kg_per_day * weight_kg / 24",),
        context=Context(
            file="clinic/pump.py",
            text='''"""The infusion pump."""


def program(name, micrograms_per_hour):
    return f"{name} at {micrograms_per_hour:06}"
''',
            telling="def program(name, micrograms_per_hour):",
        ),
    ),
    Pair(
        file="trains/delay.py",
        kind=WRONG_UNIT,
        contract="delay(due, expected) says how late a train is, as trains/board.py shows it, rounded down, and 0 for "
        "one that is early. Both are datetime.datetime.",
        clean='''"""How late a train is."""


def delay(due, expected):
    seconds = (expected - due).total_seconds()
    return max(0, int(seconds // 60))
''',
        right="int(seconds // 60))",
        wrong="int(seconds))",
        context=Context(
            file="trains/board.py",
            text='''"""The board on the platform."""

from trains.delay import delay


def line(train):
    late = delay(train["due"], train["expected"])
    return f"{train['name']}: about {late} min late" if late else train["name"]
''',
            telling="""    return f"{train['name']}: about {late} min late" if late else""",
        ),
    ),
    Pair(
        file="sensor/reading.py",
        kind=WRONG_UNIT,
        contract="temperature(raw) turns a raw number, in steps of 0.0625 degrees Celsius, into what sensor/frost.py "
        "compares.",
        clean='''"""What the raw numbers of the sensor mean."""

STEP = 0.0625


def temperature(raw):
    celsius = raw * STEP
    return celsius * 9 / 5 + 32
''',
        right="    return celsius * 9 / 5 + 32",
        wrong="    return round(celsius, 4)",
        also=("celsius = raw * STEP",),
        context=Context(
            file="sensor/frost.py",
            text='''"""Frost alarm."""

from sensor.reading import temperature

FREEZING = 32.0


def frost(raw):
    return temperature(raw) <= FREEZING
''',
            telling="FREEZING = 32.0",
        ),
    ),
    Pair(
        file="invoice/total.py",
        kind=WRONG_UNIT,
        contract="total(lines) adds up price times count, the price being a text such as 12.505 in euros and the "
        "count a whole number, neither below 0, to the amount that invoice/paper.py prints; half a cent is rounded up.",
        clean='''"""What an invoice comes to."""

from decimal import ROUND_HALF_UP, Decimal


def total(lines):
    euros = sum((Decimal(line["price"]) * line["count"] for line in lines), Decimal(0))
    return int((100 * euros).quantize(Decimal("1"), ROUND_HALF_UP))
''',
        right='    return int((100 * euros).quantize(Decimal("1"), ROUND_HALF_UP))',
        wrong='    return euros.quantize(Decimal("0.01"), ROUND_HALF_UP)',
        context=Context(
            file="invoice/paper.py",
            text='''"""The invoice on paper."""

from invoice.total import total


def last_line(lines):
    amount = total(lines)
    return f"To pay: {amount // 100}.{amount % 100:02} EUR"
''',
            telling='    return f"To pay: {amount // 100}.{amount % 100:02} EUR"',
        ),
    ),
    Pair(
        file="forms/birthday.py",
        kind=WRONG_UNIT,
        contract="read(text) turns a birthday such as 3. 11. 1990 (day, month, year of four digits, blanks or none) "
        "into the text that forms/register.py takes.",
        clean='''"""Birthdays as people write them."""


def read(text):
    day, month, year = text.replace(" ", "").split(".")
    return f"{year}-{int(month):02}-{int(day):02}"
''',
        right='    return f"{year}-{int(month):02}-{int(day):02}"',
        wrong='    return f"{int(day):02}.{int(month):02}.{year}"',
        context=Context(
            file="forms/register.py",
            text='''"""The register of members."""

from datetime import date

from forms.birthday import read


def age(text, today):
    born = date.fromisoformat(read(text))
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))
''',
            telling="    born = date.fromisoformat(read(text))",
        ),
    ),
)
