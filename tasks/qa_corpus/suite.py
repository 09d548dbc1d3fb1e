"""The suite: options in, samples, tools, grades and an oracle out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.errors import ConfigError, CorpusError
from harness.models.oracle import Oracle
from harness.suite import Grade, Sample
from tasks.common.document_tools import document_tools
from tasks.common.hashing import digest
from tasks.common.sampled import Sampled, at_least, each_once, numbered, within
from tasks.qa_corpus import grading
from tasks.qa_corpus.corpora import folder, python_docs
from tasks.qa_corpus.corpora.corpus import Corpus
from tasks.qa_corpus.corpora.generated.corpus import FACTS, LANGUAGES, GeneratedCorpus
from tasks.qa_corpus.oracle import CorpusOracle
from tasks.qa_corpus.questions import Bundle
from tasks.qa_corpus.statement import BRIEF, OUTPUT_SCHEMA, statement
from tasks.qa_corpus.visible import VisibleTests

GENERATED_SAMPLES = 8
QUESTIONS = 2
"""A generated document is asked about, unless said otherwise."""


@dataclass
class QaCorpus(Sampled[Bundle]):
    """Question answering with references over a set of documents (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/qa_corpus.yaml``, described there, beside those that every suite has
    (``tasks.common.sampled``).
    """

    corpus: str = "python_docs"
    docs: int = 8
    samples: int | None = None
    questions: int = QUESTIONS
    languages: list[str] = field(default_factory=lambda: list(LANGUAGES))
    pass_threshold: float = field(default=0.6, kw_only=True)

    name = "qa_corpus"
    id_options = "task.corpus, task.docs and task.seed"

    def __post_init__(self) -> None:
        super().__post_init__()
        within(1, 100_000, docs=self.docs)
        at_least(1, questions=self.questions)
        if self.questions > FACTS:
            raise ConfigError(
                f"task.questions={self.questions} is too large: a generated document states {FACTS} facts."
            )
        each_once("languages", self.languages, LANGUAGES)
        if self.samples is not None and self.corpus != "generated":
            raise ConfigError(
                f"task.samples={self.samples} is for task.corpus=generated only: any other corpus has as many samples "
                f"as its documents fill. Use task.limit={self.samples} to take the first {self.samples}."
            )
        if self.corpus != "generated" and (self.questions != QUESTIONS or self.languages != list(LANGUAGES)):
            raise ConfigError(
                f"task.questions={self.questions} task.languages={self.languages} are for task.corpus=generated only: "
                "any other corpus has the questions and languages that it has."
            )
        self._corpus: Corpus | None = None

    def read(self) -> Sequence[str]:
        """Open the corpus; its samples by corpus, size, seed and number."""
        self._corpus = self._open()
        return numbered(f"{self._corpus.label}-{self.docs}-s{self.seed}", self._corpus.sample_count)

    def build(self, sample_id: str, number: int) -> tuple[Sample, Bundle]:
        """One sample and its documents and questions."""
        corpus = self._opened()
        bundle = corpus.bundle(number)
        return _sample(sample_id, corpus.label, bundle), bundle

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """``list_documents``, ``read_document`` and ``search_documents`` over this sample's documents."""
        return document_tools(self.problem(sample.id).documents, "its label, which is what a clause_ref names")

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Share of questions with a right answer and a right reference; see ``grading.grade``."""
        return grading.grade(self.problem(sample.id), answer)

    def oracle(self) -> Oracle:
        """For the simulated model: every question of the suite, whatever ``limit`` and ``sample_ids`` leave."""
        return CorpusOracle(self._opened())

    def key(self, sample_id: str) -> str:
        """The perfect answer as JSON text, for tests and hand-written transcripts. Topologies cannot reach it: they get
        a Sample and its tools, never the suite."""
        return json.dumps(self.problem(sample_id).key(), ensure_ascii=False, indent=1)

    def _open(self) -> Corpus:
        if self.corpus == "python_docs":
            return python_docs.load(self.docs, self.seed)
        if self.corpus == "generated":
            samples = GENERATED_SAMPLES if self.samples is None else self.samples
            return GeneratedCorpus(samples, self.docs, self.seed, self.languages, self.questions)
        return folder.load(Path(self.corpus).expanduser(), self.docs, self.seed)

    def _opened(self) -> Corpus:
        self.load()
        if self._corpus is None:
            raise CorpusError(f"the corpus {self.corpus} did not load.")
        return self._corpus


def _sample(sample_id: str, label: str, bundle: Bundle) -> Sample:
    """Graph: every document can be read independently of the others (weight: its tokens), then one merge step reads the
    statement and writes the entries (weight: the statement's tokens)."""
    text = statement(bundle)
    sizes = [document.tokens for document in bundle.documents]
    merge = count_tokens(text)
    material = [document.material for document in bundle.documents]
    return Sample(
        id=sample_id,
        statement=text,
        brief=BRIEF,
        output_schema=OUTPUT_SCHEMA,
        material_tokens=sum(sizes),
        material_hash=digest(text, BRIEF, OUTPUT_SCHEMA, material, bundle.key()),
        graph_work=float(sum(sizes) + merge),
        graph_critical_path=float(max(sizes) + merge),
        cluster_id=sample_id,
        tags=(label,),
        visible=VisibleTests(tuple(question.text for question in bundle.questions), bundle.documents),
    )
