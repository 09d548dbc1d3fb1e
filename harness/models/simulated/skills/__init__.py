"""What several moves need: acts, reading calls, entries and how they are written."""
