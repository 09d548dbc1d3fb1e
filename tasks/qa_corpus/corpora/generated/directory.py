"""The companies of a generated corpus: numbered, each with a name of its own, and found again from a question."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from tasks.qa_corpus.corpora.generated.draws import draw
from tasks.qa_corpus.corpora.generated.lexicon import Kind, Lexicon


@dataclass(frozen=True)
class Asked:
    """What a question asks: of which company, which kind of document, which year, which fact."""

    company: int
    year: int
    kind: str
    ask: str


class Directory:
    """Company numbers ↔ names in one language, scattered by the seed so that neighbours do not sound alike."""

    def __init__(self, lexicon: Lexicon, seed: int) -> None:
        self._lexicon = lexicon
        size = lexicon.combinations
        factor = draw(seed, "factor") % size
        while math.gcd(factor, size) != 1:
            factor += 1
        self._factor, self._shift = factor, draw(seed, "shift") % size
        self._back = pow(factor, -1, size)
        pieces = lexicon.joint.join(f"({'|'.join(map(re.escape, choices))})" for choices in lexicon.names)
        company = lexicon.form.format(name=pieces) + f"(?:{lexicon.branch.format(n=r'(?P<turn>[1-9][0-9]{0,8})')})?"
        kinds = "|".join(re.escape(kind.name) for kind in lexicon.kinds)
        self._question = re.compile(
            lexicon.question.format(
                year=r"(?P<year>[0-9]{4})", kind=f"(?P<kind>{kinds})", company=company, ask=r"(?P<ask>.+)"
            )
        )

    def name(self, number: int) -> str:
        """The name of company ``number``, from 0."""
        turn, rest = divmod(number, self._lexicon.combinations)
        size = self._lexicon.combinations
        return self._lexicon.company((rest * self._factor + self._shift) % size + turn * size)

    def question(self, number: int, year: int, kind: Kind, ask: str) -> str:
        """The question text."""
        return self._lexicon.question.format(year=year, kind=kind.name, company=self.name(number), ask=ask)

    def parse(self, text: str) -> Asked | None:
        """What the text asks, if it has the form of a question in this language."""
        found = self._question.fullmatch(text)
        if found is None:
            return None
        named = set(found.re.groupindex.values())
        pieces = [piece for i, piece in enumerate(found.groups(), 1) if i not in named]
        turn = int(found["turn"] or 1) - 1
        place = self._lexicon.number(pieces)
        size = self._lexicon.combinations
        number = (place - self._shift) * self._back % size + turn * size
        return Asked(number, int(found["year"]), found["kind"], found["ask"])
