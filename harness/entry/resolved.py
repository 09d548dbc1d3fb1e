"""A composed configuration as plain values: to build from, to keep on record, and to tell apart."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from omegaconf import DictConfig, OmegaConf

HIDDEN = "***"

_SECRET = re.compile(r"(?:^|[_.-])(?:key|apikey|secret|password|passwd|token|credentials?|authorization)$", re.I)
_USER = re.compile(r"://[^/@\s]*@")
_SETTING = re.compile(r"^(?P<start>[+~]*(?P<key>[\w./@-]+)=)(?P<value>.*)$", re.S)
_TELLING = 8
"""Shortest text from the environment that is looked for within longer values; shorter ones occur by chance."""

NO_EFFECT = ("store", "concurrency", "shuffle", "progress", "summary", "report", "plan", "epochs")
"""Top-level keys that cannot change what one run returns."""
CHOOSING = ("limit", "sample_ids")
"""Keys of a suite that say which samples are run, not what happens in them."""


def plain(config: DictConfig) -> dict[str, Any]:
    """All values, interpolations resolved. Raises OmegaConf's errors for what cannot be resolved or has no value."""
    return _container(config, resolve=True)


def recorded(config: DictConfig) -> dict[str, Any]:
    """All values fit to be written down: no secret, and nothing that was taken from the environment."""
    values, taken = plain(config), set[str]()
    _collect(_container(config, resolve=False), values, taken)
    return {key: _shown(key, value, taken) for key, value in values.items()}


def fingerprint(record: Mapping[str, Any]) -> str:
    """sha256 (hex) of a recorded configuration without what cannot change a run's result."""
    kept = {key: value for key, value in record.items() if key not in NO_EFFECT}
    if isinstance(kept.get("task"), Mapping):
        kept["task"] = {key: value for key, value in kept["task"].items() if key not in CHOOSING}
    return hashlib.sha256(canonical(kept).encode()).hexdigest()


def canonical(value: Any) -> str:
    """JSON text that is the same for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def hide(override: str) -> str:
    """An override fit to be written down."""
    match = _SETTING.match(override)
    if match and _SECRET.search(match["key"]):
        return match["start"] + HIDDEN
    return _USER.sub(f"://{HIDDEN}@", override)


def _container(config: DictConfig, *, resolve: bool) -> dict[str, Any]:
    values = OmegaConf.to_container(config, resolve=resolve, throw_on_missing=resolve)
    return {str(key): value for key, value in values.items()} if isinstance(values, dict) else {}


def _collect(raw: Any, value: Any, taken: set[str]) -> None:
    """Collect the values that interpolations took from the environment."""
    if isinstance(raw, Mapping) and isinstance(value, Mapping):
        for key, entry in raw.items():
            _collect(entry, value[key], taken)
    elif isinstance(raw, list) and isinstance(value, list):
        for entry, resolved in zip(raw, value, strict=True):
            _collect(entry, resolved, taken)
    elif isinstance(raw, str) and "oc.env" in raw and value not in (None, ""):
        taken.add(str(value))


def _shown(key: str, value: Any, taken: set[str]) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _shown(str(k), v, taken) for k, v in value.items()}
    if isinstance(value, list):
        return [_shown(key, v, taken) for v in value]
    if value is not None and (_SECRET.search(key) or str(value) in taken):
        return HIDDEN
    if not isinstance(value, str):
        return value
    for secret in taken:
        if len(secret) >= _TELLING:
            value = value.replace(secret, HIDDEN)
    return _USER.sub(f"://{HIDDEN}@", value)
