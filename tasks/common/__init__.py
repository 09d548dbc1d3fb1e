"""What several suites share: which samples there are, the hash of their material, when short answers are equal."""
