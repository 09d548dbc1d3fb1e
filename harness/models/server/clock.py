"""The stand-in's clock: real time, faster by a factor, or time that passes only by what is waited for."""

from __future__ import annotations

import asyncio
import math

from harness.clock.real import RealClock
from harness.errors import ConfigError

US = 1_000_000
"""Clock ticks a second."""


class ServerClock(RealClock):
    """``speed``: how many of the model's seconds pass in one real second; infinite: a latency takes no time, and is the
    only thing that makes time pass, so that the prompt cache and the rate limit still see it."""

    def __init__(self, speed: float) -> None:
        if not speed > 0:
            raise ConfigError(
                f"--speed {speed:g}: must be above 0 (1 is the speed of real time, inf waits for nothing)."
            )
        self.instant = math.isinf(speed)
        super().__init__(1.0 if self.instant else speed)
        self._speed = speed
        self._passed = 0

    def ticks(self) -> int:
        return self._passed if self.instant else super().ticks()

    async def spend(self, began: int, seconds: float) -> None:
        """Wait for a latency of the model that began at a tick."""
        if self.instant:
            self._passed = max(self._passed, began + round(seconds * US))
        else:
            await asyncio.sleep(seconds / self._speed)

    def skip(self, seconds: float) -> None:
        """Whoever is told to come back later waits in real time; on the instant clock nothing else would make the time
        pass that the wait is about."""
        if self.instant:
            self._passed += round(seconds * US)
