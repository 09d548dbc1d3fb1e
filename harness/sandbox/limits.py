"""What graded code may use."""

from __future__ import annotations

from dataclasses import dataclass, fields

from harness.errors import ConfigError


@dataclass(frozen=True, slots=True)
class SandboxLimits:
    """Bounds of one run of tests, all of its calls together.

    ``cpu_s``: CPU seconds of the graded code, kept by the kernel. ``wall_s``: real seconds of the whole, start
    included: far above ``cpu_s``, so that a busy machine changes no result. ``memory_mb``: address space. ``threads``:
    at one time. ``files``, ``files_bytes``: how many files an answer may have, and their bytes in all.
    ``reply_bytes``: one call's arguments or result on the wire.
    """

    cpu_s: int = 10
    wall_s: float = 30.0
    memory_mb: int = 512
    threads: int = 256
    files: int = 64
    files_bytes: int = 1_000_000
    reply_bytes: int = 4_000_000

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name != "wall_s" and not isinstance(value, int):
                raise ConfigError(f"sandbox limit {f.name}={value}: must be a whole number.", key=f.name)
            if not 0 < value <= 10**9:
                raise ConfigError(f"sandbox limit {f.name}={value}: must be above 0 and at most 1e9.", key=f.name)
        if self.memory_mb < 64:
            raise ConfigError(f"sandbox limit memory_mb={self.memory_mb}: Python itself needs 64.", key="memory_mb")


USUAL = SandboxLimits()
