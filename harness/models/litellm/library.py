"""The real litellm: imported when it is first needed, and kept quiet."""

from __future__ import annotations

import logging
import os
from functools import cache
from typing import Any


@cache
def library() -> Any:
    """The module ``litellm``, with its own price table (none is fetched), nothing printed and no callback.

    Importing it takes seconds and 200 MB, so only a model that sends something real, or is to be priced, asks for it.
    """
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")  # otherwise it reads keys from any .env file nearby
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = False  # it would drop tools without a word
    litellm.turn_off_message_logging = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).disabled = True
    return litellm
