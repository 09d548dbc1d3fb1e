"""Output schemas: what is accepted as one, its short form, and where it says that entries are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from harness.delegation.checks.conformity import place, shorter
from harness.delegation.checks.pattern import PatternRefused, pattern
from harness.delegation.checks.values import shown

MOST_SCHEMA_CHARS = 8_000
"""Characters of a schema as JSON: needed fields only (003, section 5.1)."""
MOST_SCHEMA_DEPTH = 30
MOST_SCHEMAS = 1_000
"""Schemas inside a schema, each counted as often as it is referred to."""

MOST_REFERENCES = 5
"""References that lead one to the next."""

TYPES = frozenset({"string", "number", "integer", "boolean", "null", "array", "object"})
ARRAY, OBJECT = frozenset({"array"}), frozenset({"object"})
_EACH = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})
_MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_ONE = frozenset(
    {
        "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems",
        "unevaluatedProperties",
    }
)  # fmt: skip
_OTHER = frozenset(
    {
        "type", "enum", "const", "required", "pattern", "format", "minimum", "maximum", "exclusiveMinimum",
        "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems",
        "minContains", "maxContains", "minProperties", "maxProperties", "dependentRequired", "title", "description",
        "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$ref",
    }
)  # fmt: skip
KEYWORDS = _EACH | _MANY | _ONE | _OTHER
_UNSUPPORTED = frozenset({"patternProperties", "dependencies", "additionalItems", "$anchor", "$dynamicRef", "nullable"})
_STRUCTURE = _EACH | _MANY | _UNSUPPORTED | {"items", "$ref"}
"""Keywords that only a schema in full has."""
_WORDS = frozenset({"title", "description", "format"})
_LABELS = frozenset({"$schema", "$id"})
_DEFS: Mapping[str, str] = MappingProxyType({"#/$defs/": "$defs", "#/definitions/": "definitions"})

Kind = Literal["list", "one", "unknown"]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a schema says that entries are. ``list``: the result is the list, or its ``member`` holds it; ``one``: the
    result itself is the only entry; ``unknown``: it does not say. ``array`` and ``entry``: the schemas of the list and
    of an entry, empty where not known."""

    kind: Kind
    member: str | None = None
    array: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    entry: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def depth(value: Any) -> int:
    """Levels of lists and objects inside each other; 0 for a text or number."""
    levels, layer = 0, [value]
    while layer := [v for v in layer if isinstance(v, Mapping | list | tuple)]:
        levels += 1
        layer = [inner for v in layer for inner in (v.values() if isinstance(v, Mapping) else v)]
    return levels


def types(schema: Any) -> frozenset[str] | None:
    """The types that a schema allows by its ``type``; None if it does not say."""
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    if isinstance(kind, str):
        return frozenset({kind})
    return frozenset(map(str, kind)) if isinstance(kind, list | tuple) else None


# -- the short form ----------------------------------------------------------------------------------------------------


def normalised(schema: Any) -> Any:
    """The JSON schema that is meant. Never raises; what is neither form comes back as it is, for ``check_schema``.

    In the short form, which 003 uses and models do too, an object is written as its fields with their types:
    ``{"type": "array", "items": {"month": "string", "amount": "number"}}``, ``{"month": "string"}``, ``["string"]``,
    ``"string|null"``. All its fields are required, others are not allowed (section 5.1), and a field may be null, so
    that nobody has to guess (section 2.1). ``$schema`` and ``$id``, which only label, are left out.
    """
    made = _long(schema, 0)
    return {k: v for k, v in made.items() if k not in _LABELS} if isinstance(made, Mapping) else made


def _long(schema: Any, level: int) -> Any:
    if level > MOST_SCHEMA_DEPTH:
        return schema
    if isinstance(schema, str):
        names = _type_names(schema)
        return schema if names is None else {"type": names[0] if len(names) == 1 else names}
    if isinstance(schema, list):
        return {"type": "array", "items": _long(schema[0], level + 1)} if len(schema) == 1 else schema
    if not isinstance(schema, Mapping):
        return schema
    if _is_short(schema):
        fields = {n: _field(v, level) for n, v in schema.items() if (n, v) != ("type", "object")}
        return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {keyword: _inner(keyword, value, level) for keyword, value in schema.items()}


def _inner(keyword: str, value: Any, level: int) -> Any:
    if keyword in _EACH and isinstance(value, Mapping):
        return {n: _field(v, level) if keyword == "properties" else _long(v, level + 1) for n, v in value.items()}
    if keyword in _MANY and isinstance(value, list):
        return [_long(v, level + 1) for v in value]
    return _long(value, level + 1) if keyword in _ONE and not isinstance(value, list) else value


def _field(written: Any, level: int) -> Any:
    """The schema of a field; one that is only named by its type may be null."""
    names = _type_names(written)
    return _long(written, level + 1) if names is None else {"type": [*(n for n in names if n != "null"), "null"]}


def _type_names(written: Any) -> list[str] | None:
    """``string``, ``string|null`` or ``string?`` as a list of type names."""
    if not isinstance(written, str):
        return None
    names = [name.strip() for name in written.removesuffix("?").split("|")] + ["null"] * written.endswith("?")
    return list(dict.fromkeys(names)) if TYPES.issuperset(names) else None


def _is_short(schema: Mapping[str, Any]) -> bool:
    """Whether an object lists fields with their types: no schema has such keywords, or says nothing but its title."""
    if not schema or not _STRUCTURE.isdisjoint(schema) or schema.get("type") == "array":
        return False
    return all(map(_names_type, schema.values())) and (not KEYWORDS.issuperset(schema) or _WORDS.issuperset(schema))


def _names_type(value: Any) -> bool:
    """Whether this can be the type of a field: an object, a list of one such, or a type's name."""
    if isinstance(value, list):
        return len(value) == 1 and not isinstance(value[0], list) and _names_type(value[0])
    return isinstance(value, Mapping) or _type_names(value) is not None


# -- what is accepted --------------------------------------------------------------------------------------------------


class _Fault(Exception):
    """One sentence."""


def check_schema(schema: Any) -> str | None:
    """One sentence on why something is no output schema; None if it is one (JSON Schema, draft 2020-12, or the short
    form). Beyond the draft: no references out of the schema or to what holds them, no unknown keywords (which would
    silently check nothing), patterns only as ``pattern.py`` takes them, and bounded sizes."""
    made = normalised(schema)
    if not isinstance(made, Mapping):
        return f'{shown(schema)} is no JSON schema. Give an object such as {{"type": "array", "items": {{…}}}}.'
    if depth(made) > MOST_SCHEMA_DEPTH:
        return f"it is nested more than {MOST_SCHEMA_DEPTH} levels deep. Ask for a flatter result."
    try:
        text = json.dumps(made, allow_nan=False)
    except (TypeError, ValueError) as fault:
        return f"it is not JSON: {fault}."
    if len(text) > MOST_SCHEMA_CHARS:
        return f"it has {len(text):,} characters, the most is {MOST_SCHEMA_CHARS:,}. Ask for needed fields only."
    return _fault(text)


@lru_cache(maxsize=256)  # the same lead asks for the same result again and again
def _fault(text: str) -> str | None:
    """What is wrong with a schema of bearable size, as JSON."""
    from jsonschema import Draft202012Validator, SchemaError

    made = json.loads(text)
    try:
        if _Sizes(made).of(made) > MOST_SCHEMAS:
            return f"it holds more than {MOST_SCHEMAS:,} schemas. Ask for needed fields only."
        Draft202012Validator.check_schema(made)
    except _Fault as wrong:
        return str(wrong)
    except SchemaError as wrong:
        return f"it is no JSON schema: {place(wrong.absolute_path)}{shorter(wrong.message)}."
    return None


class _Sizes:
    """Counts the schemas in a schema, each as often as it is referred to. Raises ``_Fault``."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._known: dict[str, int] = {}

    def of(self, schema: Any, through: tuple[str, ...] = ()) -> int:
        if not isinstance(schema, Mapping):
            return 1
        unknown = sorted(map(str, schema.keys() - KEYWORDS))
        if unknown:
            raise _Fault(f"unknown keyword '{unknown[0]}'. Fields of an object go into \"properties\".")
        try:
            pattern(str(schema.get("pattern", "")))
        except PatternRefused as refused:
            raise _Fault(str(refused)) from None
        size = 1 + sum(self.of(inner, through) for inner in _subschemas(schema))
        return size if "$ref" not in schema else size + self._referred(schema["$ref"], through)

    def _referred(self, reference: Any, through: tuple[str, ...]) -> int:
        target = definition(reference, self._root)
        if target is None:
            raise _Fault(f'$ref {shown(reference)} leads nowhere: only "#/$defs/NAME" within the schema is allowed.')
        if reference in through or len(through) >= MOST_REFERENCES:
            raise _Fault(f"$ref {shown(reference)} leads back to itself, or through too many others. Write it out.")
        if reference not in self._known:
            self._known[reference] = self.of(target, (*through, reference))
        return self._known[reference]


def _subschemas(schema: Mapping[str, Any]) -> Iterator[Any]:
    for keyword, value in schema.items():
        if keyword in _EACH and isinstance(value, Mapping):
            yield from value.values()
        elif keyword in _MANY and isinstance(value, list):
            yield from value
        elif keyword in _ONE:
            yield value


def definition(reference: Any, root: Mapping[str, Any]) -> Any:
    """What ``#/$defs/NAME`` refers to; None if nothing."""
    for start, keyword in _DEFS.items():
        if isinstance(reference, str) and reference.startswith(start) and isinstance(root.get(keyword), Mapping):
            return root[keyword].get(reference.removeprefix(start))
    return None


# -- where the entries are ---------------------------------------------------------------------------------------------


def layout(schema: Mapping[str, Any] | None) -> Layout:
    """Where an accepted schema says that entries are."""
    if schema is None:
        return Layout("unknown")
    root = resolved(schema, schema)
    kinds = types(root)
    if kinds == ARRAY:
        return Layout("list", None, root, _items(root, schema))
    if kinds == OBJECT:
        members = {n: resolved(sub, schema) for n, sub in _mapping(root.get("properties")).items()}
        lists = [n for n, s in members.items() if types(s) == ARRAY and types(_items(s, schema)) == OBJECT]
        if len(lists) == 1:
            return Layout("list", lists[0], members[lists[0]], _items(members[lists[0]], schema))
        return Layout("one", entry=root)
    if kinds is not None and kinds.isdisjoint({"array", "object"}):
        return Layout("one", entry=root)
    return Layout("unknown")


def resolved(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with what it refers to beside its own keywords; empty for one that says nothing."""
    made = _mapping(schema)
    for _ in range(MOST_REFERENCES):
        if "$ref" not in made:
            break
        made = {**_mapping(definition(made["$ref"], root)), **{k: v for k, v in made.items() if k != "$ref"}}
    return made


def _items(array: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    return {} if "prefixItems" in array else resolved(array.get("items"), root)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
