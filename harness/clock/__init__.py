"""Time for runs: a virtual clock that jumps, a real one that passes (``runner.run`` makes either)."""
