"""Checks within a result (003, section 2.3, second step): the entries against each other and against set bounds.

Where a field is named, every entry must have it: null, which says that something is not known, passes every check but
``coverage``; a field that is not there passes none. Without a field, the entry itself is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Context, Decimal
from typing import Any

from harness.delegation.checks.check import Check, Finder, Parameters, Sources
from harness.delegation.checks.number import MOST_DIGITS, Number, narrow, number
from harness.delegation.checks.parameters import whole
from harness.delegation.checks.pattern import MOST_TEXT, pattern
from harness.delegation.checks.values import Absent, Entry, cut, exact, is_number, key, shown, text_of
from harness.delegation.checks.words import entry_count, in_range, listed, of_field, total

_ADDING = Context(prec=3 * MOST_DIGITS)
_NAMED = 20
"""Missing values that are named one by one."""


def look(parameters: Parameters, entries: Sequence[Entry]) -> Iterator[tuple[Entry, Any]]:
    """Each entry with what is looked at in it."""
    field = parameters.get("field")
    for entry in entries:
        yield entry, entry.get(field)


def wrong(entry: Entry, parameters: Parameters, value: Any, fault: str) -> str:
    """An error about what is looked at in an entry."""
    field = parameters.get("field")
    return f"{entry}: {'' if field is None else f'{field} '}{shown(value)} {fault}"


def absent(entry: Entry, field: str) -> str:
    return f'{entry}: there is no field "{field}"'


def of_values(fault: Callable[[Any, Parameters], str | None]) -> Finder:
    """A check of one value after the other: ``fault`` says what is wrong with one that is not null."""

    def find(parameters: Parameters, entries: Sequence[Entry], _: Sources) -> Iterator[str]:
        for entry, value in look(parameters, entries):
            if value is Absent.ABSENT:
                yield absent(entry, parameters["field"])
            elif value is not None and (found := fault(value, parameters)) is not None:
                yield wrong(entry, parameters, value, found)

    return find


def _count(parameters: Parameters, entries: Sequence[Entry], _: Sources) -> Iterator[str]:
    least, most = parameters.get("min", 0), parameters.get("max")
    if len(entries) < least:
        yield f"entries: {len(entries):,}, at least {least:,} are asked for"
    if most is not None and len(entries) > most:
        yield f"entries: {len(entries):,}, at most {most:,} are asked for"


def _counts(parameters: Parameters) -> str | None:
    return whole("min", parameters.get("min")) or whole("max", parameters.get("max"))


def _required(value: Any, _: Parameters) -> str | None:
    return "is empty: give a value, or null if there is none" if isinstance(value, str) and not value.strip() else None


def _unique(parameters: Parameters, entries: Sequence[Entry], _: Sources) -> Iterator[str]:
    first: dict[tuple[str, str], Entry] = {}
    for entry, value in look(parameters, entries):
        if value is Absent.ABSENT:
            yield absent(entry, parameters["field"])
        elif value is not None and (before := first.setdefault(key(value), entry)) is not entry:
            yield wrong(entry, parameters, value, f"stands in entry {before.number} already")


def _range(value: Any, parameters: Parameters) -> str | None:
    least, most = parameters.get("min"), parameters.get("max")
    found = number(value)
    if found is None:
        return "is not one number"
    if least is not None and found.value < exact(least):
        return f"is below {least}"
    return f"is above {most}" if most is not None and found.value > exact(most) else None


def _decimals(value: Any, parameters: Parameters) -> str | None:
    found, places = number(value), int(parameters["decimals"])
    if found is None:
        return "is not one number"
    return None if found.decimals == places else f"has {found.decimals} decimal places, not {places}"


def unit(text: str) -> str:
    """A unit as it is compared: letter case counts (mW is not MW), width and white space do not."""
    return narrow(text)


def _unit(value: Any, parameters: Parameters) -> str | None:
    wanted = unit(parameters["unit"])
    if is_number(value):
        return f'carries no unit: write a text such as "{value} {wanted}"'
    found = number(value)
    if found is None:
        return f"is not one number with the unit {wanted}"
    return None if unit(found.unit) == wanted else f"does not carry the unit {wanted}"


def _regex(value: Any, parameters: Parameters) -> str | None:
    text = text_of(value)
    if text is None:
        return "is not a text"
    if len(text) > MOST_TEXT:
        return f"has {len(text):,} characters, too many to match a pattern: at most {MOST_TEXT:,}"
    return None if pattern(parameters["pattern"]).matches(text) else f"does not match {parameters['pattern']}"


def _one_of(parameters: Parameters, entries: Sequence[Entry], sources: Sources) -> Iterator[str]:
    right = {key(v) for v in parameters["values"]}
    listed = cut(", ".join(shown(v) for v in parameters["values"]))
    find = of_values(lambda value, _: None if key(value) in right else f"is none of {listed}")
    yield from find(parameters, entries, sources)


def _max_chars(value: Any, parameters: Parameters) -> str | None:
    text, most = text_of(value), parameters["max"]
    if text is None:
        return "is not a text"
    return None if len(text) <= most else f"has {len(text):,} characters, at most {most:,} are allowed"


def _coverage(parameters: Parameters, entries: Sequence[Entry], _: Sources) -> Iterator[str]:
    there = {key(value) for _, value in look(parameters, entries) if value is not Absent.ABSENT}
    missing = {key(v): v for v in parameters["values"] if key(v) not in there}
    field = parameters.get("field")
    where = "there is no entry" if field is None else f"no entry has the {field}"
    for value in list(missing.values())[:_NAMED]:
        yield f"{where} {shown(value)}: add one, with null for what is not known"
    if len(missing) > _NAMED:
        yield f"{len(missing) - _NAMED:,} more values have no entry"


def _sum(parameters: Parameters, entries: Sequence[Entry], _: Sources) -> Iterator[str]:
    """``value``: the field of all entries adds up to it. ``by``: the last entry is the total, and its field ``by`` is
    what the field of all entries before it adds up to. Nothing is known of a sum with a null in it: it passes."""
    by = parameters.get("by")
    if by is None:
        wanted: Number | None = Number(exact(parameters["value"]), "")
        parts, named = entries, "the value asked for"
    elif not entries:
        yield f'there is no last entry to hold the total in "{by}"'
        return
    else:
        last = entries[-1]
        total = last.get(by)
        if total is Absent.ABSENT:
            yield absent(last, by)
            return
        wanted = number(total)
        if wanted is None and total is not None:
            yield f"{last}: {by} {shown(total)} is not one number"
        parts, named = entries[:-1], f"the total in the last entry's {by}"
    found: list[Decimal] = []
    for entry, value in look(parameters, parts):
        one = number(value)
        if value is Absent.ABSENT:
            yield absent(entry, parameters["field"])
        elif one is not None:
            found.append(one.value)
        elif value is not None:
            yield wrong(entry, parameters, value, "is not one number")
    if wanted is None or len(found) < len(parts):
        return
    added = Decimal(0)
    for amount in found:
        added = _ADDING.add(added, amount)
    if added != wanted.value:
        field = parameters.get("field", "entries")
        yield f"the sum of {field} is {cut(str(added))}, {named} is {cut(str(wanted.value))}"


def _one_total(parameters: Parameters) -> str | None:
    return "give either value or by, not both." if {"value", "by"} <= parameters.keys() else None


CONSISTENCY: tuple[Check, ...] = (
    Check(
        "count",
        "consistency",
        "min..max entries",
        ("min", "max"),
        _count,
        entry_count,
        one_of=("min", "max"),
        rule=_counts,
        whole=True,
    ),
    Check(
        "required",
        "consistency",
        "there and not empty",
        ("field",),
        of_values(_required),
        of_field("be there and not empty (null is allowed)"),
        requires=("field",),
    ),
    Check("unique", "consistency", "no value twice", ("field",), _unique, of_field("not come twice"), whole=True),
    Check(
        "range",
        "consistency",
        "number in min..max",
        ("field", "min", "max"),
        of_values(_range),
        in_range,
        one_of=("min", "max"),
    ),
    Check(
        "decimals",
        "consistency",
        "places as written",
        ("field", "decimals"),
        of_values(_decimals),
        of_field("have exactly {decimals} decimal places"),
        requires=("decimals",),
    ),
    Check(
        "unit",
        "consistency",
        "text with unit",
        ("field", "unit"),
        of_values(_unit),
        of_field("carry the unit {unit}"),
        requires=("unit",),
    ),
    Check(
        "regex",
        "consistency",
        "whole text",
        ("field", "pattern"),
        of_values(_regex),
        of_field("match {pattern} as a whole"),
        requires=("pattern",),
    ),
    Check("one_of", "consistency", "values", ("field", "values"), _one_of, listed("be one of"), requires=("values",)),
    Check(
        "max_chars",
        "consistency",
        "max",
        ("field", "max"),
        of_values(_max_chars),
        of_field("have at most {max} characters"),
        requires=("max",),
        rule=_counts,
    ),
    Check(
        "coverage",
        "consistency",
        "an entry for each of values",
        ("field", "values"),
        _coverage,
        listed("have an entry for each of"),
        requires=("values",),
        whole=True,
    ),
    Check(
        "sum",
        "consistency",
        "value, or the last entry's by",
        ("field", "value", "by"),
        _sum,
        total,
        one_of=("value", "by"),
        rule=_one_total,
        whole=True,
    ),
)
