"""How much is measured: enough to trust a figure, or just enough to see that everything still runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """``rounds``: of the engine, the bus and the store. ``epochs``: runs of each sample in one round of the engine.
    ``deliveries``: messages in a round of the bus. ``starts``: cold starts. ``memory``: samples of the small and of the
    large experiment. ``stored_runs``: runs written in a round of the store."""

    rounds: int
    epochs: int
    deliveries: int
    starts: int
    memory: tuple[int, int]
    stored_runs: int


FULL = Sizes(rounds=8, epochs=20, deliveries=1000, starts=7, memory=(100, 10_000), stored_runs=400)
SMALL = Sizes(rounds=1, epochs=1, deliveries=20, starts=1, memory=(3, 6), stored_runs=4)
