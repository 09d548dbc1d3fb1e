"""The terms that a report asks for: what each may mean, and in which unit each of its figures is written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """``written``: as notes write it, after the number; ``accepted``: other ways that an answer may write it."""

    written: str
    accepted: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.written, *self.accepted)


EUR = Unit("EUR", ("euro", "euros", "€"))
USD = Unit("USD", ("dollar", "dollars", "$", "US dollars"))
CHF = Unit("CHF", ("franc", "francs", "Swiss francs"))
PERCENT = Unit("percent", ("%", "per cent"))
PEOPLE = Unit("people", ("persons", "employees"))
TONNES = Unit("t", ("tonnes", "tons", "tonne"))
MWH = Unit("MWh")


@dataclass(frozen=True)
class Term:
    """``readings``: what it may mean, each with the unit of its figure; where there are several, the first is the one
    that seems natural. None of their names holds another. ``called``: other
    words by which a question names the term. ``kind``: of ambiguity, empty for a term with one reading. ``least``,
    ``most``: of its figures, in units of the last decimal place; ``decimals``: how many places there are."""

    name: str
    readings: tuple[tuple[str, Unit], ...]
    least: int
    most: int
    kind: str = ""
    called: tuple[str, ...] = ()
    decimals: int = 0


def _several(unit: Unit, *names: str) -> tuple[tuple[str, Unit], ...]:
    return tuple((name, unit) for name in names)


AMBIGUOUS: tuple[Term, ...] = (
    Term(
        "Q2 revenue",
        _several(EUR, "calendar quarter", "fiscal quarter", "rolling quarter"),
        310_000, 890_000, "period", ("Q2", "second quarter", "revenue"),
    ),
    Term("headcount", _several(PEOPLE, "own payroll", "whole site", "full-time posts"), 110, 890, "scope"),
    Term("maintenance spend", _several(EUR, "actual", "budget", "latest forecast"), 21_000, 96_000, "plan",
         ("maintenance",)),
    Term("sales", _several(EUR, "invoiced", "before rebates", "after returns"), 410_000, 980_000, "basis"),
    Term(
        "export value",
        (("euro books", EUR), ("dollar books", USD), ("franc books", CHF)),
        120_000, 690_000, "currency", ("exports",),
    ),
    Term("margin", _several(PERCENT, "gross", "operating", "after tax"), 61, 489, "basis", decimals=1),
    Term("half-year output", _several(TONNES, "calendar half", "fiscal half", "season half"), 2_100, 8_900, "period",
         ("output",)),
    Term("energy use", _several(MWH, "power alone", "power and gas", "all carriers"), 1_100, 7_900, "scope",
         ("energy",)),
    Term("investment", _several(EUR, "paid", "committed", "approved"), 52_000, 480_000, "plan", ("investments",)),
    Term("payroll cost", _several(EUR, "wages alone", "with social charges", "with agency staff"), 210_000, 790_000,
         "basis", ("payroll",)),
)  # fmt: skip
PLAIN: tuple[Term, ...] = (
    Term("days without accident", (("safety log", Unit("days", ("day",))),), 12, 290),
    Term("visitors", (("gate register", PEOPLE),), 140, 990),
    Term("water drawn", (("main meter", Unit("m3", ("cubic metres", "cubic meters"))),), 1_200, 9_800),
    Term("scrap", (("weighbridge slips", TONNES),), 14, 190),
    Term("training", (("attendance lists", Unit("hours", ("h", "hour"))),), 210, 980),
    Term("complaints", (("complaint file", Unit("complaints", ("complaint",))),), 11, 96),
    Term("solar yield", (("inverter log", MWH),), 110, 970),
    Term("parking", (("site plan", Unit("spaces", ("parking spaces", "places"))),), 24, 310),
)
# fmt: off
SITES = (
    "Ardal", "Brenning", "Corvale", "Dunmere", "Eskholt", "Fenwyck", "Garvik", "Holmby", "Isfeld", "Jorstad", "Kelbra",
)
# fmt: on
"""Of these each term is asked for at most once a sample."""
