"""What a new field can hold, and the forms in which a program can keep it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from random import Random


@dataclass(frozen=True, slots=True)
class Form:
    """One way to keep a value. ``says``: how a person names it. ``into``: an expression that makes it of the plain text
    in ``text``; ``out``: the plain text of what is kept in ``value``; ``plus``: what is kept, ``n`` steps later;
    ``number``: a whole number to compare by. ``imports``: by what the expressions need, a line each."""

    says: str
    into: str
    out: str
    plus: str
    number: str
    imports: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """``plain``: how a front end takes and shows a value; ``draw``: four plain values, each above the one before;
    ``later``: a plain value so many steps later; ``rank``: a number to compare plain values by."""

    plain: str
    forms: tuple[Form, ...]
    draw: Callable[[Random], list[str]]
    later: Callable[[str, int], str]
    rank: Callable[[str], float]


def _days(rng: Random) -> list[str]:
    start = date(2024, 1, 1)
    return [(start + timedelta(days=n)).isoformat() for n in sorted(rng.sample(range(20, 300), 4))]


_DATE = ("from datetime import", "date")
_DELTA = ("from datetime import", "timedelta")

DAY = Kind(
    "text such as 2023-08-31",
    (
        Form(
            "as ISO text",
            "date.fromisoformat(text).isoformat()",
            "value",
            "(date.fromisoformat(value) + timedelta(days=n)).isoformat()",
            "date.fromisoformat(value).toordinal()",
            (_DATE, _DELTA),
        ),
        Form(
            "as a day number (date.toordinal)",
            "date.fromisoformat(text).toordinal()",
            "date.fromordinal(value).isoformat()",
            "value + n",
            "value",
            (_DATE,),
        ),
        Form(
            "as a list of year, month and day",
            "[int(piece) for piece in text.split('-')]",
            "date(*value).isoformat()",
            "list((date(*value) + timedelta(days=n)).timetuple()[:3])",
            "date(*value).toordinal()",
            (_DATE, _DELTA),
        ),
    ),
    _days,
    lambda text, n: (date.fromisoformat(text) + timedelta(days=n)).isoformat(),
    lambda text: date.fromisoformat(text).toordinal(),
)


def _hundredths(low: int, high: int) -> Callable[[Random], list[str]]:
    return lambda rng: [f"{n / 100:.2f}" for n in sorted(rng.sample(range(low, high), 4))]


def _decimal(whole: str, low: int, high: int) -> Kind:
    """A quantity with two decimals, moved by hundredths, which are called ``whole``."""
    return Kind(
        "text such as 7.05",
        (
            Form(
                "as decimal text",
                "f'{Decimal(text):.2f}'",
                "value",
                "f'{Decimal(value) + Decimal(n) / 100:.2f}'",
                "int(Decimal(value) * 100)",
                (("from decimal import", "Decimal"),),
            ),
            Form(
                f"as a whole number of {whole}",
                "int(Decimal(text) * 100)",
                "f'{value // 100}.{value % 100:02d}'",
                "value + n",
                "value",
                (("from decimal import", "Decimal"),),
            ),
        ),
        _hundredths(low, high),
        lambda text, n: f"{Decimal(text) + Decimal(n) / 100:.2f}",
        float,
    )


MONEY = _decimal("cents", 300, 9000)
LENGTH = _decimal("centimetres", 150, 1900)


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _minutes(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:])


CLOCK = Kind(
    "text such as 08:05",
    (
        Form(
            "as text HH:MM",
            "text[:5]",
            "value",
            "'{:02d}:{:02d}'.format(*divmod(int(value[:2]) * 60 + int(value[3:]) + n, 60))",
            "int(value[:2]) * 60 + int(value[3:])",
        ),
        Form(
            "as minutes since midnight",
            "int(text[:2]) * 60 + int(text[3:])",
            "'{:02d}:{:02d}'.format(*divmod(value, 60))",
            "value + n",
            "value",
        ),
    ),
    lambda rng: [_clock(n) for n in sorted(rng.sample(range(420, 1200), 4))],
    lambda text, n: _clock(_minutes(text) + n),
    _minutes,
)
