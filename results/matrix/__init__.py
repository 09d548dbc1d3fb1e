"""Suites by topologies: what a sweep over both says at a glance."""
