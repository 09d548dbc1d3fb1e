"""The companies of a generated corpus: numbered, each with a name of its own, and found again from a question."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasks.common.companies import Companies
from tasks.qa_corpus.corpora.generated.lexicon import Kind, Lexicon


@dataclass(frozen=True)
class Asked:
    """What a question asks: of which company, which kind of document, which year, which fact."""

    company: int
    year: int
    kind: str
    ask: str


class Directory:
    """Company numbers ↔ names in one language, and the questions about them."""

    def __init__(self, lexicon: Lexicon, seed: int) -> None:
        self._lexicon = lexicon
        self._companies = Companies(lexicon, seed)
        self.name = self._companies.name
        kinds = "|".join(re.escape(kind.name) for kind in lexicon.kinds)
        self._question = re.compile(
            lexicon.question.format(
                year=r"(?P<year>[0-9]{4})",
                kind=f"(?P<kind>{kinds})",
                company=self._companies.pattern,
                ask=r"(?P<ask>.+)",
            )
        )

    def question(self, number: int, year: int, kind: Kind, ask: str) -> str:
        """The question text."""
        return self._lexicon.question.format(year=year, kind=kind.name, company=self.name(number), ask=ask)

    def parse(self, text: str) -> Asked | None:
        """What the text asks, if it has the form of a question in this language."""
        found = self._question.fullmatch(text)
        if found is None:
            return None
        return Asked(self._companies.number(found), int(found["year"]), found["kind"], found["ask"])
