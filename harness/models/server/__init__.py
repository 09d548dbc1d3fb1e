"""The stand-in: the simulated model behind HTTP, in the OpenAI chat protocol. ``python -m harness.models.server``."""
