"""The quick answer to whether a call's arguments fit a tool's schema: nearly all do."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

_KNOWN = frozenset({"type", "description", "title", "properties", "required", "additionalProperties", "items", "enum"})
_TYPES: Mapping[str, frozenset[type]] = MappingProxyType(
    {
        "string": frozenset({str}),
        "integer": frozenset({int}),
        "number": frozenset({int, float}),
        "boolean": frozenset({bool}),
        "null": frozenset({type(None)}),
        "array": frozenset({list}),
        "object": frozenset({dict}),
    }
)


def surely_fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether a parsed JSON value fits a JSON schema beyond doubt.

    False: it does not, or the schema uses something that takes a full validator to decide. Many times faster than one.
    """
    if not _KNOWN.issuperset(schema) or ("type" in schema and not _has_type(value, schema["type"])):
        return False
    if "enum" in schema and not (type(value) is str and value in schema["enum"]):
        return False
    if isinstance(value, dict):
        return _object_fits(value, schema)
    if isinstance(value, list):
        items = schema.get("items", {})
        return isinstance(items, Mapping) and all(surely_fits(v, items) for v in value)
    return True


def _has_type(value: Any, wanted: Any) -> bool:
    if wanted == "object" and isinstance(value, dict):
        return True
    if isinstance(wanted, list):
        return any(_has_type(value, w) for w in wanted)
    return isinstance(wanted, str) and type(value) in _TYPES.get(wanted, ())


def _object_fits(value: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    if not isinstance(others, bool) or not value.keys() >= set(schema.get("required", ())):
        return False
    return all(surely_fits(v, properties[k]) if k in properties else others for k, v in value.items())
