"""Who a lead may address, and which types of message may go which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.accounting.parts import OUTSIDE
from harness.accounting.purposes import Purpose
from harness.agents.tools import TAGS, Tool, granted
from harness.errors import ConfigError, unknown
from harness.topology import Topology

ROSTER_CAP = 8
"""Most members of one lead's team (seed document 000, section 8)."""
NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi")
"""Default members, in order, which is the order in which those act that are free at the same instant."""
LONGEST_NAME = 64
"""Characters of a member's name: it stands in prompts and in ids of sessions."""
LEAD = "lead"
SPACE = "default"

TYPE_PURPOSE = {
    "task": Purpose.DISPATCH,
    "clarify": Purpose.SYNC,
    "clarify_resp": Purpose.SYNC,
    "progress": Purpose.SYNC,
    "result": Purpose.REPORT,
    "revision": Purpose.FEEDBACK,
    "shutdown": Purpose.SCAFFOLD,
}
"""Message type → purpose of its tokens, a result's payload excepted."""
DOWNWARD = frozenset({"task", "clarify_resp", "revision", "shutdown"})
UPWARD = frozenset({"clarify", "progress", "result"})
SIDEWAYS = frozenset({"clarify", "clarify_resp", "progress", "result"})


@dataclass(frozen=True)
class Member:
    """One configured agent. ``brief``: its specialty, appended to its system prompt. ``active`` and ``space`` are
    checked when it is loaded. ``team``: its own members when it leads; ignored when it is loaded as a worker. ``tags``:
    the task's tools it may use, by tag (read, write, exec, ask); None: all but those that ask whoever set the task,
    which is the lead's business: a member asks the lead. ``specialties``: roles of ``Sample.specialties`` whose part of
    the task's brief it gets, and of no other; None: the whole brief. ``inside``: the topology that this member is,
    instead of an agent; it then has no ``brief``, and its agents' prompts are that topology's."""

    name: str = ""
    brief: str = ""
    active: bool = True
    space: str = SPACE
    team: list[str] = field(default_factory=list)
    tags: list[str] | None = None
    specialties: list[str] | None = None
    inside: Topology | None = None

    def __post_init__(self) -> None:
        for tag in self.tags or ():
            if tag not in TAGS:
                raise ConfigError(unknown(f"tag of member '{self.name}'", tag, TAGS))
        if self.inside is not None and self.brief:
            raise ConfigError(
                f"topology.roster: member '{self.name}' has a brief, and is a topology (inside): nobody would read it. "
                "Leave one of them out; what its agents know are its specialties."
            )

    def tools(self, task_tools: Sequence[Tool]) -> tuple[Tool, ...]:
        """Those of the task's tools that it may use."""
        return granted(task_tools, self.tags)


def check_roster(members: Sequence[Member]) -> None:
    """Raise ConfigError for a team that is empty, too large, or has a name that is taken, empty or reserved."""
    if not 1 <= len(members) <= ROSTER_CAP:
        raise ConfigError(
            f"topology.roster has {len(members)} members; a team has 1 to {ROSTER_CAP}. Set topology.workers or "
            "topology.roster."
        )
    names = [m.name for m in members]
    for name in names:
        plain = name.isprintable() and "/" not in name and len(name) <= LONGEST_NAME
        if not name or not plain or name == LEAD or name in OUTSIDE or names.count(name) > 1:
            raise ConfigError(
                f"topology.roster: the name {name[:LONGEST_NAME]!r} is empty, repeated or reserved "
                f"({', '.join(sorted({LEAD, *OUTSIDE}))}), or not one line of at most {LONGEST_NAME} characters "
                "without '/'."
            )


def allowed_types(sender: str, recipient: str, lead: str | None) -> frozenset[str]:
    """The message types that may go from one agent to another. ``lead``: who leads them, None among equals."""
    if sender == lead:
        return DOWNWARD
    return UPWARD if recipient == lead else SIDEWAYS
