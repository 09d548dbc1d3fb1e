"""The engine: knows no topology and no suite."""
