"""The way in: from a command line to checked cells, and from their outcome to an exit code.

The only part of the engine that sees Hydra and OmegaConf, and that reaches the packages above it by name.
"""
