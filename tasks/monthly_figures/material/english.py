"""The English lexicon of the monthly figures."""

from __future__ import annotations

from decimal import Decimal

from tasks.monthly_figures.material.lexicon import Lexicon, Sheet, Unit

_FIRST = "Amber Birch Cobalt Drift Ember Fern Gale Hazel Iron Jasper Kestrel Larch Marble North Otter Pine"
_SECOND = "Basin Creek Dale Estuary Fjord Glen Haven Inlet Junction Knoll Lagoon Meadow Narrows Oaks Pass Quay"
_TRADES = "Bearings Boilers Carpets Dairies Drills Fibres Glassware Hinges Lamps Motors Pumps Seeds Tiles Timber"
_MONTHS = "January February March April May June July August September October November December"
_PEOPLE = (
    "Ada Brandt, Bruno Leclerc, Carla Nowak, Dennis Achebe, Elif Demir, Farid Haddad, Greta Holm, Hugo Tavares, "
    "Ines Kovac, Jun Tanaka"
)

ENGLISH = Lexicon(
    names=(tuple(_FIRST.split()), tuple(_SECOND.split()), tuple(_TRADES.split())),
    joint=" ",
    form="{name} Ltd",
    branch=" Branch {n}",
    months=tuple(_MONTHS.split()),
    quarters=("first", "second", "third", "fourth"),
    units=(
        Unit("thousand USD", "{n} thousand USD", Decimal(1)),
        Unit("USD", "USD {n}", Decimal(1000)),
        Unit("million USD", "{n} million USD", Decimal("0.001")),
    ),
    ask='deals closed by {company} in {month} {year}, in {unit} with two decimals, or "missing" ({file})',
    title="{company}: papers on the business of {year}",
    states=(
        "Deals closed in {month} {year}: {amount}.",
        "The deals that we closed in {month} {year} come to {amount}.",
        "For {month} {year} the closing sheet shows deals of {amount}.",
        "{month} {year} is settled: we closed deals worth {amount}.",
        "Sales put the deals closed in {month} {year} on record with {amount}.",
    ),
    first=(
        "In {month} {year} we closed two deals; the first is worth {amount}.",
        "{month} {year} brought two closed deals, and the one with the old customer is worth {amount}.",
    ),
    second=(
        "The other deal that we closed in {month} {year} is worth {amount}.",
        "To the first deal closed in {month} {year} comes the other one, closed in the same month, with {amount}.",
    ),
    corrects=(
        "Correction: the deals closed in {month} {year} are {amount}, not {before}.",
        "The {before} given for the deals closed in {month} {year} were a typing error; {amount} is right.",
    ),
    gone=(
        "The closing sheet for {month} {year} is not in the folder, and nobody recalls the figure.",
        "Deals closed in {month} {year}: the figure is under a coffee stain and cannot be read.",
    ),
    decoys={
        "last": (
            "A year earlier, in {month} {last}, the deals closed were {amount}.",
            "From the old folder: closed in {month} {last}, {amount}.",
        ),
        "plan": (
            "The plan for {month} {year} asks for deals of {amount}.",
            "Budgeted for {month} {year}: {amount}.",
        ),
        "other": (
            "{other} is said to have closed {amount} in {month} {year}.",
            "For comparison, {other}, deals of {month} {year}: {amount}.",
        ),
        "paid": (
            "Payments that came in during {month} {year}: {amount}.",
            "The bank shows receipts of {amount} for {month} {year}.",
        ),
        "quoted": (
            "Quotations sent out in {month} {year} add up to {amount}, all still open.",
            "Still under negotiation at the end of {month} {year}: {amount}.",
        ),
        "quarter": (
            "The {quarter} quarter of {year} as a whole: {amount}.",
            "Total of the {quarter} quarter of {year}, all months together: {amount}.",
        ),
        "running": ("From January to {month} {year} everything together: {amount}.",),
    },
    caption="Deals of {company}, in {unit}. Columns: month, closed, planned, closed in {last}.",
    row="{month} {year}",
    torn="(torn)",
    sheets=(
        Sheet("Minutes, sales meeting", "Held in the {room}; {person} keeps the minutes."),
        Sheet("E-mail", "From: {person}\nTo: accounts\nDate: {n} {month} {year}\nSubject: Re: Re: figures"),
        Sheet("Note for the file", "Taken down by {person} after a call, {n} {month} {year}."),
        Sheet("Pasted from a sheet", "Columns went astray when {person} pasted this on {n} {month} {year}."),
        Sheet("Circular no. {n}", "To all departments, from {person}, {month} {year}."),
        Sheet("Scan of a letter", "Original in the {room}. Entered by {person}."),
    ),
    people=tuple(_PEOPLE.split(", ")),
    rooms=("green room", "annex", "boardroom", "archive", "canteen", "old porter's lodge"),
    filler=(
        "{person} will be away until the {n}th and leaves the keys with {other_person}.",
        "The heating in the {room} has failed again.",
        "Whoever took the ladder from the {room} is asked to bring it back.",
        "The van has done {n}00 kilometres since its last service.",
        "{person} points out that the forms are to be filled in with a black pen.",
        "Item {n} of the agenda was put off because {person} had to leave early.",
        "There was applause for the apprentices, who passed their test.",
        "The supplier of paper has changed its name, not its bank account.",
        "Please do not print this message unless you have to.",
        "{person} asked whether the {room} could be painted; no answer was given.",
        "The visitors from the chamber of commerce numbered {n} and stayed for lunch.",
        "A customer complained about late delivery and was sent a basket of fruit.",
        "The lift is inspected on the {n}th; please use the stairs.",
        "See also the other folder, which {person} keeps in the {room}.",
        "The figures in this file have been typed from handwriting, so spelling may be off.",
        "{person} and {other_person} disagree about the seating plan.",
        "The new telephone list has {n} entries and one of them is wrong.",
        "Somebody has to water the plants in the {room} during the holidays.",
        "It was agreed to agree on this at the next meeting.",
        "{person} thanks everybody who helped to carry the desks.",
        "The parcel for {other_person} is still at the gate.",
        "Page {n} of the annex is upside down in the original.",
        "The fire drill took {n} minutes, which is too long.",
        "A stapler was found in the {room}.",
        "The contract with the cleaners runs on as before.",
        "{person} has checked the stamps; {n} are left.",
        "The auditors were told that the archive is damp.",
        "Nothing further was said about the parking spaces.",
        "Sent from a telephone, please excuse mistakes.",
        "The second half of this paragraph has faded.",
    ),
    footer="- {company}, sheet {n} of {count} -",
    confusions={"l": "1", "O": "0", "o": "0", "e": "c", "m": "rn", "h": "b", "S": "5", "i": "l", "u": "ii"},
    gap=" ",
)
