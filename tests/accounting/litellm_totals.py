"""Run as a program: prices and totals from litellm's own table, as JSON. Apart, because importing litellm is slow."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

RATES = {
    "input": "input_cost_per_token",
    "output": "output_cost_per_token",
    "cached_input": "cache_read_input_token_cost",
    "cache_write": "cache_creation_input_token_cost",
    "cache_write_long": "cache_creation_input_token_cost_above_1hr",
    "reasoning": "output_cost_per_reasoning_token",
}


def main(models: list[str], usages: list[dict[str, int]]) -> list[dict[str, Any]]:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import litellm
    from litellm.types.utils import CacheCreationTokenDetails, PromptTokensDetailsWrapper, Usage

    out = []
    for model in models:
        entry = litellm.model_cost[model]
        card = {ours: entry.get(theirs) for ours, theirs in RATES.items()}
        totals = []
        for u in usages:
            long = u["cache_write_long_tokens"]
            details = PromptTokensDetailsWrapper(
                cached_tokens=u["cached_tokens"],
                cache_creation_tokens=u["cache_write_tokens"],
                cache_creation_token_details=CacheCreationTokenDetails(
                    ephemeral_5m_input_tokens=u["cache_write_tokens"] - long, ephemeral_1h_input_tokens=long
                ),
            )
            usage = Usage(
                prompt_tokens=u["prompt_tokens"],
                completion_tokens=u["completion_tokens"],
                total_tokens=u["prompt_tokens"] + u["completion_tokens"],
                reasoning_tokens=u["reasoning_tokens"],
                prompt_tokens_details=details,
                cache_creation_input_tokens=u["cache_write_tokens"],
                cache_read_input_tokens=u["cached_tokens"],
            )
            totals.append(sum(litellm.cost_per_token(model=model, usage_object=usage)))
        out.append({"model": model, "card": card, "totals": totals})
    return out


if __name__ == "__main__":
    print(json.dumps(main(*json.load(sys.stdin))))
