"""Plan, generate, evaluate: a team whose work is planned, divided among experts and reviewed (seed document 004)."""
