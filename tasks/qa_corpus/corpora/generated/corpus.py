"""The generated corpus: any document of any sample can be made alone, from its numbers and the seed.

Documents come in groups of four a company: two kinds of paper, each for two years in a row. The two years of a kind
state the same facts with other values, and every fact stands near a sentence with a value that does not count, so that
documents and figures can be mixed up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tasks.common.documents import Document
from tasks.common.draws import draw
from tasks.common.scans import scanned
from tasks.qa_corpus.corpora.generated.chinese import CHINESE
from tasks.qa_corpus.corpora.generated.directory import Directory
from tasks.qa_corpus.corpora.generated.english import ENGLISH
from tasks.qa_corpus.corpora.generated.lexicon import Field, Kind, Lexicon
from tasks.qa_corpus.corpora.grouping import shuffled
from tasks.qa_corpus.questions import Bundle, Question

LABEL = "generated"
LANGUAGES: dict[str, Lexicon] = {"en": ENGLISH, "zh": CHINESE}
FACTS = 4
"""Facts in a document; each can be asked about."""
GROUP = 4
FILLERS = 4
FIRST_YEAR, YEARS = 2012, 10
NEIGHBOURS = 12
"""Companies looked at for a similar document; about half write in the other language, and half of the rest have it."""
MAX_SIMILAR = 3


@dataclass(frozen=True)
class _Paper:
    """One document before it is written."""

    sample: int
    index: int
    company_number: int
    company: str
    language: str
    kind: Kind
    year: int


class GeneratedCorpus:
    """``samples`` samples of ``docs`` documents in the given languages, ``questions`` (1 to 4) for each document."""

    def __init__(self, samples: int, docs: int, seed: int, languages: Sequence[str], questions: int) -> None:
        self.label = LABEL if list(languages) == list(LANGUAGES) else f"{LABEL}-{'-'.join(languages)}"
        self._samples, self._docs, self._seed = samples, docs, seed
        self._languages, self._asked = tuple(languages), questions
        self._groups = -(-docs // GROUP)
        self._directories = {name: Directory(LANGUAGES[name], seed) for name in self._languages}
        self._made = lru_cache(maxsize=128)(self._write)

    @property
    def sample_count(self) -> int:
        return self._samples

    def bundle(self, index: int) -> Bundle:
        papers = [self._paper(index, d) for d in range(self._docs)]
        asked = {q.text: q for paper in papers for q in self._questions(paper)}
        return Bundle(
            tuple(self._write(paper.sample, paper.index) for paper in papers),
            tuple(asked[text] for text in shuffled(asked, self._seed)),
        )

    def locate(self, text: str) -> tuple[int, Question] | None:
        for language, directory in self._directories.items():
            asked = directory.parse(text)
            if asked is None:
                continue
            sample, group = divmod(asked.company, self._groups)
            if sample >= self._samples or language != self._language(sample, group):
                continue
            for d in range(group * GROUP, min(self._docs, (group + 1) * GROUP)):
                paper = self._paper(sample, d)
                if (paper.kind.name, paper.year) == (asked.kind, asked.year):
                    for question in self._questions(paper):
                        if question.text == text:
                            return sample, question
        return None

    def document(self, index: int, name: str) -> Document:
        return self._made(index, int(name.split("-")[1]))

    def similar(self, index: int, question: Question) -> Sequence[Question]:
        """The same fact of the same company's other year first, then of other companies nearby."""
        own = self._paper(index, int(question.document.split("-")[1]))
        fact = next(i for i, field in enumerate(own.kind.fields) if self._ask(own, field) == question.text)
        group = own.index // GROUP
        near = [(group + step) % self._groups for step in range(min(NEIGHBOURS, self._groups))]
        papers = (
            self._paper(index, d)
            for g in near
            for d in range(g * GROUP, min(self._docs, (g + 1) * GROUP))
            if d != own.index and self._language(index, g) == own.language
        )
        alike = [self._question(paper, fact) for paper in papers if paper.kind is own.kind]
        return [other for other in alike if other.answer != question.answer][:MAX_SIMILAR]

    def _language(self, sample: int, group: int) -> str:
        return self._languages[(sample + group) % len(self._languages)]

    def _paper(self, sample: int, d: int) -> _Paper:
        group, member = divmod(d, GROUP)
        language = self._language(sample, group)
        kinds = LANGUAGES[language].kinds
        first = draw(self._seed, "kind", sample, group)
        second = first + 1 + draw(self._seed, "kind two", sample, group) % (len(kinds) - 1)
        number = sample * self._groups + group
        return _Paper(
            sample=sample,
            index=d,
            company_number=number,
            company=self._directories[language].name(number),
            language=language,
            kind=kinds[(second if member >= GROUP // 2 else first) % len(kinds)],
            year=FIRST_YEAR + draw(self._seed, "year", sample, group) % YEARS + member % 2,
        )

    def _value(self, paper: _Paper, fact: int) -> int:
        """Index of the stated value; never the same in the two years of a company."""
        count = len(paper.kind.fields[fact].values)
        pair = (self._seed, paper.sample, paper.index // 2, fact)
        first = draw("value", *pair) % count
        return first if paper.index % 2 == 0 else (first + 1 + draw("step", *pair) % (count - 1)) % count

    def _other_values(self, paper: _Paper, fact: int) -> list[int]:
        """Indices of three values that are not the stated one; the first is that of the decoy."""
        count = len(paper.kind.fields[fact].values)
        start = draw("decoy", self._seed, paper.sample, paper.index, fact) % (count - 1)
        stated = self._value(paper, fact)
        return [(stated + 1 + (start + i) % (count - 1)) % count for i in range(3)]

    def _ask(self, paper: _Paper, field: Field) -> str:
        directory = self._directories[paper.language]
        return directory.question(paper.company_number, paper.year, paper.kind, field.ask)

    def _states(self, paper: _Paper, fact: int) -> str:
        field = paper.kind.fields[fact]
        value = field.values.answer(self._value(paper, fact))
        return field.states.format(company=paper.company, year=paper.year, value=value)

    def _question(self, paper: _Paper, fact: int) -> Question:
        field = paper.kind.fields[fact]
        stated = self._value(paper, fact)
        return Question(
            text=self._ask(paper, field),
            answer=field.values.answer(stated),
            document=_name(paper),
            evidence=self._states(paper, fact),
            aliases=field.values.aliases(stated),
            wrong=tuple(field.values.answer(i) for i in self._other_values(paper, fact)),
            number=field.values.number(stated),
            units=field.values.units,
            kind=field.kind,
        )

    def _questions(self, paper: _Paper) -> list[Question]:
        order = sorted(range(FACTS), key=lambda i: draw("asked", self._seed, paper.sample, paper.index, i))
        return [self._question(paper, fact) for fact in order[: self._asked]]

    def _write(self, sample: int, d: int) -> Document:
        paper = self._paper(sample, d)
        lexicon = LANGUAGES[paper.language]
        key = (self._seed, sample, d)
        fillers = sorted(range(len(lexicon.filler)), key=lambda i: draw("filler", *key, i))[:FILLERS]
        parts = [("fact", i) for i in range(FACTS)] + [("filler", i) for i in fillers]
        parts.sort(key=lambda part: draw("order", *key, *part))
        title = paper.kind.title.format(company=paper.company, year=paper.year)
        opening = paper.kind.opening.format(company=paper.company, year=paper.year)
        sections = []
        for number, (sort, i) in enumerate(parts, 1):
            name, body = self._fact(paper, i) if sort == "fact" else self._filler(lexicon, i, key)
            head = lexicon.clause.format(n=number, heading=name) if paper.kind.numbered else name
            mark = f"\n\n{lexicon.page.format(n=1 + number // 3)}" if number % 3 == 0 else ""
            front = f"{title}\n\n{opening}\n\n" if number == 1 else ""
            sections.append(f"{front}{head}\n{body}{mark}")
        return Document(_name(paper), title, tuple(sections))

    def _fact(self, paper: _Paper, fact: int) -> tuple[str, str]:
        """Heading and text of a section that states a fact: the evidence as it is, the decoy as scanned."""
        field = paper.kind.fields[fact]
        lexicon = LANGUAGES[paper.language]
        decoy = field.decoy.format(value=field.values.answer(self._other_values(paper, fact)[0]))
        lines = [self._states(paper, fact)]
        key = (self._seed, paper.sample, paper.index, fact)
        if decoy.startswith("|"):
            lines.insert(draw("row", *key) % 2, decoy)
            return field.heading, "\n".join(lines)
        lines.insert(draw("place", *key) % 2, scanned(decoy, lexicon, *key))
        return field.heading, lexicon.gap.join(lines)

    def _filler(self, lexicon: Lexicon, i: int, key: tuple[int, int, int]) -> tuple[str, str]:
        heading, sentences = lexicon.filler[i]
        return heading, lexicon.gap.join(scanned(s, lexicon, *key, i, n) for n, s in enumerate(sentences))


def _name(paper: _Paper) -> str:
    return f"{paper.sample:02d}-{paper.index:04d}-{paper.kind.slug}.txt"
