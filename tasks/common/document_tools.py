"""The task's own tools: list, read and search the documents of one sample. Same call, same bytes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness.agents.tools import Tool, ToolFailed
from harness.errors import unknown
from tasks.common.documents import Document, blocks, reference

MAX_HITS = 8
SNIPPET_CHARS = 1500
"""A longer paragraph is cut in search results; eight of them stay below 4,000 tokens."""
MAX_TERMS = 20

READ = frozenset({"read"})

_RANGE = re.compile(r"\s*(\d{1,6})(?:\s*(?:-|–|to|\.\.)\s*(\d{1,6}))?\s*")
_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+")


def document_tools(documents: Sequence[Document], label: str = "its label") -> tuple[Tool, ...]:
    """``list_documents``, ``read_document`` and ``search_documents`` over one sample's documents, tag ``read``.
    ``label``: what the label of a section is, for the description of ``read_document``."""
    by_name = {document.name: document for document in documents}

    async def list_documents(_: Mapping[str, Any]) -> str:
        return "\n".join(document.line for document in documents)

    async def read_document(arguments: Mapping[str, Any]) -> str:
        name = arguments.get("document")
        document = by_name.get(name.strip()) if isinstance(name, str) else None
        if document is None:
            raise ToolFailed(unknown("document", name, by_name, "Names are listed by list_documents."))
        wanted = arguments.get("sections")
        if wanted is None or wanted == "":
            return document.text
        first, last = _section_range(wanted, len(document.sections), document.name)
        return document.render(first, last)

    async def search_documents(arguments: Mapping[str, Any]) -> str:
        query = arguments.get("query")
        if not isinstance(query, str) or not (terms := _terms(query)):
            raise ToolFailed("query must be a text with at least one word, for example 'payment period 2022'.")
        return _search(documents, terms)

    return (
        Tool(
            "list_documents",
            "List the documents of this task: file name, title and size in tokens.",
            {"type": "object", "properties": {}, "additionalProperties": False},
            READ,
            list_documents,
        ),
        Tool(
            "read_document",
            f"Read a document. Every section comes under {label}.",
            {
                "type": "object",
                "properties": {
                    "document": {"type": "string", "description": "file name, as listed"},
                    "sections": {
                        "type": "string",
                        "description": "only these sections, such as '3' or '3-7'; without it, all",
                    },
                },
                "required": ["document"],
                "additionalProperties": False,
            },
            READ,
            read_document,
            reference="document",
            material=lambda name: "\n\n".join(by_name[name.strip()].sections),
        ),
        Tool(
            "search_documents",
            f"Find paragraphs by words over all documents of this task: the best {MAX_HITS}, each with its label.",
            {
                "type": "object",
                "properties": {"query": {"type": "string", "description": "a few words to look for"}},
                "required": ["query"],
                "additionalProperties": False,
            },
            READ,
            search_documents,
        ),
    )


def _section_range(wanted: object, count: int, name: str) -> tuple[int, int]:
    found = _RANGE.fullmatch(str(wanted))
    first = int(found[1]) if found else 0
    last = int(found[2] or found[1]) if found else 0
    if not 1 <= first <= last <= count:
        raise ToolFailed(
            f"sections '{wanted}' cannot be read: {name} has the sections 1 to {count}; ask for one, such as '1', "
            f"or for a range, such as '1-{count}'."
        )
    return first, last


def _terms(query: str) -> list[str]:
    """Words to look for, in order, each once; Chinese runs become overlapping pairs, since words are not spaced."""
    terms: list[str] = []
    for run in _WORD.findall(query.casefold()):
        wide = run[0] >= "\u3400" and len(run) > 2
        terms += [run[i : i + 2] for i in range(len(run) - 1)] if wide else [run]
    return list(dict.fromkeys(terms))[:MAX_TERMS]


def _search(documents: Sequence[Document], terms: list[str]) -> str:
    """Paragraphs by the summed rarity of the terms they hold (inverse document frequency); ties in reading order."""
    patterns = [re.compile(re.escape(t) if t[0] >= "\u3400" else rf"\b{re.escape(t)}\b") for t in terms]
    hits: list[tuple[str, str, list[int]]] = []
    paragraphs = 0
    for document in documents:
        for number, section in enumerate(document.sections, 1):
            for block in blocks(section):
                paragraphs += 1
                folded = block.casefold()
                if held := [i for i, pattern in enumerate(patterns) if pattern.search(folded)]:
                    hits.append((reference(document.name, number), block, held))
    if not hits:
        return f"No paragraph holds any of these words: {', '.join(terms)}."
    frequency = [sum(i in held for *_, held in hits) for i in range(len(terms))]
    rarity = [math.log(1 + paragraphs / n) if n else 0.0 for n in frequency]
    best = sorted(hits, key=lambda hit: -math.fsum(rarity[i] for i in hit[2]))[:MAX_HITS]
    shown = (
        f"[{label}]\n{block if len(block) <= SNIPPET_CHARS else block[:SNIPPET_CHARS] + ' …'}"
        for label, block, _ in best
    )
    return "\n\n".join(shown) + f"\n\n({len(best)} of {len(hits)} paragraphs with any of the words)"
