"""Prices by litellm's table: its own total for each usage, and the rates that make it up."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from fractions import Fraction

from harness.accounting.prices import Bill, Rates, nearest
from harness.accounting.usage import Usage
from harness.models.litellm.catalogue import table_entry
from harness.models.litellm.library import library

_UNIT = 10**9
"""Rates are kept in billionths of a picodollar: over a million tokens that leaves a thousandth of a picodollar open."""
_PUSD = 10**12
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TieredUsage(Usage):
    """A usage of which the service tier is known that it was served at; None: the standard one."""

    service_tier: str | None = None


class LiteLLMPricing:
    """Bills as litellm would (``harness.accounting.prices.Pricing``); litellm is imported at the first bill.

    ``name``: a model of litellm's table, as ``provider/model``. ``service_tier``: the tier of a usage that names none.
    """

    def __init__(self, name: str, service_tier: str | None = None) -> None:
        self.name = name
        self.service_tier = service_tier
        self._fee: tuple[float, float] | None = None
        self._priced: bool | None = None
        self._told = False

    def bill(self, usage: Usage) -> Bill | None:
        """litellm's total for this usage, rounded to a picodollar, with the rates that it applies to it.

        The rates are those of the usage's own price tier, service tier and moment. They come from litellm's totals for
        as many tokens of one kind alone, so that they hold for whatever rules a provider has. What litellm charges for
        no tokens at all is a fee a request, which no rate covers. Should rates and total differ by more than a
        picodollar, the total stands, a difference upwards is a fee, and a warning is logged once. None for a model
        that litellm does not know, or to which it gives no positive price, and (with a warning) for a usage that it
        fails to bill: an unknown cost, since the tokens have been spent all the same.
        """
        if not self._known():
            return None
        try:
            bill = self._asked(usage)
            if not _adds_up(usage, bill, self._fee_pusd()):
                bill = self._asked(usage)  # a price that changes by the hour may have changed between two questions
        except Exception as error:
            self._warn(f"litellm cannot bill '{self.name}' for {usage}: {type(error).__name__}: {error}")
            return None
        if not _adds_up(usage, bill, self._fee_pusd()):
            self._warn(
                f"the rates of '{self.name}' do not add up to what litellm bills for {usage}: its total is kept, and "
                "split in proportion to the rates"
            )
        return bill

    def _warn(self, text: str) -> None:
        if not self._told:
            self._told = True
            _log.warning("%s", text)

    def _known(self) -> bool:
        """Whether there is a price, found out once. 0 is none: litellm gives it to entries without prices."""
        if self._priced is None:
            self._priced = False
            if table_entry(self.name) is not None:
                try:
                    self._priced = sum(self._usd(Usage(1000, 1000))) > 0
                    self._fee = self._usd(Usage(0, 0))
                except Exception:  # litellm raises whatever it likes for an entry that it cannot bill
                    self._priced = False
        return self._priced

    def _asked(self, usage: Usage) -> Bill:
        prompt, completion, reasoning = usage.prompt_tokens, usage.completion_tokens, usage.reasoning_tokens
        short, long = usage.cache_write_tokens - usage.cache_write_long_tokens, usage.cache_write_long_tokens
        bare = replace(usage, cached_tokens=0, cache_write_tokens=0, cache_write_long_tokens=0, reasoning_tokens=0)
        total = sum(self._usd(usage))
        plain = self._usd(bare)
        fees = self._fee or (0.0, 0.0)

        def rate(usd: tuple[float, float], of: int) -> int:
            tokens = (prompt, completion)[of]
            exact = (Fraction(usd[of]) - Fraction(fees[of])) * _PUSD * _UNIT
            return max(0, round(exact / tokens)) if tokens else 0

        def prompt_rate(tokens: int, cached: int, written: int, long: int) -> int:
            if not tokens:
                return rate(plain, 0)
            alone = replace(bare, cached_tokens=cached, cache_write_tokens=written, cache_write_long_tokens=long)
            return rate(self._usd(alone), 0)

        output = rate(plain, 1)
        rates = Rates(
            plain=rate(plain, 0),
            read=prompt_rate(usage.cached_tokens, prompt, 0, 0),
            write=prompt_rate(short, 0, prompt, 0),
            write_long=prompt_rate(long, 0, prompt, prompt),
            output=output,
            reasoning=rate(self._usd(replace(bare, reasoning_tokens=completion)), 1) if reasoning else output,
            unit=_UNIT,
        )
        uncached = plain if not reasoning else self._usd(replace(bare, reasoning_tokens=reasoning))
        return Bill(rates, round(total * _PUSD), round(sum(uncached) * _PUSD))

    def _usd(self, usage: Usage) -> tuple[float, float]:
        """What litellm bills: USD of the prompt, USD of the completion."""
        litellm = library()
        short = usage.cache_write_tokens - usage.cache_write_long_tokens
        details = litellm.types.utils.PromptTokensDetailsWrapper(
            cached_tokens=usage.cached_tokens,
            cache_creation_tokens=usage.cache_write_tokens,
            cache_creation_token_details=litellm.types.utils.CacheCreationTokenDetails(
                ephemeral_5m_input_tokens=short, ephemeral_1h_input_tokens=usage.cache_write_long_tokens
            ),
        )
        asked = litellm.types.utils.Usage(
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            total_tokens=usage.prompt_tokens + usage.completion_tokens,
            reasoning_tokens=usage.reasoning_tokens,
            prompt_tokens_details=details,
            cache_creation_input_tokens=usage.cache_write_tokens,
            cache_read_input_tokens=usage.cached_tokens,
        )
        tier = usage.service_tier if isinstance(usage, TieredUsage) else self.service_tier
        prompt, completion = litellm.cost_per_token(model=self.name, usage_object=asked, service_tier=tier)
        return float(prompt), float(completion)

    def _fee_pusd(self) -> int:
        return round(sum(self._fee or ()) * _PUSD)


def _adds_up(usage: Usage, bill: Bill, fee_pusd: int) -> bool:
    """Whether counts times rates, and the fee, give the total to a picodollar."""
    r = bill.rates
    plain = usage.prompt_tokens - usage.cached_tokens - usage.cache_write_tokens
    by_tokens = (
        plain * r.plain
        + usage.cached_tokens * r.read
        + (usage.cache_write_tokens - usage.cache_write_long_tokens) * r.write
        + usage.cache_write_long_tokens * r.write_long
        + (usage.completion_tokens - usage.reasoning_tokens) * r.output
        + usage.reasoning_tokens * r.reasoning
    )
    return abs(bill.total_pusd - fee_pusd - nearest(by_tokens, r.unit)) <= 1
