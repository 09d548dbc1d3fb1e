"""What the stand-in served: one JSON line a completion request, without texts and without headers."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from harness.accounting.usage import Usage
from harness.errors import ConfigError

LEFT = 499
"""Status of a request whose client went away before its answer (nginx's number for it)."""


@dataclass(slots=True)
class Line:
    """One request. ``number``: from 1, in order of arrival; ``time``: of arrival, UTC. ``model``: the one that answers,
    None if the one asked for is not served. ``seed``, ``stream``: as asked; None where the request was refused before
    they could be read. The counts, ``finish_reason``: of an answer, else None. ``latency_s``: in the model's seconds,
    whatever the speed."""

    number: int
    time: str = ""
    status: int = 200
    model: str | None = None
    seed: int | None = None
    stream: bool | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    finish_reason: str | None = None
    latency_s: float | None = None

    def __post_init__(self) -> None:
        self.time = self.time or datetime.now(UTC).isoformat(timespec="milliseconds")

    def served(self, usage: Usage, finish_reason: str) -> None:
        self.prompt_tokens, self.completion_tokens = usage.prompt_tokens, usage.completion_tokens
        self.cached_tokens, self.cache_write_tokens = usage.cached_tokens, usage.cache_write_tokens
        self.reasoning_tokens, self.finish_reason = usage.reasoning_tokens, finish_reason


class ServedLog:
    """Appends to a file, a line at a time in one write, so that a killed server leaves whole lines. ``path`` None keeps
    nothing. Raises ConfigError for a file that cannot be written."""

    def __init__(self, path: Path | None) -> None:
        self._file: int | None = None
        if path is not None:
            try:
                self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            except OSError as error:
                raise ConfigError(f"--log {path}: cannot be written: {error.strerror}. Name another file.") from None

    def write(self, line: Line) -> None:
        if self._file is not None:
            os.write(self._file, json.dumps(asdict(line)).encode() + b"\n")

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
