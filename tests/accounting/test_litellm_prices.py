"""Bills by litellm's table: its own totals, at the rates it applies, in shares that lose nothing."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.ledgers import Feeder
from support.texts import part

from harness.accounting.parts import ENGINE, TASK
from harness.accounting.prices import Bill, Rates
from harness.accounting.usage import Usage

ROOT = Path(__file__).parents[2]
MODELS = [
    "gpt-5.4",  # dearer above 272,000 prompt tokens; flex and priority tiers
    "claude-sonnet-4-5-20250929-v1:0",  # above 200,000; writes for five minutes and for an hour
    "gemini/gemini-2.5-pro",  # above 200,000, cached text too
    "xai/grok-4.3",  # above 200,000, that number included
    "dashscope/qwen3-max",  # three ranges of prompt length
    "dashscope/qwen-turbo",  # reasoning has a rate of its own
    "perplexity/sonar-deep-research",  # likewise
    "gpt-4o-mini",  # one rate for each kind
]
EDGES = [
    Usage(1_234, 567, cached_tokens=1_000, reasoning_tokens=67),
    Usage(200_000, 1_000, cached_tokens=50_000, cache_write_tokens=40_000, cache_write_long_tokens=15_000),
    Usage(200_001, 1_000, cached_tokens=50_000, cache_write_tokens=40_000, cache_write_long_tokens=15_000),
    Usage(272_000, 30_000, reasoning_tokens=30_000),
    Usage(272_001, 30_000, cached_tokens=272_001),
    Usage(32_000, 1, cache_write_tokens=32_000),
    Usage(32_001, 1, cache_write_tokens=32_001, cache_write_long_tokens=32_001),
    Usage(1, 0),
    Usage(0, 0),
    Usage(1_000_000, 128_000, cached_tokens=999_999, reasoning_tokens=127_999),
]
TIERS = ["flex", "priority", "default"]


def _usages(count: int) -> list[Usage]:
    """The edges, and then draws of every kind and size, the same each time."""
    draw = random.Random(3)

    def some(most: int) -> int:
        return draw.choice([0, most, draw.randint(0, most)])

    out = list(EDGES)
    while len(out) < count:
        prompt, completion = draw.randint(1, 10 ** draw.randint(1, 6)), draw.randint(0, 10 ** draw.randint(1, 5))
        cached = some(prompt)
        written = some(prompt - cached)
        out.append(Usage(prompt, completion, cached, written, some(written), some(completion)))
    return out


USAGES = _usages(100)


@dataclass(frozen=True)
class Given:
    """A pricing that has one bill."""

    only: Bill

    def bill(self, usage: Usage) -> Bill:
        return self.only


@pytest.fixture(scope="module")
def answers() -> Any:
    """What a process of its own says: litellm is imported once."""
    asked = json.dumps([MODELS, [asdict(u) for u in USAGES], TIERS])
    program = [sys.executable, "-m", "accounting.litellm_bills"]
    done = subprocess.run(
        program, input=asked, cwd=ROOT / "tests", env=_environment(), capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def table() -> Any:
    """The table that ships with litellm, as its file has it."""
    spec = importlib.util.find_spec("litellm")
    assert spec is not None and spec.submodule_search_locations
    file = Path(spec.submodule_search_locations[0], "model_prices_and_context_window_backup.json")
    return json.loads(file.read_text(encoding="utf-8"))


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}


def _bill(row: Mapping[str, Any], n: int) -> Bill:
    given = row["bills"][n]
    return Bill(Rates(**given["rates"]), given["total_pusd"], given["uncached_pusd"])


def _pusd(usd: Any) -> Fraction:
    """A rate of the table, exactly as it is written there, in picodollars a token."""
    return Fraction(str(usd)) * 10**12


def _rate(bill: Bill, name: str) -> Fraction:
    return Fraction(getattr(bill.rates, name), bill.rates.unit)


@pytest.mark.parametrize("model", MODELS)
def test_the_ledger_has_litellms_usd_and_its_shares_sum_to_it(answers: Any, model: str) -> None:
    row = answers["bills"][MODELS.index(model)]
    for n, usage in enumerate(USAGES):
        bill = _bill(row, n)
        f = Feeder(Given(bill))
        prompt = [part("scaffold", 7, ENGINE), part("task", 31, TASK), part("answer", 3, "bob")]
        call = f.parts("alice", prompt, [part("answer", 5, "alice"), part("sync", 2, "alice")], usage=usage)
        assert call.cost_pusd == round(row["totals"][n] * 10**12), usage
        assert call.fee_pusd == 0, usage
        assert sum(s.cost_pusd or 0 for s in f.ledger.shares) == call.cost_pusd, usage


def test_rates_are_those_of_the_usages_own_tier(answers: Any, table: Any) -> None:
    """Against the table's file: from 272,001 prompt tokens on, every kind of token has its dearer rate."""
    row, entry = answers["bills"][0], table["gpt-5.4"]
    for usage, suffix in ((EDGES[3], ""), (EDGES[4], "_above_272k_tokens")):
        bill = _bill(row, USAGES.index(usage))
        for ours, theirs in (("plain", "input_cost_per_token"), ("output", "output_cost_per_token")):
            assert float(_rate(bill, ours)) == pytest.approx(float(_pusd(entry[theirs + suffix])), rel=1e-14)
    cached = _bill(row, USAGES.index(EDGES[4]))
    expected = _pusd(entry["cache_read_input_token_cost_above_272k_tokens"])
    assert float(_rate(cached, "read")) == pytest.approx(float(expected), rel=1e-14)


def test_writes_for_an_hour_have_their_own_rate(answers: Any, table: Any) -> None:
    row, entry = answers["bills"][1], table["claude-sonnet-4-5-20250929-v1:0"]
    bill = _bill(row, USAGES.index(EDGES[1]))
    for ours, theirs in (
        ("plain", "input_cost_per_token"),
        ("read", "cache_read_input_token_cost"),
        ("write", "cache_creation_input_token_cost"),
        ("write_long", "cache_creation_input_token_cost_above_1hr"),
    ):
        assert float(_rate(bill, ours)) == pytest.approx(float(_pusd(entry[theirs])), rel=1e-14)
    above = _bill(row, USAGES.index(EDGES[2]))
    doubled = 2 * _rate(bill, "write_long")  # as all of Anthropic's input above 200,000 tokens
    assert float(_rate(above, "write_long")) == pytest.approx(float(doubled), rel=1e-14)


def test_reasoning_has_its_own_rate(answers: Any, table: Any) -> None:
    for model in ("dashscope/qwen-turbo", "perplexity/sonar-deep-research"):
        bill = _bill(answers["bills"][MODELS.index(model)], 0)
        for ours, theirs in (("output", "output_cost_per_token"), ("reasoning", "output_cost_per_reasoning_token")):
            assert float(_rate(bill, ours)) == pytest.approx(float(_pusd(table[model][theirs])), rel=1e-14)


def test_uncached_is_the_same_usage_all_of_it_plain(answers: Any, table: Any) -> None:
    """1,234 prompt tokens and 567 of completion at gpt-4o-mini's two rates."""
    entry = table["gpt-4o-mini"]
    expected = 1_234 * _pusd(entry["input_cost_per_token"]) + 567 * _pusd(entry["output_cost_per_token"])
    assert _bill(answers["bills"][-1], 0).uncached_pusd == expected


def test_the_service_tier_that_served_sets_the_rates(answers: Any, table: Any) -> None:
    entry = table["gpt-5.4"]
    for tier, suffix in (("flex", "_flex"), ("priority", "_priority"), ("default", "")):
        rates = answers["tiers"][tier]["rates"]
        expected = _pusd(entry["output_cost_per_token" + suffix])
        assert rates["output"] / rates["unit"] == pytest.approx(float(expected), rel=1e-14)


def test_no_entry_and_a_price_of_zero_are_unpriced(answers: Any, table: Any) -> None:
    assert table["ollama/llama2"]["input_cost_per_token"] == 0
    assert answers["unpriced"] == dict.fromkeys(answers["unpriced"], True)
