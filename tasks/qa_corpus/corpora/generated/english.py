"""The English lexicon of the generator."""

from __future__ import annotations

from tasks.qa_corpus.corpora.generated.lexicon import Field, Kind, Lexicon, Values

_FIRST = (
    "Harbor Alder Summit Granite Willow Falcon Copper Meadow Juniper Beacon Orchid Canyon Maple Sterling Cedar Aurora "
    "Pioneer Quarry Saffron Tundra"
)
_SECOND = (
    "Lantern Bridge Anchor Mill River Crown Forge Field Stone Gate Peak Valley Spring Wharf Point Hollow Ridge Grove "
    "Bay Cross"
)
_TRADES = "Textiles Castings Polymers Logistics Ceramics Turbines Papers Instruments Foods Cables"
_PEOPLE = Values(
    texts=tuple(
        (name,)
        for name in (
            "Maria Keller",
            "Tom Okafor",
            "Anneke Visser",
            "Rui Santos",
            "Helen Baptiste",
            "Jonas Lindqvist",
            "Priya Raman",
            "David Orlov",
            "Claire Dumont",
            "Samuel Ortega",
        )
    )
)
_DATES = Values(
    texts=tuple(
        (f"{day} {month}", f"{month} {day}", f"{day:02d} {month}")
        for day, month in ((7, "March"), (19, "April"), (4, "May"), (23, "June"), (11, "September"), (28, "October"))
    )
)
_PLACES = Values(
    texts=tuple(
        (place, f"in {place}", f"in the {place}")
        for place in ("north hall", "pump house", "training room", "harbour office", "old foundry", "test bay")
    )
)
_EUR = ("EUR", "euro", "euros", "€")
_PERCENT = ("%", "percent", "per cent")
_TONNES = ("tonnes", "tonne", "t", "metric tons")

_CONTRACT = Kind(
    "supply contract",
    "contract",
    "Supply contract {year}, {company}",
    "Supply contract for the year {year} between the buyer named on the cover sheet and {company}.",
    (
        Field(
            "Payment",
            "what is the payment period?",
            "Invoices of {company} under the {year} supply contract are due within {value} of receipt.",
            "A draft of this clause named {value}; the draft was withdrawn before signing.",
            Values("15", "5", 18, "{n} days", ("days", "day", "calendar days")),
            "days",
        ),
        Field(
            "Delay",
            "what share of the order value is the penalty for each day of late delivery?",
            "For each day of late delivery in {year}, {company} shall pay {value} of the order value.",
            "Sector terms that the parties did not adopt set {value} instead.",
            Values("0.10", "0.05", 18, "{n} %", (*_PERCENT, "% per day", "% of the order value")),
            "percent",
        ),
        Field(
            "Warranty",
            "how long is the warranty period?",
            "The warranty that {company} gives on deliveries of {year} ends {value} after acceptance.",
            "The earlier framework agreement, now void, gave {value}.",
            Values("12", "3", 17, "{n} months", ("months", "month")),
            "months",
        ),
        Field(
            "Price",
            "what is the total contract price?",
            "The total price payable to {company} for {year} is {value}, without value added tax.",
            "The first offer, since replaced, came to {value}.",
            Values("118500", "13250", 60, "EUR {n}", _EUR),
            "euro",
        ),
    ),
    numbered=True,
)

_MINUTES = Kind(
    "management minutes",
    "minutes",
    "Management minutes {year}, {company}",
    "Minutes of the management meeting of {company}, {year}. Taken by hand, typed up later.",
    (
        Field(
            "Investment",
            "what budget was approved for the plant upgrade?",
            "Decided: for {year} {company} approves {value} for the plant upgrade.",
            "The works council had asked for {value}, which found no majority.",
            Values("42000", "7500", 60, "EUR {n}", _EUR),
            "euro",
        ),
        Field(
            "Supplier audit",
            "who is responsible for the supplier audit?",
            "The {year} supplier audit of {company} is the responsibility of {value}.",
            "{value} reported on last year's audit and has handed the task over.",
            _PEOPLE,
            "person",
        ),
        Field(
            "Audit report",
            "on which day and month must the audit report be ready?",
            "{company} must have the audit report of {year} ready by {value}.",
            "The previous date, {value}, could not be kept.",
            _DATES,
            "date",
        ),
        Field(
            "Next meeting",
            "where will the next meeting be held?",
            "The next meeting of {company} in {year} will be held in the {value}.",
            "The usual room, the {value}, is closed for repairs.",
            _PLACES,
            "place",
        ),
    ),
)

_REPORT = Kind(
    "quarterly report",
    "report",
    "Quarterly report {year}, {company}",
    "Quarterly figures of {company} for {year}. Plan and actual figures stand side by side.",
    (
        Field(
            "Output",
            "what was the actual output of the second quarter?",
            "| Q2 {year} | {company} | output, actual | {value} |",
            "| Q2 | plan of the year before | output, plan | {value} |",
            Values("1240", "185", 70, "{n} tonnes", _TONNES),
            "tonnes",
        ),
        Field(
            "Scrap",
            "what was the actual scrap rate of the third quarter?",
            "| Q3 {year} | {company} | scrap rate, actual | {value} |",
            "| Q3 | plan of the year before | scrap rate, plan | {value} |",
            Values("1.20", "0.15", 40, "{n} %", _PERCENT),
            "percent",
        ),
        Field(
            "Revenue",
            "what was the actual revenue of the fourth quarter?",
            "| Q4 {year} | {company} | revenue, actual | {value} |",
            "| Q4 | plan of the year before | revenue, plan | {value} |",
            Values("865000", "21500", 70, "EUR {n}", _EUR),
            "euro",
        ),
        Field(
            "Staff",
            "how many employees were there at the end of the year?",
            "| 31 Dec {year} | {company} | employees, actual | {value} |",
            "| 31 Dec | plan of the year before | employees, plan | {value} |",
            Values("140", "9", 60, "{n}", ("", "employees", "people", "staff")),
            "count",
        ),
    ),
)

_INSPECTION = Kind(
    "inspection report",
    "inspection",
    "Inspection report {year}, {company}",
    "Scanned form. Inspection on the premises of {company}, {year}. Handwritten notes are left out.",
    (
        Field(
            "Wall thickness",
            "what wall thickness was measured?",
            "Wall thickness measured at {company} in {year}: {value}.",
            "Drawing value before wear: {value}.",
            Values("4.25", "0.35", 40, "{n} mm", ("mm", "millimetres", "millimeters")),
            "mm",
        ),
        Field(
            "Pressure test",
            "which pressure was held in the pressure test?",
            "In the {year} pressure test the vessel of {company} held {value}.",
            "The safety valve opens at {value}.",
            Values("8.5", "0.5", 40, "{n} bar", ("bar",)),
            "bar",
        ),
        Field(
            "Inspector",
            "who carried out the inspection?",
            "The {year} inspection of {company} was carried out by {value}.",
            "Keys were handed out by {value} at the gate.",
            _PEOPLE,
            "person",
        ),
        Field(
            "Next inspection",
            "after how many months is the next inspection due?",
            "After the inspection of {year}, {company} is due again after {value}.",
            "Comparable vessels of the same maker: {value}.",
            Values("6", "2", 22, "{n} months", ("months", "month", "")),
            "months",
        ),
    ),
)

ENGLISH = Lexicon(
    names=(tuple(_FIRST.split()), tuple(_SECOND.split()), tuple(_TRADES.split())),
    joint=" ",
    form="{name} Ltd",
    branch=" Plant {n}",
    question="In the {year} {kind} of {company}, {ask}",
    kinds=(_CONTRACT, _MINUTES, _REPORT, _INSPECTION),
    filler=(
        (
            "Scope",
            (
                "The scope follows the list of items attached to this paper, as far as the list is legible.",
                "Items that are struck through on the original do not count.",
                "Where two copies differ, the copy with the round stamp is the valid one.",
                "Marginal notes were added after the fact and have no effect.",
            ),
        ),
        (
            "Confidentiality",
            (
                "Everyone present keeps what is said here to themselves unless the law requires otherwise.",
                "Copies go to the persons on the distribution list and to nobody else.",
                "Electronic copies are to be deleted when they are no longer needed.",
                "This also holds for sketches, samples and photographs.",
            ),
        ),
        (
            "Quality",
            (
                "Goods are checked on arrival for visible damage, number and labelling.",
                "Hidden faults are reported as soon as they come to light.",
                "The retained samples stay in the cabinet beside the laboratory.",
                "Calibration records are kept with the instruments they belong to.",
            ),
        ),
        (
            "Transport",
            (
                "Pallets go back empty with the next truck.",
                "Lashing straps remain the property of the carrier.",
                "Unloading takes place at the west ramp only; the east ramp is closed in winter.",
                "Drivers report at the gate and wear a vest on the yard.",
            ),
        ),
        (
            "Safety",
            (
                "Hot work needs a permit from the shift supervisor.",
                "Escape routes stay free at all times, also during deliveries.",
                "The first-aid box in the corridor was found incomplete and has been refilled.",
                "Visitors walk between the yellow lines.",
            ),
        ),
        (
            "Miscellaneous",
            (
                "The coffee machine on the second floor is to be replaced.",
                "Questions about the parking spaces were put off again.",
                "There were no further remarks from the floor.",
                "The file number on the cover is the one to quote in letters.",
            ),
        ),
    ),
    clause="{n}. {heading}",
    page="- page {n} -   (scan, poor original)",
    confusions={"l": "1", "O": "0", "o": "0", "e": "c", "m": "rn", "h": "b", "S": "5", "i": "l", "u": "ii"},
    gap=" ",
)
