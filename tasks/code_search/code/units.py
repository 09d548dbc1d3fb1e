"""Files into samples: what belongs together stays together, as far as the size allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from tasks.code_search.code.source import SourceFile

Units = Mapping[str, Sequence[SourceFile]]
"""A package or module → its files, in order."""
LEAST = 0.5
"""A last sample that holds less of the size asked for is left out, unless it is the only one."""


def grouped(units: Units, tokens: int, files: int | None, key: str) -> tuple[list[list[SourceFile]], list[SourceFile]]:
    """(samples, files left out). Units come in an order drawn by ``key`` and fill one sample after the other, each with
    exactly ``files`` files, or (None) with as many as come nearest to ``tokens``, by a guess, at least one."""
    order = sorted(units)
    Random(f"code_search units {key}").shuffle(order)
    samples: list[list[SourceFile]] = [[]]
    for file in (file for unit in order for file in units[unit]):
        held = sum(f.guessed_tokens for f in samples[-1])
        more = held + file.guessed_tokens
        full = len(samples[-1]) == files if files is not None else more - tokens > tokens - held
        if samples[-1] and full:
            samples.append([])
        samples[-1].append(file)
    last = samples[-1]
    enough = files or LEAST * tokens
    held = len(last) if files is not None else sum(f.guessed_tokens for f in last)
    return (samples[:-1], last) if len(samples) > 1 and held < enough else (samples, [])
