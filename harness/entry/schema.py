"""From plain configuration values to the dataclasses that declare them."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Literal, TypeVar, Union

from harness.entry.target import import_target
from harness.errors import ConfigError, HarnessError, placed, unknown

TARGET = "_target_"

_T = TypeVar("_T")


def build(cls: type[_T], data: Mapping[str, Any], where: str) -> _T:
    """An instance of a dataclass from configuration values.

    ``where``: the node's name in the configuration, empty for the top. Raises ConfigError, with the full key, for an
    unknown key, a missing one, a value of another type, or one that the class refuses.
    """
    declared = settings(cls)
    for key in data:
        if key not in declared and key != TARGET:
            raise ConfigError(unknown_key(full(where, key), [full(where, name) for name in declared]))
    hints = _hints(cls)
    values = {}
    try:
        for key, field in declared.items():
            if key in data:
                values[field.name] = convert(data[key], hints[field.name], full(where, key))
            elif field.default is MISSING and field.default_factory is MISSING:
                raise ConfigError(f"{full(where, key)} has no value: set it with {full(where, key)}=VALUE.")
        return cls(**values)
    except HarnessError as error:
        raise placed(error, where, declared) from None
    except Exception as error:
        raise ConfigError(
            f"{where or 'the configuration'}: {cls.__qualname__} refuses these values: {type(error).__name__}: {error}"
        ) from error


def make(data: Mapping[str, Any], where: str) -> Any:
    """The object that a node with ``_target_`` describes: an instance of that dataclass. Raises ConfigError."""
    return build(target_class(data, where), data, where)


def target_class(data: Mapping[str, Any], where: str) -> type:
    """The dataclass that a node names. Raises ConfigError when it names none."""
    if TARGET not in data:
        raise ConfigError(f"{where} has no {TARGET}: its YAML must name a dataclass as {TARGET}: package.module.Class.")
    found = import_target(data[TARGET], full(where, TARGET))
    if not (isinstance(found, type) and is_dataclass(found)):
        raise ConfigError(
            f"{full(where, TARGET)}={data[TARGET]}: must name a dataclass, whose fields are the settings; this is "
            f"{'a class without fields' if isinstance(found, type) else type(found).__name__}."
        )
    return found


def settings(cls: type) -> dict[str, Field[Any]]:
    """What a dataclass lets one set: key → field.

    A key is the field's name, unless the field says otherwise: ``field(metadata={"key": "sample_ids"})`` for a suite
    whose method of that name leaves the field none.
    """
    return {f.metadata.get("key", f.name): f for f in fields(cls) if f.init}


def full(where: str, key: object) -> str:
    return f"{where}.{key}" if where else str(key)


def unknown_key(key: str, choices: Sequence[str]) -> str:
    """The sentence for a key that does not exist; keys are full."""
    return unknown("key", key, choices, "`python -m harness --cfg job` prints every key with its value.")


def convert(value: Any, wanted: Any, where: str) -> Any:
    """A configuration value as what an annotation asks for, or ConfigError naming ``where``.

    Understood: None, bool, int, float, str, Path, Enum, Literal, unions, lists, tuples, sets, mappings and dataclasses
    of them; anything else takes an object made by ``_target_``.
    """
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if origin is typing.Annotated:
        return convert(value, arguments[0], where)
    if origin in (Union, types.UnionType):
        return _any_of(value, arguments, where)
    if origin is Literal:
        if value not in arguments:
            raise ConfigError(unknown(f"value of {where}", value, arguments))
        return value
    if wanted in (Any, object):
        return _loose(value, where)
    kind = origin or wanted
    if kind in _PLAIN:
        return _plain(value, kind, where)
    if isinstance(kind, type):
        if issubclass(kind, Enum):
            return _member(value, kind, where)
        if issubclass(kind, Mapping):
            return _mapping(value, arguments, where)
        if issubclass(kind, Sequence | AbstractSet):
            return _series(value, wanted, where)
        if is_dataclass(kind) and isinstance(value, Mapping) and TARGET not in value:
            return build(kind, value, where)
    if isinstance(value, Mapping) and TARGET in value:
        return make(value, where)
    raise _wrong(value, wanted, where)


def _any_of(value: Any, choices: Sequence[Any], where: str) -> Any:
    if value is None and type(None) in choices:
        return None
    # The exact type first, so that 1 stays a number where text would do as well.
    for choice in sorted(choices, key=lambda c: c is not type(value)):
        if choice is type(None):
            continue
        try:
            return convert(value, choice, where)
        except ConfigError:
            if isinstance(value, Mapping | list) and _only_one_for(value, choices) is choice:
                raise  # the error inside says more than that no choice fits
    raise _wrong(value, Union[tuple(choices)], where)  # noqa: UP007 - built from a list


def _only_one_for(value: Mapping[str, Any] | list[Any], choices: Sequence[Any]) -> Any:
    """The only choice that a mapping or a list could be meant for; None if there are several."""
    possible = [c for c in choices if (typing.get_origin(c) or c) not in _PLAIN]
    return possible[0] if len(possible) == 1 else None


def _plain(value: Any, kind: Any, where: str) -> Any:
    """None, truth values, numbers, text and paths. A whole number will do for text, 1e6 for a whole number."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is int and number and value == value // 1:
        return int(value)
    if kind is float and number:
        return float(value)
    if kind in (str, Path) and (isinstance(value, str) or (number and isinstance(value, int))):
        return kind(value)
    if kind in (bool, type(None)) and type(value) is kind:
        return value
    if kind is bool and value in ("on", "off"):
        return value == "on"
    raise _wrong(value, kind, where)


def _member(value: Any, kind: type[Enum], where: str) -> Enum:
    for member in kind:
        if value in (member.name, member.value):
            return member
    raise ConfigError(unknown(f"value of {where}", value, [m.value for m in kind]))


def _mapping(value: Any, arguments: Sequence[Any], where: str) -> dict[Any, Any]:
    if not isinstance(value, Mapping):
        raise _wrong(value, dict, where)
    of_key, of_value = arguments or (Any, Any)
    return {convert(key, of_key, where): convert(entry, of_value, full(where, key)) for key, entry in value.items()}


def _series(value: Any, wanted: Any, where: str) -> Any:
    if not isinstance(value, list):
        raise _wrong(value, wanted, where)
    kind, arguments = typing.get_origin(wanted) or wanted, typing.get_args(wanted)
    if kind is tuple and arguments and Ellipsis not in arguments:
        if len(arguments) != len(value):
            raise ConfigError(f"{where}={value}: must be a list of {len(arguments)} values.")
        return tuple(convert(v, a, f"{where}.{i}") for i, (v, a) in enumerate(zip(value, arguments, strict=True)))
    of = arguments[0] if arguments else Any
    entries = [convert(entry, of, f"{where}.{i}") for i, entry in enumerate(value)]
    if issubclass(kind, tuple):
        return tuple(entries)
    if issubclass(kind, AbstractSet):
        return frozenset(entries) if kind is not set else set(entries)
    return entries


def _loose(value: Any, where: str) -> Any:
    """A value of any type, with the objects in it made."""
    if isinstance(value, Mapping):
        if TARGET in value:
            return make(value, where)
        return {key: _loose(entry, full(where, key)) for key, entry in value.items()}
    if isinstance(value, list):
        return [_loose(entry, f"{where}.{i}") for i, entry in enumerate(value)]
    return value


def _hints(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls, include_extras=True)
    except Exception as error:
        raise ConfigError(
            f"cannot read the field types of {cls.__module__}.{cls.__qualname__}: {error}. "
            "Import what they name outside `if TYPE_CHECKING`."
        ) from error


_PLAIN = {
    type(None): "null",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    Path: "a path",
}


def _wrong(value: Any, wanted: Any, where: str) -> ConfigError:
    shown = "null" if value is None else "''" if value == "" else str(value)
    return ConfigError(
        f"{where}={shown}: must be {_words(wanted)}, but this is {_kind(value)}.", key=where, value=value
    )


def _words(wanted: Any) -> str:
    if typing.get_origin(wanted) in (Union, types.UnionType):
        return " or ".join(_words(choice) for choice in typing.get_args(wanted))
    kind = typing.get_origin(wanted) or wanted
    if kind is Literal:
        return "one of " + ", ".join(str(a) for a in typing.get_args(wanted))
    if kind in _PLAIN:
        return _PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return "a mapping {key: value}"
    if isinstance(kind, type) and issubclass(kind, Sequence | AbstractSet):
        of = [a for a in typing.get_args(wanted) if a is not Ellipsis]
        return "a list [a,b,…]" + (f" of {_PLAIN[of[0]]}" if len(of) == 1 and of[0] in _PLAIN else "")
    if is_dataclass(kind) and isinstance(kind, type):
        return f"a mapping {{{', '.join(settings(kind))}}}"
    return f"a {getattr(kind, '__name__', kind)} (a node with {TARGET})"


def _kind(value: Any) -> str:
    if type(value) in _PLAIN:
        return _PLAIN[type(value)]
    return "a mapping" if isinstance(value, Mapping) else "a list"
