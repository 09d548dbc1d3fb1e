"""Size sweeps whose curves are known: rows made from a few figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from run_builder import Call, Read, record

from harness.records import RunRecord

USD = 3e-6
"""Of one prompt token (run_builder)."""
SAMPLES = ("s0", "s1", "s2")


def run(
    topology: str,
    size: float | None,
    tokens: float,
    *,
    score: float = 1.0,
    sample: str = "s0",
    key: str = "task.docs",
    more: str = "{}",
    priced: bool = True,
    **options: Any,
) -> RunRecord:
    """One run of one call of so many prompt tokens, in a cell of its topology, size and other settings (``more``)."""
    size_set = {} if size is None else {key: size}
    params = json.dumps({"topology": topology, **size_set, **json.loads(more)}, sort_keys=True)
    call = Call("agent", [Read("task", round(tokens))], [], priced=priced)
    fields = {"family": "single" if topology in ("single", "resample") else "team", **options}
    return record(
        [call], topology=topology, cell=f"{topology}-{size}-{more}", sample=sample, score=score, params=params, **fields
    )


def curve(
    topology: str,
    sizes: Sequence[float],
    tokens: Callable[[float], float],
    score: Callable[[float], float] = lambda _: 1.0,
    samples: Sequence[str] = SAMPLES,
    **options: Any,
) -> Iterator[RunRecord]:
    """Every sample at every size, exactly on a curve."""
    for size in sizes:
        for sample in samples:
            yield run(topology, size, tokens(size), score=score(size), sample=sample, **options)


def lines(sizes: Sequence[float], **options: object) -> list[RunRecord]:
    """single = 10·n and a team = 100 + 5·n tokens: as dear at n = 20."""
    return [
        *curve("single", sizes, lambda n: 10 * n, **options),
        *curve("crew", sizes, lambda n: 100 + 5 * n, **options),
    ]
