"""One topology's page as Markdown."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from harness.accounting.tokens import count_tokens
from harness.agents.rendering import render_tool
from harness.entry.prompts.dialogue import Shown, block, dialogue
from harness.entry.prompts.player import Heard
from harness.entry.prompts.studio import Played
from harness.models.protocol import Json

DOCUMENT_END = "...\n"
"""What PyYAML puts after a document that is only a scalar."""
COMMAND = "python -m harness.entry.prompts"
DOCUMENTS = "single"
"""The page on which the documents stand whole."""


def page(topology: str, words: Sequence[str], played: Sequence[Played]) -> str:
    """``words``: what was recorded, as on a command line. An agent's prompt is shown from the scene in which an agent
    of its role first appears."""
    return "\n".join([*_head(topology, words), *_agents(played), *_tools(played), *_scenes(played)])


def _head(topology: str, words: Sequence[str]) -> Iterator[str]:
    yield f"# What agents read in the topology `{topology}`\n"
    yield f"Made by `{COMMAND}`; change the code, not this page. Every text below was recorded from a run of\n"
    yield f"```\npython -m harness {' '.join(words)}\n```\n"
    yield (
        "with agents that say what is written under *says*, in the form of a step of a transcript\n"
        "(`harness/models/scripted.py`); all else is word for word what the engine sent. *as in* stands for the same\n"
        "text under that heading. The number in the first line of a system prompt and the ids of messages are others\n"
        "in another run. Tokens are those of o200k_base.\n"
    )
    if topology != DOCUMENTS:
        yield f"The documents that the tools return stand whole in [{DOCUMENTS}.md]({DOCUMENTS}.md).\n"


def _by_role(played: Sequence[Played]) -> Iterator[tuple[str, str, Heard]]:
    """(role, agent, its conversation), each role once."""
    seen: set[str] = set()
    for scene in played:
        for name, heard in scene.heard.items():
            role = scene.roles[name]
            if role not in seen:
                seen.add(role)
                yield role, name, heard


def _agents(played: Sequence[Played]) -> Iterator[str]:
    yield "## Agents\n"
    firsts: set[str] = set()
    for role, name, heard in _by_role(played):
        system, first = (str(m["content"]) for m in heard.messages[:2])
        yield f"### {role}{'' if name == role else f' (here: {name})'}\n"
        yield f"System prompt, {count_tokens(system):,} tokens:\n"
        yield block(system)
        if (kind := re.sub(r"\d+", "", first)) not in firsts:  # orders differ by their numbers
            firsts.add(kind)
            yield f"First message, {count_tokens(first):,} tokens:\n"
            yield block(first)
        sizes = [count_tokens(render_tool(tool)) for tool in heard.tools]
        names = [f"`{_name(tool)}` ({size:,})" for tool, size in zip(heard.tools, sizes, strict=True)]
        listed = f"Tools, {sum(sizes):,} tokens as a provider renders them: {', '.join(names)}."
        yield f"{listed if names else 'No tools.'}\n"


def _tools(played: Sequence[Played]) -> Iterator[str]:
    """Every tool once, with the roles that have it."""
    yield "## Tools\n"
    owners: dict[str, list[str]] = {}
    for role, _, heard in _by_role(played):
        for tool in heard.tools:
            owners.setdefault(_sent(tool), []).append(role)
    for sent, roles in owners.items():
        yield f"### `{_name(json.loads(sent))}` of {', '.join(roles)}\n"
        yield from _tool(json.loads(sent))


def _tool(tool: Json) -> Iterator[str]:
    rendered, sent = render_tool(tool), _sent(tool)
    yield f"As a provider renders it, {count_tokens(rendered):,} tokens:\n"
    yield block(rendered, "typescript")
    yield f"As it is sent, {count_tokens(sent):,} tokens:\n"
    yield block(sent, "json")


def _sent(tool: Json) -> str:
    return json.dumps(tool, ensure_ascii=False)


def _name(tool: Json) -> str:
    return str(tool["function"]["name"])


def _scenes(played: Sequence[Played]) -> Iterator[str]:
    yield "## What the engine writes to them\n"
    known = [tool for _, _, heard in _by_role(played) for tool in heard.tools]
    task = next(iter(played[0].heard.values())).messages[1]["content"]  # whoever speaks first has been told it
    shown = Shown()
    for done in played:
        scene = done.scene
        if not scene.shows:
            continue
        yield f"### {scene.title}\n"
        yield f"{scene.about}\n"
        changed = [*scene.task, *_flat("topology", scene.options), *_flat("limits", scene.limits)]
        changed += [f"model.window_tokens={scene.window_tokens}"] if scene.narrow else []
        if changed:
            yield f"Recorded with `{shlex.join(changed)}`.\n"
        shown.scene = scene.title
        for name in scene.shows:
            heard = done.heard[name]
            for tool in heard.tools if scene.tools else ():
                if tool not in known:
                    yield f"**The tool `{_name(tool)}` of {name}**\n"
                    yield from _tool(tool)
            if scene.prompts:
                yield f"**The system prompt of {name}**\n"
                yield block(str(heard.messages[0]["content"]))
            yield from dialogue(name, heard, shown, started=heard.messages[1]["content"] == task)


def _flat(where: str, options: Mapping[str, Any]) -> Iterator[str]:
    """Settings as on a command line."""
    for key, value in options.items():
        if isinstance(value, Mapping):
            yield from _flat(f"{where}.{key}", value)
        else:
            shown = value if isinstance(value, str) else yaml.safe_dump(value, default_flow_style=True, width=math.inf)
            yield f"{where}.{key}={shown.removesuffix(DOCUMENT_END).strip()}"
