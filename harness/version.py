"""The version of the harness: every row carries it."""

VERSION = "0.1.0"
