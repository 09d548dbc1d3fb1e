"""A model that plays a hand-written transcript: for proofs and tests.

The transcript is a YAML or JSON file. It knows no roles: what to say is chosen by the text of the request alone::

    conversations:
      - when:                                  # the first conversation whose texts all occur is played
          system_contains: You lead a team     # in the system messages; a text or a list of texts
          first_contains: Questions            # in the first user message
          model: scripted-strong               # the model that is asked, exactly: only of those beside the main one
        steps:                                 # one for each request, in order, for each agent of each run anew
          - last_contains: Documents           # must occur in what came since the agent last spoke
            text: I split the work.            # what is said; empty by default
            tool_calls:                        # none by default
              - name: send_message
                arguments: {to: alice, type: task, content: Read a.txt.}   # a mapping, or raw text
            latency_s: 2.0                     # seconds; the model's latency_s by default
            finish_reason: stop                # by default tool_calls if there are any, else stop
          - last_contains: "[inbox] clarify"
            tool_calls:
              - name: send_message
                arguments: {to: alice, type: clarify_resp, content: "Yes.", inReplyTo: "{{msg_id of last clarify}}"}

All conditions are optional. In texts and arguments, ``{{msg_id of last TYPE}}`` and ``{{msg_id of last TYPE from
NAME}}`` stand for the id of the latest such message in the inbox. A request that no conversation or no step fits raises
ScriptError; so does ``close`` when a conversation was begun and not played to its end, or never begun by any agent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from harness.accounting.prices import CardPricing, PriceCard, Pricing, UnpricedModel
from harness.accounting.tokens import count_tokens
from harness.accounting.usage import Usage
from harness.clock.protocol import Clock
from harness.errors import ScriptError, unknown
from harness.models.protocol import Model, Request, Response, ToolCall
from harness.models.roles import STRONG
from harness.models.simulated.draws import ORDINAL_BITS
from harness.models.simulated.prompt.inbox import Block, parse_inbox
from harness.models.simulated.prompt.wire import WireMessage, completion_tokens, prompt_of, wire

_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_MSG_ID = re.compile(r"msg_id of last (\w+)(?: from (.+))?")
SHOWN = 300
"""Characters of a request that an error quotes."""


@dataclass(frozen=True, slots=True)
class Step:
    """One completion. ``calls``: name and arguments, a mapping or raw text."""

    last_contains: tuple[str, ...]
    text: str
    calls: tuple[tuple[str, Any], ...]
    latency_s: float | None
    finish_reason: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """What one agent says. ``number``: its place in the file, from 1; ``model``: None for any."""

    number: int
    system_contains: tuple[str, ...]
    first_contains: tuple[str, ...]
    model: str | None
    steps: tuple[Step, ...]

    def fits(self, messages: Sequence[WireMessage], model: str) -> bool:
        if self.model not in (None, model):
            return False
        system = "\n".join(m.text for m in messages if m.role in ("system", "developer"))
        first = next((m.text for m in messages if m.role == "user"), "")
        return all(t in system for t in self.system_contains) and all(t in first for t in self.first_contains)


@dataclass
class ScriptedModel:
    """Plays the transcript at ``path`` (``harness.models.protocol.Model``).

    ``latency_s``: seconds a step takes unless it says otherwise. ``price``: USD per million tokens, None: unpriced.
    Usage is counted as for the simulated model, without a cache. ``also`` (key ``roles``): names under which topologies
    may ask for another model; each is called by the main one's name and its own (``scripted-strong``), and is played
    from the same transcript.
    """

    path: Path
    name: str = "scripted"
    window_tokens: int = 128_000
    latency_s: float = 1.0
    price: PriceCard | None = None
    also: list[str] = field(default_factory=lambda: [STRONG], metadata={"key": "roles"})

    simulated: bool = field(default=True, init=False)
    roles: Mapping[str, Model] = field(init=False, repr=False, compare=False)
    pricing: Pricing = field(init=False, repr=False)
    _script: tuple[Conversation, ...] = field(default=(), init=False, repr=False)
    _played: dict[tuple[int, int], int] = field(default_factory=dict, init=False, repr=False)
    _failed: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        self.pricing = UnpricedModel() if self.price is None else CardPricing(self.price)
        self.roles = {role: _Beside(self, f"{self.name}-{role}") for role in self.also}

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        """Tokens of each text, o200k_base."""
        return [count_tokens(text) for text in texts]

    async def open(self, clock: Clock) -> None:
        """Read the transcript. Raises ScriptError when it cannot be read or is not in the format above."""
        self._script = load_script(Path(self.path))
        self._played, self._failed = {}, False

    async def complete(self, request: Request) -> Response:
        """Play the next step. Raises ScriptError when none fits."""
        messages = tuple(map(wire, request.messages))
        conversation = next((c for c in self._script if c.fits(messages, request.model)), None)
        if conversation is None:
            raise self._fault("no conversation fits the request", messages)
        key = (request.seed >> ORDINAL_BITS, conversation.number)  # this agent of this run
        at = self._played.get(key, 0)
        where = f"step {at + 1} of conversation {conversation.number}"
        if at == len(conversation.steps):
            raise self._fault(f"conversation {conversation.number} has {at} steps and a further request came", messages)
        step = conversation.steps[at]
        missing = [text for text in step.last_contains if text not in _news(messages)]
        if missing:
            raise self._fault(f"{where} waits for '{missing[0]}', which did not come", messages)
        self._played[key] = at + 1
        inbox = [b for i, m in enumerate(messages) if m.role == "user" for b in parse_inbox(m.text, i)]
        try:
            text = _filled(step.text, inbox)
            calls = tuple((name, _arguments(arguments, inbox)) for name, arguments in step.calls)
        except ScriptError as error:
            raise self._fault(f"{where}: {error}", messages) from None
        usage = Usage(prompt_of(request, messages).tokens, completion_tokens(text, calls))
        asked = tuple(
            ToolCall(f"call_{conversation.number}_{at + 1}_{i}", name, raw) for i, (name, raw) in enumerate(calls)
        )
        latency = self.latency_s if step.latency_s is None else step.latency_s
        return Response(text, asked, usage, step.finish_reason, latency, simulated=True)

    async def close(self) -> None:
        """Raises ScriptError for steps left over, once, unless an error has been raised before."""
        script, played, failed = self._script, self._played, self._failed
        self._script, self._played = (), {}
        if failed or not script:
            return
        for conversation in script:
            reached = [at for (_, number), at in played.items() if number == conversation.number]
            at = min(reached, default=0)
            if at < len(conversation.steps):
                last = f"after step {at}" if reached else "no request fitted the conversation"
                raise ScriptError(
                    f"{self.path}: step {at + 1} of conversation {conversation.number} was never played ({last}). "
                    "Remove it, or correct what should have led to it.",
                    conversation=conversation.number,
                    step=at + 1,
                )

    def _fault(self, what: str, messages: Sequence[WireMessage]) -> ScriptError:
        self._failed = True
        came = _news(messages)
        shown = came if len(came) <= SHOWN else f"{came[:SHOWN]} …"
        return ScriptError(f"{self.path}: {what}. What came: {shown!r}. Correct the transcript, or its conditions.")


class _Beside:
    """A model beside the main one: another name, the same transcript."""

    simulated = True

    def __init__(self, main: ScriptedModel, name: str) -> None:
        self._main = main
        self.name, self.window_tokens, self.pricing = name, main.window_tokens, main.pricing
        self.roles: Mapping[str, Model] = {}

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        return await self._main.weigh(texts)

    async def open(self, clock: Clock) -> None:
        """The main model reads the transcript."""

    async def complete(self, request: Request) -> Response:
        return await self._main.complete(request)

    async def close(self) -> None:
        """The main model says what was left over."""


def _news(messages: Sequence[WireMessage]) -> str:
    """Everything since the agent last spoke, tool results included."""
    spoken = max((i for i, m in enumerate(messages) if m.role == "assistant"), default=-1)
    return "\n".join(m.text for m in messages[spoken + 1 :])


def _filled(text: str, inbox: Sequence[Block]) -> str:
    """A text with its placeholders replaced."""

    def value(found: re.Match[str]) -> str:
        wanted = _MSG_ID.fullmatch(found[1].strip())
        if wanted is None:
            raise ScriptError(f"unknown placeholder {found[0]}; there is {{{{msg_id of last TYPE from NAME}}}}")
        ids = [b.msg_id for b in inbox if b.type == wanted[1] and wanted[2] in (None, b.sender)]
        if not ids:
            raise ScriptError(f"no message for {found[0]} in the inbox")
        return ids[-1]

    return _PLACEHOLDER.sub(value, text)


def _arguments(arguments: Any, inbox: Sequence[Block]) -> str:
    """A call's arguments as raw JSON text; a raw text stays as it is but for placeholders."""
    if isinstance(arguments, str):
        return _filled(arguments, inbox)
    return json.dumps(_filled_in(arguments, inbox), ensure_ascii=False)


def _filled_in(value: Any, inbox: Sequence[Block]) -> Any:
    if isinstance(value, str):
        return _filled(value, inbox)
    if isinstance(value, Mapping):
        return {k: _filled_in(v, inbox) for k, v in value.items()}
    return [_filled_in(v, inbox) for v in value] if isinstance(value, list) else value


def load_script(path: Path) -> tuple[Conversation, ...]:
    """The conversations of a transcript file. Raises ScriptError that names the place of what is wrong."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"model.path={path}: cannot be read: {error}. Name a transcript file.") from None
    except yaml.YAMLError as error:
        raise ScriptError(f"{path} is neither YAML nor JSON: {' '.join(str(error).split())}.") from None
    top = _fields(content, ("conversations",), str(path))
    conversations = _list(top.get("conversations"), f"{path}: conversations")
    if not conversations:
        raise ScriptError(f"{path}: conversations is empty; a transcript needs at least one.")
    return tuple(_conversation(c, i, f"{path}: conversation {i}") for i, c in enumerate(conversations, 1))


def _conversation(node: Any, number: int, where: str) -> Conversation:
    data = _fields(node, ("when", "steps"), where)
    when = _fields(data.get("when") or {}, ("system_contains", "first_contains", "model"), f"{where}: when")
    steps = _list(data.get("steps"), f"{where}: steps")
    model = when.get("model")
    if not isinstance(model, str | None):
        raise ScriptError(f"{where}: model must be a text.")
    return Conversation(
        number,
        _texts(when.get("system_contains"), f"{where}: system_contains"),
        _texts(when.get("first_contains"), f"{where}: first_contains"),
        model,
        tuple(_step(s, f"{where}, step {i}") for i, s in enumerate(steps, 1)),
    )


def _step(node: Any, where: str) -> Step:
    data = _fields(node, ("last_contains", "text", "tool_calls", "latency_s", "finish_reason"), where)
    calls = []
    for i, call in enumerate(_list(data.get("tool_calls") or [], f"{where}: tool_calls"), 1):
        given = _fields(call, ("name", "arguments"), f"{where}, call {i}")
        if not isinstance(given.get("name"), str) or not isinstance(given.get("arguments", {}), Mapping | str):
            raise ScriptError(f"{where}, call {i}: needs a name, and arguments that are a mapping or raw text.")
        calls.append((given["name"], given.get("arguments", {})))
    text, latency = data.get("text", ""), data.get("latency_s")
    if not isinstance(text, str):
        raise ScriptError(f"{where}: text must be a text, not {type(text).__name__}; put it in quotes.")
    if latency is not None and not (isinstance(latency, int | float) and 0 <= latency < float("inf")):
        raise ScriptError(f"{where}: latency_s={latency}: must be a number of seconds of at least 0.")
    reason = str(data.get("finish_reason") or ("tool_calls" if calls else "stop"))
    return Step(_texts(data.get("last_contains"), f"{where}: last_contains"), text, tuple(calls), latency, reason)


def _fields(node: Any, names: tuple[str, ...], where: str) -> Mapping[str, Any]:
    if not isinstance(node, Mapping):
        raise ScriptError(f"{where}: must be a mapping with {', '.join(names)}.")
    for key in node:
        if key not in names:
            raise ScriptError(f"{where}: {unknown('key', key, names)}")
    return node


def _list(node: Any, where: str) -> list[Any]:
    if not isinstance(node, list):
        raise ScriptError(f"{where}: must be a list.")
    return node


def _texts(node: Any, where: str) -> tuple[str, ...]:
    texts = node if isinstance(node, list) else [] if node is None else [node]
    if not all(isinstance(t, str) for t in texts):
        raise ScriptError(f"{where}: must be a text or a list of texts.")
    return tuple(texts)
