"""The names that a workflow script finds in its globals, with their types.

A script need not import them; ``from harness.workflow.script import agent, parallel`` is allowed so that editors and
type checkers know them. Outside a run they do nothing but raise.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, NoReturn

from harness.errors import ConfigError, TopologyFailed

args: Mapping[str, Any] = {}
"""``topology.args``."""


class AgentFailed(TopologyFailed):
    """An agent call that came to nothing: a script may catch it; otherwise it ends the run."""


def agent(
    prompt: str,
    schema: Mapping[str, Any] | None = None,
    model: str | None = None,
    type: str | None = None,
    label: str | None = None,
    phase: str | None = None,
) -> Awaitable[Any]:
    """Have a new agent do what ``prompt`` says: its answer as text, or, with a JSON ``schema``, as a value that fits
    it. ``model``: a name in ``model.roles``; ``type``: a sub-agent type, general_purpose if not given; ``label``: its
    name in events and rows; ``phase``: the phase that it belongs to, if it is not the present one. Raises
    AgentFailed."""
    _outside("agent")


def parallel(thunks: Iterable[Callable[[], Awaitable[Any]] | Awaitable[Any]]) -> Awaitable[list[Any]]:
    """Call all of them at once: their results in order, None for one that failed."""
    _outside("parallel")


def pipeline(items: Iterable[Any], *stages: Callable[..., Any]) -> Awaitable[list[Any]]:
    """Send each item through all stages, without waiting for the others: the last stage's results in order, None for an
    item that failed. A stage is called with what the one before returned, and, if it takes two arguments, the item."""
    _outside("pipeline")


def phase(name: str) -> None:
    """What is called from here on belongs to this phase."""
    _outside("phase")


def log(text: str) -> None:
    """Write a line into the run's events."""
    _outside("log")


def now() -> float:
    """Seconds of the run's clock since the run began."""
    _outside("now")


def random() -> float:
    """The next number in [0, 1) that the run's seed gives."""
    _outside("random")


def _outside(name: str) -> NoReturn:
    raise ConfigError(f"{name}() works in a script that runs: python -m harness topology=workflow topology.script=FILE")
