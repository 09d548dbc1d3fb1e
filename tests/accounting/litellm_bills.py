"""Run as a program: our bills by litellm's table beside its own totals, as JSON. One import of litellm for all."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

from harness.accounting.usage import Usage
from harness.models.litellm.pricing import LiteLLMPricing, TieredUsage

from .litellm_totals import main as totals


def main(models: list[str], usages: list[dict[str, int]], tiers: list[str]) -> dict[str, Any]:
    """``bills``: a row a model, with ours and litellm's for each usage. ``tiers``: the first model's bills of the first
    usage at each service tier."""
    rows = totals(models, usages)
    for row in rows:
        pricing = LiteLLMPricing(row["model"])
        row["bills"] = [asdict(bill) if (bill := pricing.bill(Usage(**u))) else None for u in usages]
    first = LiteLLMPricing(models[0])
    tiered = {tier: first.bill(TieredUsage(**usages[0], service_tier=tier)) for tier in tiers}
    unpriced = ["openai/no-such-model", "ollama/llama2", "ollama/no-such-model", "nowhere/x"]
    return {
        "bills": rows,
        "tiers": {tier: None if bill is None else asdict(bill) for tier, bill in tiered.items()},
        "unpriced": {name: LiteLLMPricing(name).bill(Usage(1, 1)) is None for name in unpriced},
    }


if __name__ == "__main__":
    print(json.dumps(main(*json.load(sys.stdin))))
