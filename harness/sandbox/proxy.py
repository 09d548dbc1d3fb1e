"""The graded program as its tests see it: ``program["module"].function(…)``."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterator
from contextlib import contextmanager

from harness.sandbox.codec import CodecError, Decoder, Encoder, line, parse

TYPE_CHECKING = False  # typing itself would take a tenth of a process's start
if TYPE_CHECKING:
    from typing import Any


_CHUNK = 65_536
_TOO_WIDE = ("Exception", "BaseException", "BaseExceptionGroup", "ExceptionGroup")
_KNOWN = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException) and name not in _TOO_WIDE
}


class ProgramError(Exception):
    """The program raised an error of a type of its own (its name is ``kind``), or gave what is no plain data."""


class ProgramGone(BaseException):
    """The program has ended, or no longer keeps to the protocol. No ``except Exception`` of a test catches it."""


class Program:
    """``requests``, ``replies``: descriptors of the pipes. ``most``: bytes of one line. ``gone``: why it answers no
    more."""

    def __init__(self, requests: int, replies: int, most: int) -> None:
        self._requests, self._replies, self._most = requests, replies, most
        self._buffer = bytearray()
        self._calls = 0
        self.gone: str | None = None

    def __getitem__(self, module: str) -> Remote:
        return Remote(self, module, ())

    def value(self, module: str, name: str) -> Any:
        """What a name in a module stands for (a constant), as plain data."""
        return self.ask(module, tuple(name.split(".")), (), {}, call=False)

    def ask(
        self, module: str, path: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any], call: bool = True
    ) -> Any:
        """One request and its reply. Lists, dicts and sets among the arguments then hold what the program made of
        them. Raises what the program raised, as a built-in type or ``ProgramError``; ``ProgramGone``; TypeError for
        an argument that is no plain data."""
        if self.gone is not None:
            raise ProgramGone(self.gone)
        self._calls += 1
        encoder = Encoder(number=True)
        try:
            sent = {"args": encoder.value(list(args)), "kwargs": encoder.value(kwargs)}
            head = {"id": self._calls, "most": self._most, "module": module, "path": list(path), "call": call}
            data = line({**head, **sent})
        except CodecError as fault:
            raise TypeError(f"a program cannot be given {fault}") from None
        self._send(data)
        try:
            return self._received(parse(self.line()), encoder.known)
        except CodecError as fault:
            raise self._lost(f"its reply was {fault}") from None

    def line(self) -> bytes:
        """The next line that the program wrote."""
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > self._most:
                raise self._lost(f"its reply was longer than {self._most:,} bytes")
            chunk = os.read(self._replies, _CHUNK)
            if not chunk:
                raise self._lost("it ended")
            self._buffer += chunk
        found = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return found

    def _send(self, data: bytes) -> None:
        if len(data) > self._most:
            raise TypeError(f"arguments of {len(data):,} bytes; at most {self._most:,}")
        try:
            while data:
                data = data[os.write(self._requests, data) :]
        except OSError:
            raise self._lost("it ended") from None

    def _received(self, reply: dict[str, Any], known: list[Any]) -> Any:
        if type(reply.get("id")) is not int or reply["id"] != self._calls:
            raise CodecError("not to this call")
        decoder = Decoder(known)
        error = None if "value" in reply else _error(reply.get("error"))
        value = decoder.value(reply.get("value"))
        if "after" in reply:
            decoder.refill(reply["after"])
        if error is not None:
            raise error
        return value

    def _lost(self, why: str) -> ProgramGone:
        self.gone = self.gone or f"the program is gone: {why}"
        return ProgramGone(self.gone)


class Remote:
    """A module of the program, or something in it that can be called."""

    def __init__(self, program: Program, module: str, path: tuple[str, ...]) -> None:
        self._program, self._module, self._path = program, module, path

    def __getattr__(self, name: str) -> Remote:
        if name.startswith("__"):
            raise AttributeError(name)
        return Remote(self._program, self._module, (*self._path, name))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._program.ask(self._module, self._path, args, kwargs)

    def __eq__(self, other: object) -> bool:
        raise TypeError(
            f"{'.'.join((self._module, *self._path))} is not called; constants: program.value(MODULE, NAME)"
        )

    __hash__ = None  # type: ignore[assignment]


def _error(said: Any) -> BaseException:
    """The exception that a reply tells of. Raises CodecError for what is none."""
    if not isinstance(said, dict) or not isinstance(said.get("text"), str) or not isinstance(said.get("types"), list):
        raise CodecError("no value and no error")
    names = [n for n in said["types"] if isinstance(n, str)][:20]
    args = [said["text"]] if said.get("args") is None else Decoder().value(said["args"])
    if not isinstance(args, list):
        raise CodecError("no error")
    found = next((_KNOWN[n] for n in names if n in _KNOWN), None)
    made: BaseException | None = None
    for given in (args, [said["text"]]):
        try:
            made = made or (None if found is None else found(*given))
        except Exception:
            continue
    if made is None:
        made = ProgramError(f"{names[0]}: {said['text']}" if names else said["text"])
    made.kind = names[0] if names else ""  # type: ignore[attr-defined]
    return made


@contextmanager
def raises(kind: type[BaseException] | tuple[type[BaseException], ...], text: str = "") -> Iterator[None]:
    """In a test: the body must raise this, or one of these, with ``text`` in its text."""
    try:
        yield
    except kind as fault:
        if text not in str(fault):
            raise AssertionError(f"{type(fault).__name__} without '{text}': {fault}") from None
        return
    kinds = kind if isinstance(kind, tuple) else (kind,)
    raise AssertionError(f"did not raise {' or '.join(k.__name__ for k in kinds)}")
