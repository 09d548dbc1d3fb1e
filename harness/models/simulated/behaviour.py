"""What the simulated model does well and badly: every parameter, by theme.

Values, units and sources stand beside each other in ``conf/model/simulated.yaml``; the defaults here are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.errors import ConfigError
from harness.models.simulated.checks import at_least, probabilities


@dataclass(frozen=True, slots=True)
class Reading:
    """``parallel``: most documents asked for in one completion."""

    parallel: int = 8

    def __post_init__(self) -> None:
        at_least(1, "behaviour.reading.parallel", self.parallel)


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """A wrong tool or name is used with probability ``per_tool`` for each tool offered beyond ``free``."""

    free: int = 5
    per_tool: float = 0.01

    def __post_init__(self) -> None:
        at_least(0, "behaviour.tool_choice.free", self.free)
        probabilities("behaviour.tool_choice", self, "per_tool")


@dataclass(frozen=True, slots=True)
class Attention:
    """``dilution``: accuracy lost at a full window, linear in prompt over window. ``middle``: accuracy lost for
    evidence in the middle of a prompt, a parabola that is 0 at both ends; in full from ``middle_from_tokens`` of
    prompt, in proportion below."""

    dilution: float = 0.30
    middle: float = 0.07
    middle_from_tokens: int = 4000

    def __post_init__(self) -> None:
        probabilities("behaviour.attention", self, "dilution", "middle")
        at_least(1, "behaviour.attention.middle_from_tokens", self.middle_from_tokens)


@dataclass(frozen=True, slots=True)
class Answering:
    """``accuracy``: mean share of right entries when the evidence stands alone in a short prompt. ``spread``: the
    easiest item is so much above it, the hardest so much below. ``mixup``: accuracy lost for each further document in
    the prompt, where one of them holds an answer to confuse with. Of the other errors, ``omitted`` leave the entry
    out, ``misplaced`` cite a wrong place, the rest are wrong answers. ``correlation``: share of draws that all agents
    of one model have in common. ``guess``: chance to invent an entry without evidence. ``repeated``: chance that an
    entry is written twice at a full window, linear in prompt over window."""

    accuracy: float = 0.95
    spread: float = 0.05
    mixup: float = 0.001
    omitted: float = 0.25
    misplaced: float = 0.15
    correlation: float = 0.5
    guess: float = 0.01
    repeated: float = 0.10

    def __post_init__(self) -> None:
        names = ("accuracy", "spread", "mixup", "omitted", "misplaced", "correlation", "guess", "repeated")
        probabilities("behaviour.answering", self, *names)
        if self.omitted + self.misplaced > 1:
            raise ConfigError(
                f"model.behaviour.answering: omitted={self.omitted} and misplaced={self.misplaced} are shares of one "
                "whole; their sum must not pass 1."
            )


@dataclass(frozen=True, slots=True)
class Relay:
    """An entry taken over from another agent's message is altered with probability ``drift``; of those, a share
    ``lost`` is left out and the rest becomes a wrong entry."""

    drift: float = 0.02
    lost: float = 0.5

    def __post_init__(self) -> None:
        probabilities("behaviour.relay", self, "drift", "lost")


@dataclass(frozen=True, slots=True)
class Review:
    """``catch``: chance that a reviewer who holds the evidence notices a wrong entry of somebody else; ``self_catch``:
    of its own, asked to check it. ``false_alarm``: chance that it takes a right entry for wrong."""

    catch: float = 0.6
    self_catch: float = 0.2
    false_alarm: float = 0.02

    def __post_init__(self) -> None:
        probabilities("behaviour.review", self, "catch", "self_catch", "false_alarm")


@dataclass(frozen=True, slots=True)
class Debate:
    """``conform``: chance that an entry gives way to the one that most others hold."""

    conform: float = 0.5

    def __post_init__(self) -> None:
        probabilities("behaviour.debate", self, "conform")


@dataclass(frozen=True, slots=True)
class Clarify:
    """``rate``: chance that a member asks back before it starts on a task."""

    rate: float = 0.05

    def __post_init__(self) -> None:
        probabilities("behaviour.clarify", self, "rate")


@dataclass(frozen=True, slots=True)
class Asking:
    """``rate``: chance that an agent that finds several figures for one line of the request asks which is meant (by a
    tool, or as a member its lead) before it takes the one that seems natural."""

    rate: float = 0.7

    def __post_init__(self) -> None:
        probabilities("behaviour.asking", self, "rate")


@dataclass(frozen=True, slots=True)
class Progress:
    """``rate``: chance that a member reports progress on a task that names at least ``min_documents`` documents."""

    rate: float = 0.1
    min_documents: int = 4

    def __post_init__(self) -> None:
        probabilities("behaviour.progress", self, "rate")
        at_least(1, "behaviour.progress.min_documents", self.min_documents)


@dataclass(frozen=True, slots=True)
class Agreement:
    """``announce``: chance that a member whose part depends on something open tells its peers what it takes, before it
    writes."""

    announce: float = 0.9

    def __post_init__(self) -> None:
        probabilities("behaviour.agreement", self, "announce")


@dataclass(frozen=True, slots=True)
class Protocol:
    """What a lead does whose prompt does not say that replies arrive by themselves. ``pretend``: chance that it only
    pretends to wait while results are outstanding. ``invent``: chance that it makes up what it has not received."""

    pretend: float = 0.35
    invent: float = 0.15

    def __post_init__(self) -> None:
        probabilities("behaviour.protocol", self, "pretend", "invent")
        if self.pretend + self.invent > 1:
            raise ConfigError(
                f"model.behaviour.protocol: pretend={self.pretend} and invent={self.invent} exclude each other; their "
                "sum must not pass 1."
            )


@dataclass(frozen=True, slots=True)
class Delegation:
    """``tendency``: chance that a member tries to hand a task on. ``trouble``: chance that a document holds a piece
    that makes whoever is to read it hand it on instead, where a tool for that is offered and no order forbids it."""

    tendency: float = 0.0
    trouble: float = 0.03

    def __post_init__(self) -> None:
        probabilities("behaviour.delegation", self, "tendency", "trouble")


@dataclass(frozen=True, slots=True)
class Planning:
    """``documents_per_part``: documents that a lead gives to one sub-agent (members of a roster share all of them);
    ``files_per_part``: files to be written, where nothing has to be read first. ``decides``: chance that a lead whose
    parts depend on something open decides it in its orders. ``chain``: chance that a planner makes its steps depend on
    each other in a row. ``misassign``: chance that it gives a question to another expert than the one whose field it
    is."""

    documents_per_part: int = 3
    files_per_part: int = 1
    decides: float = 0.3
    chain: float = 0.0
    misassign: float = 0.02

    def __post_init__(self) -> None:
        probabilities("behaviour.planning", self, "decides", "chain", "misassign")
        at_least(1, "behaviour.planning.documents_per_part", self.documents_per_part)
        at_least(1, "behaviour.planning.files_per_part", self.files_per_part)


@dataclass(frozen=True, slots=True)
class Exploring:
    """``rate``: chance that an expert that may send explorers out has one read for it."""

    rate: float = 0.5

    def __post_init__(self) -> None:
        probabilities("behaviour.exploring", self, "rate")


@dataclass(frozen=True, slots=True)
class Architect:
    """``revise``: chance that an architect has a step done once more by an order of its own; else it accepts it."""

    revise: float = 0.5

    def __post_init__(self) -> None:
        probabilities("behaviour.architect", self, "revise")


@dataclass(frozen=True, slots=True)
class Orders:
    """What a worker does where its order leaves it open. ``loose``: chance that its entries have no fields but question
    and answer, when it was not shown the form. ``copy``: chance that an entry carries the passage that it comes from,
    when nothing rules out fields that were not asked for. ``widen``: chance, on top of ``answering.guess``, that it
    makes an entry up without evidence, when it was not told to keep to the task and say what blocks it."""

    loose: float = 0.3
    copy: float = 0.3
    widen: float = 0.05

    def __post_init__(self) -> None:
        probabilities("behaviour.orders", self, "loose", "copy", "widen")


@dataclass(frozen=True, slots=True)
class Retry:
    """``harden``: chance that a wrong entry comes back unchanged from a revision that does not name it."""

    harden: float = 0.7

    def __post_init__(self) -> None:
        probabilities("behaviour.retry", self, "harden")


@dataclass(frozen=True, slots=True)
class Malformed:
    """``rate``: chance that a completion is broken: the arguments of a tool call, or the JSON of a deliverable, cut
    off. ``length``: share of these that say so (finish reason ``length``). ``tags``: chance that a
    delegation written as a tag into the text is malformed."""

    rate: float = 0.005
    length: float = 0.5
    tags: float = 0.03

    def __post_init__(self) -> None:
        probabilities("behaviour.malformed", self, "rate", "length", "tags")


@dataclass(frozen=True, slots=True)
class Behaviour:
    """All of it."""

    reading: Reading = field(default_factory=Reading)
    tool_choice: ToolChoice = field(default_factory=ToolChoice)
    attention: Attention = field(default_factory=Attention)
    answering: Answering = field(default_factory=Answering)
    relay: Relay = field(default_factory=Relay)
    review: Review = field(default_factory=Review)
    debate: Debate = field(default_factory=Debate)
    clarify: Clarify = field(default_factory=Clarify)
    asking: Asking = field(default_factory=Asking)
    progress: Progress = field(default_factory=Progress)
    agreement: Agreement = field(default_factory=Agreement)
    protocol: Protocol = field(default_factory=Protocol)
    planning: Planning = field(default_factory=Planning)
    exploring: Exploring = field(default_factory=Exploring)
    architect: Architect = field(default_factory=Architect)
    orders: Orders = field(default_factory=Orders)
    delegation: Delegation = field(default_factory=Delegation)
    retry: Retry = field(default_factory=Retry)
    malformed: Malformed = field(default_factory=Malformed)
