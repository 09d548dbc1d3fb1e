"""Limits: nested scopes (experiment ▸ run ▸ agent) that turn an overrun into a named outcome."""

from __future__ import annotations

from dataclasses import dataclass, fields

from harness.errors import ConfigError, LimitExceeded


@dataclass(frozen=True, slots=True)
class Limits:
    """All bounds of one cell; None is no bound. The values and their reasons stand in ``conf/limits/default.yaml``."""

    max_depth: int | None = 1
    workers_running: int = 5
    experiment_usd: float | None = None
    experiment_tokens: int | None = None
    run_usd: float | None = None
    run_tokens: int | None = None
    run_calls: int | None = 200
    run_wall_s: float | None = 1800.0
    agent_tokens: int | None = None
    agent_calls: int | None = None
    round_timeout_s: float = 30.0
    call_timeout_s: float = 120.0
    grade_timeout_s: float = 600.0
    transport_attempts: int = 4
    backoff_s: float = 1.0
    max_wait_s: float = 60.0

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            low = 0 if f.name == "max_depth" else 1 if f.name in ("workers_running", "transport_attempts") else None
            if value is None:
                continue
            if low is not None and value < low:
                raise ConfigError(f"limits.{f.name}={value}: must be at least {low}.", key=f"limits.{f.name}")
            if low is None and not value > 0:
                raise ConfigError(
                    f"limits.{f.name}={value}: must be above 0{', or null for no bound' if f.default is None else ''}.",
                    key=f"limits.{f.name}",
                )


class Scope:
    """What one scope has spent. Recording goes up through all parents; checking starts at the outermost, whose breach
    wins, so that an agent never swallows the end of its run."""

    __slots__ = ("bounds", "calls", "name", "parent", "pusd", "sent", "tokens")

    def __init__(
        self,
        name: str,
        parent: Scope | None = None,
        *,
        usd: float | None = None,
        tokens: int | None = None,
        calls: int | None = None,
    ) -> None:
        self.name = name
        self.parent = parent
        self.tokens = 0
        self.calls = 0
        self.sent = 0
        self.pusd = 0
        self.bounds: tuple[tuple[str, str, float], ...] = tuple(
            (f"{name}_{what}", field, bound * scale)
            for what, field, bound, scale in (
                ("usd", "pusd", usd, 10**12), ("tokens", "tokens", tokens, 1), ("calls", "calls", calls, 1),
            )
            if bound is not None
        )  # fmt: skip

    def spend(self, tokens: int, pusd: int | None) -> None:
        """Record one attempt here and in every parent."""
        scope: Scope | None = self
        while scope is not None:
            scope.tokens += tokens
            scope.pusd += pusd or 0
            scope.calls += 1
            scope = scope.parent

    def check(self) -> None:
        """Raise LimitExceeded for the outermost scope that has passed a bound."""
        if self.parent is not None:
            self.parent.check()
        for limit, field, bound in self.bounds:
            value = getattr(self, field)
            if value > bound:
                unit = 10**12 if field == "pusd" else 1
                raise exceeded(limit, bound / unit, value / unit, self.name)

    def begin_call(self) -> None:
        """Count one attempt that is about to be sent; raise instead when a bound has been passed, or when this call
        would pass a bound on calls, those that are under way included."""
        self.check()
        scopes: list[Scope] = []
        scope: Scope | None = self
        while scope is not None:
            scopes.insert(0, scope)
            scope = scope.parent
        for outer in scopes:
            for limit, field, bound in outer.bounds:
                if field == "calls" and outer.sent >= bound:
                    raise exceeded(limit, bound, outer.sent + 1, outer.name)
        for outer in scopes:
            outer.sent += 1


def exceeded(limit: str, bound: float, value: float, scope: str) -> LimitExceeded:
    """The outcome of a passed limit: its name, its bound and by how much it was passed."""
    return LimitExceeded(
        f"{limit}: {value:,.6g} is {value - bound:,.6g} over the bound of {bound:,.6g}",
        limit=limit, bound=bound, value=value, scope=scope,
    )  # fmt: skip
