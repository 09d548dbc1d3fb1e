"""What the engine itself costs, measured: see docs/benchmarks.md."""
