"""Plain data as JSON, and nothing else: what comes out of the graded code is read with this.

JSON's own null, booleans, strings, finite floats, integers below 2⁶³ and lists stand for themselves; everything else
is an object with one key, its tag. Decoding builds values of the types named here and runs no other code.

The lists, dicts, sets, bytearrays and deques of a call's arguments are numbered in the order in which both sides meet
them. So a reply can say what they hold afterwards, and that a result is one of them, not a copy.
"""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import isfinite

TYPE_CHECKING = False  # typing itself would take a tenth of a process's start
if TYPE_CHECKING:
    from typing import Any


ITEMS = 1_000_000
"""Most items taken from an iterator."""
_PLAIN_INT = 2**63
_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
_VIEWS = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}
_MUTABLE = (list, dict, set, bytearray, deque)


class CodecError(Exception):
    """A value that cannot cross, or bytes that are no value."""


class Encoder:
    """``known``: numbered containers, which are sent as their numbers. ``number``: whether new ones get numbers."""

    def __init__(self, known: Iterable[Any] = (), number: bool = False) -> None:
        self.known = list(known)
        self._numbers = {id(c): n for n, c in enumerate(self.known)}
        self._number = number

    def value(self, x: Any) -> Any:
        """Raises CodecError for what is no plain data, or has no end."""
        try:
            return self._value(x)
        except RecursionError:
            raise CodecError("a value that is nested too deep, or holds itself") from None

    def contents(self) -> list[Any]:
        """What every known container holds now."""
        try:
            return [self._body(c) for c in self.known]
        except RecursionError:
            raise CodecError("an argument that is nested too deep, or holds itself") from None

    def _value(self, x: Any) -> Any:
        kind = type(x)
        if x is None or kind is bool or kind is str:
            return x
        if kind is int:
            return x if -_PLAIN_INT < x < _PLAIN_INT else {"i": hex(x)}
        if kind is float:
            return x if isfinite(x) else {"f": repr(x)}
        if isinstance(x, _MUTABLE):
            return self._mutable(x)
        if kind is tuple:
            return {"t": self._all(x)}
        return self._rarer(x, kind)

    def _mutable(self, x: Any) -> Any:
        number = self._numbers.get(id(x))
        if number is not None:
            return {"r": number}
        if self._number:
            self._numbers[id(x)] = len(self.known)
            self.known.append(x)
        body = self._body(x)
        if isinstance(x, list):
            return body
        tag = next(t for t, c in (("d", dict), ("s", set), ("ba", bytearray), ("dq", deque)) if isinstance(x, c))
        return {tag: [x.maxlen, body] if isinstance(x, deque) else body}

    def _body(self, x: Any) -> Any:
        if isinstance(x, dict):
            return [[self._value(k), self._value(v)] for k, v in dict.items(x)]
        if isinstance(x, bytearray):
            return bytearray.hex(x)
        kind = next(c for c in (list, set, deque) if isinstance(x, c))
        return self._all(kind.__iter__(x))

    def _all(self, items: Iterable[Any]) -> list[Any]:
        return [self._value(item) for item in items]

    def _rarer(self, x: Any, kind: type) -> Any:
        """Also subclasses of plain types, as what they are made of: a subclass may override what it likes."""
        if isinstance(x, bytes):
            return {"b": bytes.hex(x)}
        if isinstance(x, frozenset):
            return {"fs": self._all(frozenset.__iter__(x))}
        if isinstance(x, complex):
            return {"c": [self._value(x.real), self._value(x.imag)]}
        if kind is range:
            return {"range": [self._value(n) for n in (x.start, x.stop, x.step)]}
        if isinstance(x, int):
            return self._value(int.__int__(x))
        if isinstance(x, float):
            return self._value(float.__float__(x))
        if isinstance(x, str):
            return str.__str__(x)
        if isinstance(x, tuple):
            return {"t": self._all(tuple.__iter__(x))}
        if kind in _VIEWS:
            return {_VIEWS[kind]: self._all(x)}
        written = _WRITTEN.get((kind.__module__, kind.__qualname__))
        if written is not None:
            return written(x)
        if isinstance(x, Iterator):
            return {"it": self._all(_bounded(x))}
        name = getattr(kind, "__qualname__", "?")
        raise CodecError(f"a value of type {name!s:.80}, which is no plain data")


def _bounded(items: Iterator[Any]) -> Iterator[Any]:
    for n, item in enumerate(items):
        if n == ITEMS:
            raise CodecError(f"an iterator of more than {ITEMS:,} items")
        yield item


_WRITTEN: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("decimal", "Decimal"): lambda x: {"dec": str(x)},
    ("fractions", "Fraction"): lambda x: {"frac": f"{x.numerator:x}/{x.denominator:x}"},
    ("datetime", "date"): lambda x: {"date": x.isoformat()},
    ("datetime", "time"): lambda x: {"time": x.isoformat()},
    ("datetime", "datetime"): lambda x: {"dt": x.isoformat()},
    ("datetime", "timedelta"): lambda x: {"td": [x.days, x.seconds, x.microseconds]},
}


class Decoder:
    """``known`` and ``number``: as of the ``Encoder`` on the other side."""

    def __init__(self, known: Iterable[Any] = (), number: bool = False) -> None:
        self.known = list(known)
        self._number = number

    def value(self, j: Any) -> Any:
        """Raises CodecError for whatever no ``Encoder`` writes."""
        with _no_value():
            return self._value(j)

    def refill(self, contents: Any) -> None:
        """Make every known container hold what it holds on the other side."""
        with _no_value():
            for container, body in zip(self.known, _list(contents), strict=True):
                container.clear()
                self._fill(container, body)

    def _value(self, j: Any) -> Any:
        if isinstance(j, list):
            return self._fill(self._met([]), j)
        if not isinstance(j, dict):
            return j
        ((tag, body),) = j.items()
        if tag == "r":
            if type(body) is not int or body < 0:
                raise CodecError("no reference")
            return self.known[body]
        if tag in _EMPTY:
            return self._fill(self._met(_EMPTY[tag]()), body)
        if tag == "dq":
            most, items = body
            return self._fill(self._met(deque(maxlen=most)), items)
        if tag in ("t", "fs", "it", "keys", "values", "items"):
            return _again(tag, [self._value(x) for x in _list(body)])
        return _READ[tag](self, body)

    def _met(self, container: Any) -> Any:
        if self._number:
            self.known.append(container)
        return container

    def _fill(self, container: Any, body: Any) -> Any:
        if isinstance(container, dict):
            for k, v in _list(body):
                container[self._value(k)] = self._value(v)
        elif isinstance(container, bytearray):
            container.extend(bytes.fromhex(body))
        elif isinstance(container, set):
            container.update(map(self._value, _list(body)))
        else:
            container.extend(map(self._value, _list(body)))
        return container


_EMPTY: dict[str, Callable[[], Any]] = {"d": dict, "s": set, "ba": bytearray}


@contextmanager
def _no_value() -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError) as fault:
        raise CodecError(f"no value ({type(fault).__name__})") from None


def _list(body: Any) -> list[Any]:
    if not isinstance(body, list):
        raise CodecError("no list")
    return body


def _again(tag: str, items: list[Any]) -> Any:
    if tag == "t":
        return tuple(items)
    if tag == "fs":
        return frozenset(items)
    if tag == "it":
        return iter(items)
    if tag == "keys":
        return dict.fromkeys(items).keys()
    return dict(enumerate(items)).values() if tag == "values" else dict(items).items()


def _from(module: str, name: str) -> Any:
    """A type of the standard library, imported when first met."""
    __import__(module)
    return getattr(sys.modules[module], name)


def _fraction(text: str) -> Any:
    above, below = text.split("/")
    return _from("fractions", "Fraction")(int(above, 16), int(below, 16))


_READ: dict[str, Callable[[Decoder, Any], Any]] = {
    "i": lambda d, body: int(body, 16),
    "f": lambda d, body: _FLOATS[body],
    "b": lambda d, body: bytes.fromhex(body),
    "c": lambda d, body: complex(d._value(body[0]), d._value(body[1])),
    "range": lambda d, body: range(*map(d._value, body)),
    "dec": lambda d, body: _from("decimal", "Decimal")(body),
    "frac": lambda d, body: _fraction(body),
    "date": lambda d, body: _from("datetime", "date").fromisoformat(body),
    "time": lambda d, body: _from("datetime", "time").fromisoformat(body),
    "dt": lambda d, body: _from("datetime", "datetime").fromisoformat(body),
    "td": lambda d, body: _from("datetime", "timedelta")(*body),
}


def line(message: dict[str, Any]) -> bytes:
    """A message as one line of ASCII. Raises CodecError for one that is nested too deep."""
    try:
        return json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    except RecursionError:
        raise CodecError("a value that is nested too deep") from None


def parse(data: bytes) -> dict[str, Any]:
    """The message of a line. Raises CodecError."""
    try:
        message = json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise CodecError("no JSON") from None
    if not isinstance(message, dict):
        raise CodecError("no JSON object")
    return message


def _no_constant(name: str) -> Any:
    raise ValueError(name)
