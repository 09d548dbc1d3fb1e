"""The material that orders refer to by name, as the engine reads it to check results against it."""

from __future__ import annotations

from collections.abc import Sequence

from harness.accounting.parts import ENGINE, joined
from harness.accounting.purposes import Purpose
from harness.agents.offer import Offer
from harness.agents.tools import TAGS, Arguments, Tool, ToolFailed


class Materials:
    """The material of one sample, through those of its task tools that read a piece of it by name (``Tool.reference``).

    The engine reads for itself: no model is called, no token is spent, and no agent has read anything thereby. Each
    name is read once and kept as long as the instance.
    """

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.actions = frozenset(t.name for t in tools) | TAGS
        """What an order may forbid by name: these tools, and the tags of any."""
        self._readers = tuple(t for t in tools if t.reference is not None)
        self._read: dict[str, tuple[str | None, str]] = {}

    @property
    def known(self) -> bool:
        """Whether any tool reads material by name. Without one no name can be said to be missing."""
        return bool(self._readers)

    async def read(self, ref: str) -> str | None:
        """The text that the first tool to know this name gives for it; None if every tool fails on it. Any exception
        but ToolFailed is a defect of the tool and propagates."""
        return (await self._entry(ref))[0]

    async def missing(self, refs: Sequence[str]) -> list[str]:
        """One sentence for each name that cannot be read, with what the tool says about it."""
        told = []
        for ref in refs:
            text, fault = await self._entry(ref)
            if text is None:
                told.append(f"input_ref '{ref}' cannot be read: {fault}")
        return told

    async def _entry(self, ref: str) -> tuple[str | None, str]:
        """(text, "") or (None, what the last tool said)."""
        if ref not in self._read:
            self._read[ref] = await self._ask(ref)
        return self._read[ref]

    async def _ask(self, ref: str) -> tuple[str | None, str]:
        told = "no tool reads material by name."
        for tool in self._readers:
            arguments = Arguments({str(tool.reference): ref})
            # As before an agent's call: tools rely on it that their arguments fit.
            fault = Offer.of((tool,), Purpose.TASK, ENGINE).fault(tool, arguments)
            if fault is not None:
                told = fault
                continue
            try:
                result = await tool.run(arguments)
            except ToolFailed as failed:
                told = str(failed)
                continue
            if tool.material is not None:
                return tool.material(ref), ""
            return (result if isinstance(result, str) else joined(tuple(result))), ""
        return None, told
