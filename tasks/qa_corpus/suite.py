"""The suite: options in, samples, tools, grades and an oracle out."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.errors import ConfigError, CorpusError, unknown
from harness.models.oracle import Oracle
from harness.suite import Grade, Sample
from tasks.qa_corpus import grading
from tasks.qa_corpus.corpora import folder, python_docs
from tasks.qa_corpus.corpora.corpus import Corpus
from tasks.qa_corpus.corpora.generated.corpus import FACTS, LANGUAGES, GeneratedCorpus
from tasks.qa_corpus.oracle import CorpusOracle
from tasks.qa_corpus.questions import Bundle
from tasks.qa_corpus.statement import BRIEF, OUTPUT_SCHEMA, statement
from tasks.qa_corpus.tools import corpus_tools
from tasks.qa_corpus.visible import VisibleTests

GENERATED_SAMPLES = 8
KEPT_BUNDLES = 16
"""Samples whose material stays in memory between calls; any other is made again when asked for."""


@dataclass
class QaCorpus:
    """Question answering with references over a set of documents (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/qa_corpus.yaml``, described there; ``only`` is ``task.sample_ids``, whose
    own name the method has. Raises ConfigError for a value that no corpus could use, and from ``load`` CorpusError for
    one that this corpus cannot.
    """

    corpus: str = "python_docs"
    docs: int = 8
    seed: int = 0
    limit: int | None = None
    only: list[str] | None = field(default=None, metadata={"key": "sample_ids"})
    samples: int | None = None
    questions: int = 2
    languages: list[str] = field(default_factory=lambda: list(LANGUAGES))
    pass_threshold: float = 0.6

    name = "qa_corpus"

    def __post_init__(self) -> None:
        for option, least in (("docs", 1), ("limit", 1), ("samples", 1), ("questions", 1)):
            value = getattr(self, option)
            if value is not None and value < least:
                raise ConfigError(f"task.{option}={value} is too small: it must be at least {least}.")
        if self.questions > FACTS:
            raise ConfigError(
                f"task.questions={self.questions} is too large: a generated document states {FACTS} facts."
            )
        if not 0 <= self.pass_threshold <= 1:
            raise ConfigError(f"task.pass_threshold={self.pass_threshold} must be between 0 and 1.")
        for language in self.languages:
            if language not in LANGUAGES:
                raise ConfigError(unknown("task.languages entry", language, LANGUAGES))
        if not self.languages or len(set(self.languages)) < len(self.languages):
            raise ConfigError(f"task.languages={self.languages} must name each language once, and at least one.")
        if self.samples is not None and self.corpus != "generated":
            raise ConfigError(
                f"task.samples={self.samples} is for task.corpus=generated only: any other corpus has as many samples "
                f"as its documents fill. Use task.limit={self.samples} to take the first {self.samples}."
            )
        if self.only is not None and not self.only:
            raise ConfigError("task.sample_ids is an empty list: name at least one sample, or leave the option out.")
        self._corpus: Corpus | None = None
        self._numbers: dict[str, int] = {}
        self._kept: OrderedDict[str, tuple[Sample, Bundle]] = OrderedDict()

    def load(self) -> None:
        """Read and check the material; a second call does nothing."""
        if self._corpus is not None:
            return
        corpus = self._open()
        count = corpus.sample_count
        digits = max(2, len(str(count - 1)))
        ids = [f"{corpus.label}-{self.docs}-s{self.seed}-{i:0{digits}d}" for i in range(count)]
        numbers = {sample_id: i for i, sample_id in enumerate(ids)}
        if self.only is not None:
            for chosen in self.only:
                if chosen not in numbers:
                    raise CorpusError(_unknown_sample(chosen, ids))
            numbers = {sample_id: numbers[sample_id] for sample_id in sorted(set(self.only), key=numbers.__getitem__)}
        self._numbers = dict(list(numbers.items())[: self.limit])
        self._corpus = corpus

    def sample_ids(self) -> Sequence[str]:
        """All sample ids in order, after the options ``limit`` and ``sample_ids``."""
        self.load()
        return list(self._numbers)

    def sample(self, sample_id: str) -> Sample:
        """What a solver may see. Raises CorpusError for an unknown id."""
        return self._entry(sample_id)[0]

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """``list_documents``, ``read_document`` and ``search_documents`` over this sample's documents."""
        return corpus_tools(self._entry(sample.id)[1])

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Share of questions with a right answer and a right reference; see ``grading.grade``."""
        return grading.grade(self._entry(sample.id)[1], answer)

    def oracle(self) -> Oracle:
        """For the simulated model: every question of the suite, whatever ``limit`` and ``sample_ids`` leave."""
        return CorpusOracle(self._loaded())

    def key(self, sample_id: str) -> str:
        """The perfect answer as JSON text, for tests and hand-written transcripts. Topologies cannot reach it: they get
        a Sample and its tools, never the suite."""
        return json.dumps(self._entry(sample_id)[1].key(), ensure_ascii=False, indent=1)

    def _open(self) -> Corpus:
        if self.corpus == "python_docs":
            return python_docs.load(self.docs, self.seed)
        if self.corpus == "generated":
            samples = GENERATED_SAMPLES if self.samples is None else self.samples
            return GeneratedCorpus(samples, self.docs, self.seed, self.languages, self.questions)
        return folder.load(Path(self.corpus).expanduser(), self.docs, self.seed)

    def _loaded(self) -> Corpus:
        self.load()
        if self._corpus is None:
            raise CorpusError(f"the corpus {self.corpus} did not load.")
        return self._corpus

    def _entry(self, sample_id: str) -> tuple[Sample, Bundle]:
        corpus = self._loaded()
        if sample_id not in self._numbers:
            raise CorpusError(_unknown_sample(sample_id, self._numbers))
        if sample_id not in self._kept:
            bundle = corpus.bundle(self._numbers[sample_id])
            self._kept[sample_id] = (_sample(sample_id, corpus.label, bundle), bundle)
            while len(self._kept) > KEPT_BUNDLES:
                self._kept.popitem(last=False)
        self._kept.move_to_end(sample_id)
        return self._kept[sample_id]


def _unknown_sample(sample_id: str, known: Sequence[str] | dict[str, int]) -> str:
    shown = list(known)
    choices = shown if len(shown) <= 20 else [*shown[:10], "…", *shown[-2:]]
    return unknown("sample", sample_id, choices, "Ids change with task.corpus, task.docs and task.seed.")


def _sample(sample_id: str, label: str, bundle: Bundle) -> Sample:
    """Graph: every document can be read independently of the others (weight: its tokens), then one merge step reads the
    statement and writes the entries (weight: the statement's tokens)."""
    text = statement(bundle)
    sizes = [document.tokens for document in bundle.documents]
    merge = count_tokens(text)
    material = [[document.name, document.title, *document.sections] for document in bundle.documents]
    hashed = json.dumps([text, BRIEF, OUTPUT_SCHEMA, material, bundle.key()], ensure_ascii=False, sort_keys=True)
    return Sample(
        id=sample_id,
        statement=text,
        brief=BRIEF,
        output_schema=OUTPUT_SCHEMA,
        material_tokens=sum(sizes),
        material_hash=hashlib.sha256(hashed.encode("utf-8", "replace")).hexdigest(),
        graph_work=float(sum(sizes) + merge),
        graph_critical_path=float(max(sizes) + merge),
        cluster_id=sample_id,
        tags=(label,),
        visible=VisibleTests(tuple(question.text for question in bundle.questions), bundle.documents),
    )
