"""Counting tokens offline. Counts are weights and declared sizes; a provider's usage is the truth about a bill."""

from __future__ import annotations

import importlib.util
import os
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from harness.errors import HarnessError

if TYPE_CHECKING:
    import tiktoken

ENCODING = "o200k_base"
PIECE = 100_000
"""Characters counted at once; a longer text may count a token more at each cut."""


@cache
def _encoding() -> tiktoken.Encoding:
    """The o200k_base encoding from the file that litellm's package ships, found without importing litellm."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or not spec.submodule_search_locations:
        raise HarnessError(
            "the tokenizer files are missing: they ship with the package 'litellm'. Run: pip install litellm"
        )
    shipped = Path(spec.submodule_search_locations[0], "litellm_core_utils", "tokenizers")
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(shipped)
    try:
        import tiktoken

        return tiktoken.get_encoding(ENCODING)
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


@lru_cache(maxsize=4096)
def count_tokens(text: str) -> int:
    """Number of o200k_base tokens; text that looks like a special token counts as ordinary text."""
    if not text:
        return 0
    if len(text) > PIECE:  # the tokeniser breaks down over some texts of a million characters (of blanks, say)
        return sum(count_tokens(text[i : i + PIECE]) for i in range(0, len(text), PIECE))
    try:
        return len(_encoding().encode_ordinary(text))
    except UnicodeEncodeError:  # lone surrogates, as a broken file or model may produce
        return len(_encoding().encode_ordinary(text.encode("utf-8", "replace").decode("utf-8")))
