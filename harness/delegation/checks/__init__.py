"""The closed registry of checks that an acceptance criterion may name."""
