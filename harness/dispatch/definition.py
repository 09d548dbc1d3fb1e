"""What types of sub-agent there are (seed documents 001, section 3, and 004, "Layer 1: Subagent")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from harness.accounting.purposes import Purpose, Stance
from harness.agents.tools import TAGS, Tool, with_tags
from harness.errors import ConfigError, unknown
from harness.topology import Topology

READ_ONLY = ["read", "exec"]
"""Tags of whoever may look at everything and change nothing: what runs, runs on a read-only copy."""

_PRODUCT: Mapping[str, tuple[Purpose, Stance, Purpose | None]] = MappingProxyType(
    {
        "answer": (Purpose.ANSWER, Stance.WORKER, None),
        "plan": (Purpose.PLAN, Stance.WORKER, Purpose.PLAN),
        "review": (Purpose.REVIEW, Stance.REVIEWER, Purpose.REVIEW),
    }
)


@dataclass(frozen=True)
class SubAgent:
    """One type. ``does``: what a lead reads of it; ``prompt``: what it reads of itself; ``tags``: the whitelist by
    which it gets those of its parent's tools all of whose tags are in it; ``makes``: an answer, a plan, or a review.
    ``inside``: the topology that such a worker is, instead of an agent; it then needs no ``prompt``."""

    name: str = ""
    does: str = ""
    prompt: str = ""
    tags: list[str] = field(default_factory=lambda: ["read"])
    makes: Literal["answer", "plan", "review"] = "answer"
    inside: Topology | None = None

    def __post_init__(self) -> None:
        for tag in self.tags:
            if tag not in TAGS:
                raise ConfigError(unknown(f"tag of sub-agent type '{self.name}'", tag, TAGS))

    @property
    def intent(self) -> Purpose:
        return _PRODUCT[self.makes][0]

    @property
    def stance(self) -> Stance:
        return _PRODUCT[self.makes][1]

    @property
    def product(self) -> Purpose | None:
        """What its final texts are to the ledger, None if that depends on what they restate."""
        return _PRODUCT[self.makes][2]

    def tools(self, parents: Sequence[Tool]) -> tuple[Tool, ...]:
        """Its tools: never more than its parent's own."""
        return with_tags(parents, frozenset(self.tags))


BUILT_IN: Mapping[str, SubAgent] = MappingProxyType(
    {
        s.name: s
        for s in (
            SubAgent(
                "research", "reads much and reports the little that was asked for",
                "Read everything that the order names, then report only what it asks for.", ["read"],
            ),
            SubAgent(
                "explore", "quick read-only search: finds where something is",
                "Search quickly, change nothing, and report where you found what the order asks for.", READ_ONLY,
            ),
            SubAgent(
                "plan", "looks and writes a plan, changes nothing",
                "Look before you plan, change nothing, and report a plan of numbered steps.", READ_ONLY, "plan",
            ),
            SubAgent(
                "coder", "writes and runs code",
                "Make the change that the order asks for, run what proves it, and report what you changed.",
                ["read", "write", "exec"],
            ),
            SubAgent(
                "reviewer", "judges a product independently, changes nothing",
                "Judge the product against the order, change nothing, and report each defect with its evidence.",
                READ_ONLY, "review",
            ),
            SubAgent(
                "general_purpose", "any other task of several steps",
                "Do what the order asks for, step by step, and report the result.", ["read", "write", "exec"],
            ),
        )
    }
)  # fmt: skip
"""Type name → definition."""


def chosen(
    names: Sequence[str], own: Sequence[SubAgent], inside: Mapping[str, Topology] | None = None
) -> dict[str, SubAgent]:
    """The types that a lead may dispatch, by name; ``own`` definitions come beside the built-in ones. ``inside``: types
    that are topologies, known ones or new ones. Raises ConfigError for a name that is unknown, empty or repeated."""
    known = dict(BUILT_IN)
    for definition in own:
        if not definition.name.isidentifier() or definition.name in known:
            raise ConfigError(
                f"topology.definitions: the name '{definition.name}' is empty, taken or no plain word; "
                f"taken are {', '.join(known)}."
            )
        if not (definition.does.strip() and (definition.prompt.strip() or definition.inside is not None)):
            raise ConfigError(
                f"topology.definitions: '{definition.name}' needs `does`, what its lead reads of it, and `prompt`, "
                "what it reads of itself (or `inside`, a topology)."
            )
        known[definition.name] = definition
    for name in names:
        if name not in known:
            raise ConfigError(unknown("topology.types entry", name, known))
    if not (names or own or inside) or len(set(names)) < len(names):
        raise ConfigError(f"topology.types={list(names)}: name each type once, and at least one.")
    for name, topology in (inside or {}).items():
        if not name.isidentifier():
            raise ConfigError(f"topology.inside: '{name}' is no plain word, and so no name of a type of sub-agent.")
        new = SubAgent(
            name,
            f"a team of its own ({type(topology).__name__.lower()}): does a whole part",
            tags=["read", "write", "exec"],
        )
        known[name] = replace(known.get(name, new), inside=topology)
    offered = dict.fromkeys((*names, *(d.name for d in own), *(inside or {})))
    return {name: known[name] for name in offered}
