"""The process that runs the graded code: it answers calls for as long as it is asked. Nothing it says is believed."""

from __future__ import annotations

import importlib
import os
import sys

from harness.sandbox.codec import CodecError, Decoder, Encoder, line, parse
from harness.sandbox.entrance import enter

TYPE_CHECKING = False  # typing itself would take a tenth of a process's start
if TYPE_CHECKING:
    from typing import Any, BinaryIO


def main() -> None:
    """``python -c … ORDER``: requests come on descriptor 0, replies go to 1; both are moved out of print's way."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.dup(1)
    order = enter(replies, (requests.fileno(),))
    for name in [n for n in sys.modules if n == "harness" or n.startswith("harness.")]:
        del sys.modules[name]  # the answer may have a module of that name
    for name in {f.partition(".")[0] for f in os.listdir(order.folder)} & sys.modules.keys():
        if name not in sys.builtin_module_names:
            del sys.modules[name]
    sys.path.insert(0, order.folder)
    _serve(requests, replies)


def _serve(requests: BinaryIO, replies: int) -> None:
    while asked := requests.readline():
        request = parse(asked)
        number = {"id": request["id"]}
        try:
            data = line({**number, **_answer(request)})
        except CodecError as fault:
            data = line({**number, "error": _refusal(str(fault))})
        except BaseException as fault:
            data = line({**number, "error": _error(fault)})
        if len(data) > request["most"]:
            data = line({**number, "error": _refusal(f"a result of {len(data):,} bytes")})
        while data:
            data = data[os.write(replies, data) :]


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    arguments = Decoder(number=True)
    args, kwargs = arguments.value(request["args"]), arguments.value(request["kwargs"])
    encoder = Encoder(arguments.known)
    outcome: dict[str, Any]
    try:
        found: Any = importlib.import_module(request["module"])
        for name in request["path"]:
            found = getattr(found, name)
        result = found(*args, **kwargs) if request["call"] else found
    except BaseException as fault:
        outcome = {"error": _error(fault)}
    else:
        outcome = {"value": encoder.value(result)}
    return {**outcome, "after": encoder.contents()}


def _refusal(what: str) -> dict[str, Any]:
    return {"types": [], "args": None, "text": f"gave back {what}; only plain data can cross"}


def _error(fault: BaseException) -> dict[str, Any]:
    """The names of its types, nearest first, its arguments if they are plain data, and its text."""
    names = [str(t.__name__) for t in type(fault).__mro__][:20]
    try:
        args = Encoder().value(list(fault.args)[:10])
    except BaseException:
        args = None
    try:
        text = str(fault)[:2000]
    except BaseException:
        text = "(its text cannot be had)"
    return {"types": names, "args": args if len(str(args)) < 10_000 else None, "text": text}
