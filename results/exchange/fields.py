"""What can be read of a row that comes from elsewhere, and where the files of ``export`` have it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FIELDS: Mapping[str, str] = MappingProxyType(
    {
        "agent": "who did it: becomes the topology's name",
        "task": "the benchmark or suite; without it, --task or the file's name",
        "sample": "the item of the benchmark; without it, each task is one sample",
        "epoch": "which repetition (also called run): a whole number, or names, numbered in their order",
        "score": "0 to 1, or true and false",
        "passed": "true or false; without it, whether the score reaches the threshold",
        "threshold": "the score from which a run has passed; without it, --threshold or 1",
        "prompt_tokens": "tokens read, cached ones included",
        "completion_tokens": "tokens written, reasoning included",
        "tokens": "both together, where they are not told apart",
        "tokens_by_model": "MODEL:PROMPT/COMPLETION, several parted by semicolons, or a JSON object of pairs",
        "usd": "USD as billed",
        "usd_uncached": "USD as if nothing had been cached; without it, as billed",
        "usd_complete": "false where the amount leaves something out: such an amount is not known",
        "pusd": "whole picodollars (10⁻¹² USD) as billed, in place of usd",
        "seconds": "wall-clock",
        "cluster": "samples of one cluster are no independent evidence; without it, each sample is its own",
        "model": "the model's name",
        "status": "ok, limit, timeout, failed or error; other words by way of statuses",
        "error": "what went wrong; without a status, a run that has one is an error",
        "family": "single or team; without it, --single and --family",
        "experiment": "which experiment; without it, --experiment or the file's name",
        "material": "a digest of what the sample consists of: samples of one name are compared only if it is equal",
        "params": "a JSON object of what the agent and the task were set to",
        "ablate": "what was left out of the agent",
        "without_usage": "how many of the run's calls have no usage: if any, its tokens are not known",
        "simulated": "true where no model was asked; read also from a column of that name that is not mapped",
    }
)
"""Field → what it holds."""
ALIASES: Mapping[str, str] = MappingProxyType({"run": "epoch"})
REQUIRED = ("agent",)

EXPORTED: Mapping[str, str] = MappingProxyType(
    {
        "agent": "topology",
        "task": "task",
        "sample": "sample_id",
        "epoch": "epoch",
        "score": "score",
        "passed": "passed",
        "threshold": "pass_threshold",
        "prompt_tokens": "prompt_tokens",
        "completion_tokens": "completion_tokens",
        "pusd": "cost_pusd",
        "usd_uncached": "cost_uncached_usd",
        "usd_complete": "cost_complete",
        "seconds": "wall_s",
        "cluster": "cluster_id",
        "model": "model",
        "status": "status",
        "error": "error",
        "family": "family",
        "experiment": "experiment_id",
        "material": "material_hash",
        "params": "params",
        "ablate": "ablate",
        "without_usage": "without_usage",
        "simulated": "simulated",
    }
)
"""Field → column of the ``runs`` that ``export`` writes: the map that is called ``export``."""
