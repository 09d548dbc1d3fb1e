"""How work is handed out and taken back: what a topology may set, and leave out on purpose."""

from __future__ import annotations

from dataclasses import dataclass

from harness.errors import ConfigError, unknown

ORDERS = ("structured", "sentence")
CONTEXTS = ("card", "history")
FEEDBACK = ("concrete", "vague")
CARD_TOKENS = 500
"""Most tokens of a context card (003, sections 2.2 and 5.1)."""
MOST_RETRIES = 10
"""More re-orders than this are no rule but a mistake: one or two are usual (003, section 5.1)."""


@dataclass(frozen=True)
class Delegation:
    """The rules of one topology. The settings that differ from these defaults are ablations: each leaves out one thing
    that seed document 003 asks for, so that its worth can be measured.

    ``order``: a structured task order, or one ``sentence`` (section 2.1). ``context``: a context ``card`` of at most
    ``card_tokens`` (o200k_base), or the lead's whole ``history`` (section 2.2). ``validate``: results go through the
    validation ring (section 2.3). ``feedback``: what a failed result is told: the ``concrete`` errors, or a ``vague``
    request to try again (section 4.3). ``output_gate``: orders carry an output schema that allows needed fields only
    (section 5.1). ``max_retries``: re-orders after the first where an order does not say, and the most it may ask for.
    """

    order: str = "structured"
    context: str = "card"
    validate: bool = True
    feedback: str = "concrete"
    output_gate: bool = True
    card_tokens: int = CARD_TOKENS
    max_retries: int = 2

    def __post_init__(self) -> None:
        for name, choices in (("order", ORDERS), ("context", CONTEXTS), ("feedback", FEEDBACK)):
            if getattr(self, name) not in choices:
                raise ConfigError(unknown(f"topology.delegation.{name}", getattr(self, name), choices))
        if self.card_tokens < 1:
            raise ConfigError(f"topology.delegation.card_tokens={self.card_tokens}: must be at least 1.")
        if not 0 <= self.max_retries <= MOST_RETRIES:
            raise ConfigError(
                f"topology.delegation.max_retries={self.max_retries}: must lie between 0 and {MOST_RETRIES}."
            )


PLAIN_WORDS = Delegation(order="sentence", validate=False)
"""Orders in plain words, and nobody checks a result."""
