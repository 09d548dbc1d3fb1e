"""Acceptance criteria that cannot all hold: found before anybody spends a token on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from harness.delegation.checks.conformity import fits
from harness.delegation.checks.consistency import CONSISTENCY, unit
from harness.delegation.checks.criterion import Criterion
from harness.delegation.checks.schemas import OBJECT, Layout, layout, types
from harness.delegation.checks.source import SOURCE
from harness.delegation.checks.values import cut, exact, is_number, key, shown

_BY_VALUE = {check.name: check for check in CONSISTENCY if not check.whole}
_BY_SPELLING = frozenset({"regex", "max_chars", "decimals"})
"""Checks that tell 1 from 1.00, which count as the same value."""
_SOURCE = frozenset(check.name for check in SOURCE)
_NEEDS_VALUE = frozenset({*_BY_VALUE, *_SOURCE, "sum", "coverage"})
_NEEDS_TEXT_OR_NUMBER = frozenset({"range", "decimals", "regex", "max_chars", "sum", "names_source", "quote_in_source"})
_TEXT_OR_NUMBER = frozenset({"string", "number", "integer"})


def contradictions(
    criteria: Sequence[Criterion],
    output_schema: Mapping[str, Any] | None,
    input_ref: Sequence[str] | None = None,
) -> list[str]:
    """One sentence for each contradiction found among criteria that ``parse`` made, the output schema and the material.

    What is reported is sound: no result with at least one entry and no null in the fields that are named can satisfy
    what the sentence names (one that is empty, or null all over, passes most checks and says nothing). It is not
    complete. Found are: counts, coverage and the schema's list bounds that leave no number of entries; per field,
    ranges, decimals, units and sums that differ; values asked for (``one_of``, ``coverage``) that another criterion or
    the schema refuses; fields that entries of the schema cannot have, or whose type cannot pass; and checks against the
    material where ``input_ref`` is given and empty.
    """
    there = layout(output_schema)
    found = [*_of_counts(criteria, there), *_of_pairs(criteria), *_of_values(criteria)]
    if there.kind != "unknown":
        found += _of_schema(criteria, there)
    if input_ref is not None and not input_ref:
        found += [f"{c} looks into the material, but input_ref names none." for c in criteria if c.check in _SOURCE]
    return list(dict.fromkeys(found))


def _of_counts(criteria: Sequence[Criterion], there: Layout) -> Iterator[str]:
    """Least and most entries, each with who says so."""
    least: list[tuple[Any, str]] = []
    most: list[tuple[Any, str]] = (
        [(1, "a result that is one entry by the output schema")] if there.kind == "one" else []
    )
    for criterion in criteria:
        if criterion.check == "count":
            given = criterion.parameters
            least += [(given["min"], str(criterion))] if "min" in given else []
            most += [(given["max"], str(criterion))] if "max" in given else []
    least += _covered(criteria)
    for bounds, keyword in ((least, "minItems"), (most, "maxItems")):
        if is_number(there.array.get(keyword)):
            bounds.append((there.array[keyword], f'"{keyword}": {there.array[keyword]} of the output schema'))
    if least and most:
        (low, asks), (high, allows) = max(least, key=_first), min(most, key=_first)
        if low > high:
            yield f"{asks} needs at least {low} entries, {allows} allows at most {high}."


def _first(bound: tuple[Any, str]) -> Any:
    return bound[0]


def _covered(criteria: Sequence[Criterion]) -> list[tuple[Any, str]]:
    """An entry covers one value of a field, so a field needs as many entries as there are values."""
    fields: dict[str | None, tuple[set[tuple[str, str]], list[str]]] = {}
    for criterion in criteria:
        if criterion.check == "coverage":
            values, names = fields.setdefault(criterion.parameters.get("field"), (set(), []))
            values.update(key(v) for v in criterion.parameters["values"])
            names.append(cut(str(criterion)))
    return [(len(values), " with ".join(names)) for values, names in fields.values()]


def _of_pairs(criteria: Sequence[Criterion]) -> Iterator[str]:
    """Two criteria of one check on one field."""
    for one, other in combinations(criteria, 2):
        a, b = one.parameters, other.parameters
        if one.check != other.check or a.get("field") != b.get("field"):
            continue
        if one.check == "range":
            apart = any("min" in x and "max" in y and exact(x["min"]) > exact(y["max"]) for x, y in ((a, b), (b, a)))
        elif one.check == "decimals":
            apart = a["decimals"] != b["decimals"]
        elif one.check == "unit":
            apart = unit(a["unit"]) != unit(b["unit"])
        elif one.check == "sum":
            apart = "value" in a and "value" in b and exact(a["value"]) != exact(b["value"])
        else:
            apart = False
        if apart:
            yield f"{one} and {other} cannot both hold."


def _of_values(criteria: Sequence[Criterion]) -> Iterator[str]:
    """Values that one criterion asks for and another refuses."""
    for one in criteria:
        if one.check not in ("one_of", "coverage"):
            continue
        field = one.parameters.get("field")
        for other in criteria:
            if other is one or other.check not in _BY_VALUE or other.parameters.get("field") != field:
                continue
            refused = [v for v in one.parameters["values"] if _refuses(other, field, v)]
            yield from _asked(one, refused, f"{cut(str(other))} refuses")


def _asked(one: Criterion, refused: Sequence[Any], by: str) -> Iterator[str]:
    """One value of a coverage that is refused is too much; of ``one_of``, all must be."""
    if refused and (one.check == "coverage" or len(refused) == len(one.parameters["values"])):
        yield f"{cut(str(one))} asks for {shown(refused[0])}, which {by}."


def _refuses(criterion: Criterion, field: str | None, value: Any) -> bool:
    """Whether no value that counts as the same can pass."""
    if criterion.check in _BY_SPELLING and _number_like(value):
        return False
    entry = value if field is None else {field: value}
    return bool(_BY_VALUE[criterion.check].errors(criterion.parameters, [entry], {}))


def _number_like(value: Any) -> bool:
    """Whether a number counts as the same as this value."""
    return _as_number(value) is not None


def _as_number(value: Any) -> int | float | None:
    """The number that counts as the same as a value."""
    if is_number(value):
        return value  # type: ignore[no-any-return]
    if not isinstance(value, str):
        return None
    try:
        number = float(value) if any(c in value for c in ".eE") else int(value)
    except ValueError:
        return None
    return number if key(number) == key(value) else None


def _of_schema(criteria: Sequence[Criterion], there: Layout) -> Iterator[str]:
    kinds = types(there.entry)
    fields = there.entry.get("properties", {})
    closed = there.entry.get("additionalProperties") is False
    for criterion in criteria:
        given = criterion.parameters
        named = [given[p] for p in ("field", "by") if p in given]
        if kinds is not None and "object" not in kinds and named:
            yield f'{criterion} names the field "{named[0]}", but entries of the output schema have no fields.'
            continue
        if kinds == OBJECT and "field" not in given and criterion.check in _NEEDS_VALUE:
            yield f'{criterion} names no field, but entries of the output schema are objects: add "field".'
            continue
        of_total = criterion.check == "sum" and "by" in given  # the last entry's own field is not added
        missing = [name for name in named[of_total:] if closed and name not in fields]
        if missing:
            yield f'{criterion} names the field "{missing[0]}", which the output schema does not allow.'
            continue
        looked_at = there.entry if "field" not in given else fields.get(given["field"])
        if isinstance(looked_at, Mapping) and not of_total:
            yield from _of_type(criterion, looked_at)


def _of_type(criterion: Criterion, schema: Mapping[str, Any]) -> Iterator[str]:
    """A criterion against the schema of the value it looks at."""
    kinds = types(schema)
    if kinds is not None and criterion.check == "unit" and "string" not in kinds:
        yield f'{criterion} needs a text with a unit, but the output schema asks for {_either(kinds)}: use "string".'
    if kinds is not None and criterion.check in _NEEDS_TEXT_OR_NUMBER and kinds.isdisjoint(_TEXT_OR_NUMBER):
        yield f"{criterion} needs a text or number, but the output schema asks for {_either(kinds)}."
    if criterion.check in ("one_of", "coverage") and "$ref" not in str(schema):
        refused = [v for v in criterion.parameters["values"] if not any(fits(s, schema) for s in _spellings(v))]
        yield from _asked(criterion, refused, "the output schema refuses")


def _either(kinds: frozenset[str]) -> str:
    return " or ".join(sorted(kinds))


def _spellings(value: Any) -> list[Any]:
    """What counts as the same value, as far as a schema can tell."""
    number = _as_number(value)
    return [value] if number is None else [number, key(number)[1]]
