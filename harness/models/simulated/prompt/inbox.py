"""Messages from other agents, and tasks from a board, as they stand in a prompt."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_HEADER = re.compile(r"^\[(?:inbox|board)\] (\w+) (\S+) from (.+?)(?:, in reply to (\S+))?:$", re.M)
_CONTEXT = "\n[context] "
ERROR = "[error]"
"""How the result of a member that failed begins."""


class Block(NamedTuple):
    """One message. ``at``: which message of the conversation brought it, counted from 0."""

    at: int
    type: str
    msg_id: str
    sender: str
    in_reply_to: str
    content: str
    context: str

    @property
    def failed(self) -> bool:
        return self.type == "result" and self.content.lstrip().startswith(ERROR)


@lru_cache(maxsize=4096)
def parse_inbox(text: str, at: int) -> tuple[Block, ...]:
    """All messages in one text, in order."""
    if "[inbox] " not in text and "[board] " not in text:
        return ()
    heads = list(_HEADER.finditer(text))
    ends = [h.start() for h in heads[1:]] + [len(text)]
    blocks = []
    for head, end in zip(heads, ends, strict=False):
        content, _, context = text[head.end() + 1 : end].removesuffix("\n").partition(_CONTEXT)
        blocks.append(Block(at, head[1], head[2], head[3], head[4] or "", content, context))
    return tuple(blocks)
