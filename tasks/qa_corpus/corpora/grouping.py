"""Seeded, disjoint groups of documents, with the questions spread over them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from harness.errors import CorpusError


def shuffled(names: Iterable[str], seed: int) -> list[str]:
    """The names in an order that depends on the seed and on nothing else."""
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed}/{name}".encode()).digest())


def group(questions: Mapping[str, int], docs: int, seed: int, corpus: str) -> list[list[str]]:
    """Groups of exactly ``docs`` document names, floor(documents / docs) of them, every group with at least two
    questions (one when ``docs`` is 1); fewer groups when the questions do not reach.

    ``questions`` maps each document to its number of questions. Documents with many questions are placed first, each
    into the group that has the fewest so far, so that groups ask about equally much; the rest are distractors.
    Raises CorpusError when not even one group can be made.
    """
    if docs > len(questions):
        raise CorpusError(
            f"task.docs={docs} is more than the corpus '{corpus}' holds: {len(questions)} documents. "
            f"Choose task.docs between 1 and {len(questions)}.",
            docs=docs,
            documents=len(questions),
        )
    order = sorted(shuffled(questions, seed), key=lambda name: -questions[name])
    least = 1 if docs == 1 else 2
    for count in range(len(questions) // docs, 0, -1):
        groups: list[list[str]] = [[] for _ in range(count)]
        asked = [0] * count
        for name in order[: count * docs]:
            chosen = min((i for i in range(count) if len(groups[i]) < docs), key=lambda i: (asked[i], len(groups[i])))
            groups[chosen].append(name)
            asked[chosen] += questions[name]
        if min(asked) >= least:
            return [shuffled(names, seed) for names in groups]
    raise CorpusError(
        f"the corpus '{corpus}' has too few questions for one sample of {docs} documents: {sum(questions.values())}, "
        f"and a sample needs {least}. Add questions, or choose another corpus.",
        docs=docs,
    )
