"""The suite: options in, samples, tools, grades and an oracle out."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.errors import ConfigError, CorpusError, unknown
from harness.models.oracle import Oracle
from harness.suite import Grade, Sample
from tasks.code_search import grading
from tasks.code_search.asking import Asker
from tasks.code_search.code import folder, generated, stdlib
from tasks.code_search.code.source import SourceFile
from tasks.code_search.code.units import grouped
from tasks.code_search.oracle import CodeOracle
from tasks.code_search.questions import KINDS, Case, Question
from tasks.code_search.statement import BRIEF, OUTPUT_SCHEMA, statement
from tasks.code_search.tools import code_tools
from tasks.code_search.visible import VisibleTests
from tasks.common.hashing import digest
from tasks.common.sampled import KEPT, Sampled, each_once, numbered, within

CORPORA = ("stdlib", "generated")
LEAST_TOKENS = 1_000
_LOG = logging.getLogger(__name__)


@dataclass
class CodeSearch(Sampled[Case]):
    """Questions about source code, answered by names (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/code_search.yaml``, described there, beside those that every suite has
    (``tasks.common.sampled``). ``tokens`` are those of the code as ``read_file`` shows it, with line numbers.
    """

    corpus: str = "stdlib"
    root: str | None = None
    tokens: int = 50_000
    files: int | None = None
    samples: int = 8
    questions: int = 4
    kinds: list[str] = field(default_factory=lambda: list(KINDS))
    pass_threshold: float = field(default=0.75, kw_only=True)

    name = "code_search"
    id_options = "task.corpus, task.root, task.tokens, task.files and task.seed"

    def __post_init__(self) -> None:
        super().__post_init__()
        within(1, 10_000, files=self.files, questions=self.questions)
        within(LEAST_TOKENS, 10_000_000, tokens=self.tokens)
        if self.corpus not in CORPORA:
            raise ConfigError(
                unknown("task.corpus", self.corpus, CORPORA, "Code of your own is named by task.root=PATH.")
            )
        if self.root is not None and self.corpus != "stdlib":
            raise ConfigError(f"task.root={self.root} takes the place of task.corpus={self.corpus}: give one of them.")
        each_once("kinds", self.kinds, KINDS)
        self._files: Callable[[int], Sequence[SourceFile]] = lambda number: ()
        self._ids: list[str] = []
        self._case = lru_cache(maxsize=KEPT)(self._made_case)

    def load(self) -> None:
        """Read the code, and see that every sample that is to be run has a question."""
        for sample_id in self.sample_ids():
            self.problem(sample_id)

    def read(self) -> Sequence[str]:
        """Find the code; its samples by corpus, size, seed and number."""
        label, count, self._files = self._opened()
        size = f"{self.tokens}" if self.files is None else f"{self.files}f"
        self._ids = numbered(f"{label}-{size}-s{self.seed}", count)
        return self._ids

    def build(self, sample_id: str, number: int) -> tuple[Sample, Case]:
        """One sample and its files and questions."""
        case = self._case(number)
        if len(case.questions) < self.questions:
            _LOG.warning("%s: its code has %d questions, not %d", sample_id, len(case.questions), self.questions)
        return _sample(sample_id, sample_id.partition("-")[0], case), case

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """``list_files``, ``read_file`` and ``grep`` over this sample's files."""
        return code_tools(self.problem(sample.id).files)

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Share of questions with exactly the right names; see ``grading.grade``."""
        return grading.grade(self.problem(sample.id), answer)

    def oracle(self) -> Oracle:
        """For the simulated model: every question of the suite, whatever ``limit`` and ``sample_ids`` leave."""
        self.sample_ids()
        return CodeOracle(self._question)

    def key(self, sample_id: str) -> str:
        """The perfect answer as JSON text, for tests and hand-written transcripts."""
        return json.dumps(self.problem(sample_id).key(), indent=1)

    def _opened(self) -> tuple[str, int, Callable[[int], Sequence[SourceFile]]]:
        """The corpus: its label, how many samples it makes, and the files of one."""
        if self.corpus == "generated":
            project = partial(generated.project, self.seed, tokens=self.tokens, files=self.files)
            return "generated", self.samples, project
        if self.root is None:
            units = stdlib.load(None if self.files is not None else self.tokens)
        else:
            units = folder.load(Path(self.root).expanduser())
        groups, left_out = grouped(units, self.tokens, self.files, str(self.seed))
        if left_out:
            _LOG.info("left out, since they fill no sample: %s", ", ".join(file.name for file in left_out))
        return "stdlib" if self.root is None else "root", min(len(groups), self.samples), groups.__getitem__

    def _made_case(self, number: int) -> Case:
        files = tuple(sorted(self._files(number), key=lambda file: file.name))
        first = number * self.questions + 1
        digits = max(2, len(str(len(self._ids) * self.questions)))
        labels = [f"Q{n:0{digits}d}" for n in range(first, first + self.questions)]
        asker = Asker(files, self._ids[number])
        case = Case(files, asker.questions(self.kinds, labels), asker.known())
        if not case.questions:
            held = ", ".join([file.name for file in files[:5]] + ["…"] * (len(files) > 5))
            raise CorpusError(
                f"sample {self._ids[number]} ({held}) has no question of the kinds {', '.join(self.kinds)}. Choose "
                f"more of task.kinds=[{','.join(KINDS)}], or more code a sample with task.tokens or task.files."
            )
        return case

    def _question(self, number: int) -> Question | None:
        sample, at = divmod(number - 1, self.questions)
        if not 0 <= sample < len(self._ids):
            return None
        questions = self._case(sample).questions
        return questions[at] if at < len(questions) else None


def _sample(sample_id: str, label: str, case: Case) -> Sample:
    """Graph: every file can be searched independently of the others (weight: its tokens), then one merge step reads the
    statement and writes the entries (weight: the statement's tokens)."""
    text = statement(case)
    sizes = [file.tokens for file in case.files]
    merge = count_tokens(text)
    material = [[file.name, file.text] for file in case.files]
    return Sample(
        id=sample_id,
        statement=text,
        brief=BRIEF,
        output_schema=OUTPUT_SCHEMA,
        material_tokens=sum(sizes) + merge,
        material_hash=digest(text, BRIEF, OUTPUT_SCHEMA, material, case.key()),
        graph_work=float(sum(sizes) + merge),
        graph_critical_path=float(max(sizes) + merge),
        cluster_id=sample_id,
        tags=(label, *dict.fromkeys(question.kind for question in case.questions)),
        visible=VisibleTests(case),
    )
