"""Every error the harness raises on purpose.

An error names the input, the valid choices and what to do next. Facts that a caller may want to act on are keyword
arguments, kept in ``facts``; they survive pickling across worker processes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar


class HarnessError(Exception):
    """Base class. ``str(error)`` is the whole text a user sees; ``facts`` holds the values it was made from."""

    exit_code = 2

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild, (type(self), str(self), self.facts))


def _rebuild(cls: type[HarnessError], message: str, facts: dict[str, Any]) -> HarnessError:
    return cls(message, **facts)


_Error = TypeVar("_Error", bound=HarnessError)


class ConfigError(HarnessError):
    """A key, name, type or value in the configuration is not usable."""


class CorpusError(HarnessError):
    """A suite's material is missing, malformed or too small."""


class BusError(HarnessError):
    """The message bus cannot be started or reached."""


class StoreError(HarnessError):
    """The result store cannot be read or written."""


class ClockError(HarnessError):
    """Virtual time cannot advance, or was asked to drive something real."""


class SandboxError(HarnessError):
    """Code that a model wrote cannot be confined on this machine, and so is not run."""


class ScriptError(HarnessError):
    """A scripted transcript does not fit the request it met."""


class LimitExceeded(HarnessError):
    """A limit tripped: an outcome, not a fault. Facts: ``limit`` (its name), ``bound``, ``value``, ``scope``."""


class TopologyFailed(HarnessError):
    """A topology gave up in a way it documents (status ``failed``)."""


def above_zero(settings: object, group: str, *names: str) -> None:
    """Raise ConfigError unless every named setting is above 0. ``group``: the key without the last part."""
    for name in names:
        if not getattr(settings, name) > 0:
            raise ConfigError(f"{group}.{name}={getattr(settings, name)}: must be above 0.", key=f"{group}.{name}")


def first_fault(error: BaseException) -> BaseException:
    """The error itself, or the first one of a group: what ended a task group, the others being its cancellations."""
    return first_fault(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


@contextmanager
def single_fault() -> Iterator[None]:
    """Around a task group: what ended it is raised by itself."""
    try:
        yield
    except BaseExceptionGroup as faults:
        raise first_fault(faults) from None


def placed(error: _Error, where: str, keys: Iterable[object]) -> _Error:
    """The error with full keys, where settings that call themselves GROUP.KEY (``keys``) stand deeper in their group:
    what composes itself from other objects of its group holds them in nodes of its own, of which their classes know
    nothing. ``where``: their node."""
    group, _, rest = where.partition(".")
    names = "|".join(re.escape(str(key)) for key in keys)
    if not (rest and names):
        return error
    text = re.sub(rf"(?<![\w.]){group}\.(?!{re.escape(rest)}\b)(?=(?:{names})\b)", lambda _: f"{where}.", str(error))
    return type(error)(text, **error.facts)


def unknown(kind: str, name: object, choices: Iterable[object], hint: str = "") -> str:
    """One sentence for a wrong name: the input, the closest match, the valid choices and what to do next."""
    names = sorted(str(c) for c in choices)
    close = difflib.get_close_matches(str(name), names, n=1)
    guess = f" Did you mean '{close[0]}'?" if close else ""
    return f"unknown {kind} '{name}'.{guess} Valid choices: {', '.join(names) or '(none)'}.{' ' + hint if hint else ''}"
