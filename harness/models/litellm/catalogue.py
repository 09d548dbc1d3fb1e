"""What litellm knows about a model before anything is sent: its provider, its entry in the table, its keys."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from typing import Any

from harness.errors import ConfigError
from harness.models.litellm.library import library

_ASKS_ITS_SERVER = frozenset({"ollama", "ollama_chat"})
"""Providers about whose unlisted models litellm asks a server; that is no business of a price or a size."""
_OTHER_SIGN_IN = frozenset({"azure", "azure_ai", "bedrock", "databricks", "sagemaker", "vertex_ai"})
"""Providers that also take roles, profiles or tokens, so that a missing key proves nothing."""
_OPTIONAL = frozenset({"seed", "response_format"})
_CLOSE = 5
"""Names suggested for one that is wrong."""


def provider_of(name: str, where: str) -> str:
    """The provider that litellm would send this model's requests to. Raises ConfigError when there is none.
    ``where``, here and below: the model's node in the configuration, ``model`` or ``model.roles.ROLE``."""
    litellm = library()
    try:
        _, provider, _, _ = litellm.get_llm_provider(model=name)
    except Exception:  # litellm's own error runs over several lines
        known = [str(getattr(p, "value", p)) for p in litellm.provider_list]
        given, slash, rest = name.partition("/")
        close = difflib.get_close_matches(given, known, n=_CLOSE, cutoff=0.5)
        guess = f" Did you mean {' or '.join(f'{c}/{rest}' for c in close)}?" if slash and close else ""
        raise ConfigError(
            f"{where}.name={name}: litellm knows no provider for it.{guess} Write provider/model, such as "
            f"openai/gpt-4o-mini; `python -c 'import litellm; print(litellm.provider_list)'` lists "
            f"all {len(known)} providers.",
            key=f"{where}.name", value=name,
        ) from None  # fmt: skip
    return str(provider)


def table_entry(name: str) -> Mapping[str, Any] | None:
    """What litellm's table says about a model (sizes in tokens, prices in USD); None if it has no entry. What litellm
    makes up for names that look like a known family's does not count."""
    litellm = library()
    if name.partition("/")[0] in _ASKS_ITS_SERVER and name not in litellm.model_cost:
        return None
    try:
        entry: Mapping[str, Any] = litellm.get_model_info(name)
    except Exception:  # a bare Exception for a model that is not in the table
        return None
    return entry if entry["key"] in litellm.model_cost else None


def window_of(name: str, provider: str, where: str) -> int:
    """Tokens that fit the model's prompt. Raises ConfigError that names the key to set when litellm does not know."""
    entry = table_entry(name) or {}
    tokens = entry.get("max_input_tokens") or entry.get("max_tokens")
    if tokens:
        return int(tokens)
    own = {str(m).removeprefix(f"{provider}/") for m in library().models_by_provider.get(provider, ())}
    close = difflib.get_close_matches(name.removeprefix(f"{provider}/"), own, n=_CLOSE)
    guess = f" Did you mean {' or '.join(f'{provider}/{c}' for c in close)}?" if close else ""
    raise ConfigError(
        f"{where}.name={name}: not in litellm's table, or without a size there.{guess} If the name is right, say how "
        f"many tokens its prompt may have: {where}.window_tokens=N.",
        key=f"{where}.window_tokens", value=name,
    )  # fmt: skip


def left_out(name: str, provider: str) -> frozenset[str]:
    """The request's optional fields that this provider does not take: of ``seed`` and ``response_format``."""
    known = library().get_supported_openai_params(name, provider)  # None for a provider that litellm cannot tell about
    return frozenset() if known is None else _OPTIONAL - frozenset(known)


def refuse_missing_key(name: str, provider: str, api_base: str | None) -> None:
    """Raise ConfigError that names the environment variable which this model's provider needs, where litellm can
    tell."""
    if provider in _OTHER_SIGN_IN:
        return
    blank = {name: os.environ.pop(name) for name, value in list(os.environ.items()) if not value.strip()}
    try:  # litellm takes a variable that is set to nothing for a key
        missing = library().validate_environment(name, api_base=api_base)["missing_keys"]
    finally:
        os.environ.update(blank)
    keys = [str(variable) for variable in missing if str(variable).endswith(("_KEY", "_TOKEN"))]
    if keys:
        server = "" if api_base is None else " (any text will do for a server that asks for none)"
        raise ConfigError(
            f"model '{name}' needs the environment variable {' or '.join(keys)}, which is not set or empty: "
            f"export it before the command{server}.",
            variables=keys,
        )
    _refuse_odd_keys(name, api_base)


def _refuse_odd_keys(name: str, api_base: str | None) -> None:
    """Raise ConfigError for a key that no HTTP header can carry, such as one read from a file with its line break."""
    hidden = {n: os.environ.pop(n) for n in list(os.environ) if n.endswith(("_KEY", "_TOKEN"))}
    try:
        asked = library().validate_environment(name, api_base=api_base)["missing_keys"]
    finally:
        os.environ.update(hidden)
    for variable in asked:
        key = hidden.get(str(variable), "")
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ConfigError(
                f"the environment variable {variable} holds characters that no HTTP header can carry (blanks, line "
                "breaks or other than ASCII): correct it.",
                variables=[str(variable)],
            )


def refuse_unknown_prices(name: str, where: str) -> None:
    """Raise ConfigError when ``prices_as`` names no model of litellm's table."""
    if table_entry(name) is None:
        close = difflib.get_close_matches(name, list(library().model_cost), n=_CLOSE)
        guess = f" Did you mean {' or '.join(close)}?" if close else ""
        raise ConfigError(
            f"{where}.prices_as={name}: not in litellm's table.{guess} Name a model that is, or give {where}.price.",
            key=f"{where}.prices_as", value=name,
        )  # fmt: skip
