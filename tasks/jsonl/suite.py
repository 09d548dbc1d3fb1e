"""The suite: options in, samples, tools, grades and an oracle out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.errors import ConfigError, CorpusError, unknown
from harness.models.oracle import Item, Oracle
from harness.suite import Grade, Sample
from tasks.common.document_tools import document_tools
from tasks.common.hashing import digest
from tasks.common.jsonlines import JsonLines, Row
from tasks.common.oracle import LabelOracle
from tasks.common.sampled import Sampled
from tasks.jsonl import oracle
from tasks.jsonl.documents import Shelf
from tasks.jsonl.fields import HINT, keyed, task_of
from tasks.jsonl.graders import GRADERS
from tasks.jsonl.statement import BRIEF, statement
from tasks.jsonl.task import Task, ids_of

NEARBY = 3
"""Lines whose right answers are tried as wrong ones."""
MOST_METADATA = 2000
"""Characters of a line's metadata that are kept beside its grade."""


@dataclass
class Jsonl(Sampled[Task]):
    """A file of one's own, a sample a line (``harness.suite.Suite``).

    Its fields are the options of ``conf/task/jsonl.yaml``, described there, beside those that every suite has
    (``tasks.common.sampled``).
    """

    path: str | None = None
    grader: str = "exact"
    shuffle: bool = False

    name = "jsonl"
    id_options = "the ids, or else the line numbers, in task.path"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.grader not in GRADERS:
            raise ConfigError(unknown("task.grader", self.grader, GRADERS))
        self._lines: JsonLines | None = None
        self._places: dict[str, int] = {}

    def read(self) -> Sequence[str]:
        """Read the file once and check every line; the samples by their ids."""
        if self.path is None:
            raise ConfigError(
                "task=jsonl needs a file of yours: write task.path=FILE (docs/your-own-data.md says what stands in "
                "it). To run all other tasks, leave this one out: 'task=glob(*,exclude=jsonl)'."
            )
        lines = JsonLines(self.path)
        self._shelf = Shelf(lines.path.parent)
        ids: dict[str, int] = {}
        used: set[str] = set()

        def check(number: int, row: Row) -> Sequence[str]:
            faults, task = task_of(row, number, self._shelf, self.grader)
            if task is not None:
                used.add(task.grader)
                before = ids.setdefault(task.id, number)
                if before != number:
                    faults.append(f"'id' {task.id} is that of line {before} already")
            return faults

        lines.read(check, HINT)
        for name, grader in GRADERS.items():
            if name in used:
                grader.ready()
        self._lines = lines
        self._places = {sample_id: place for place, sample_id in enumerate(ids)}
        order = list(ids)
        if self.shuffle:
            Random(f"jsonl order {self.seed}").shuffle(order)
        return order

    def build(self, sample_id: str, number: int) -> tuple[Sample, Task]:
        """One sample, from its line read again."""
        task = self._task(self._places[sample_id])
        return _sample(task), task

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """The tools that read the line's documents; none for a line without documents."""
        documents = self.problem(sample.id).documents
        return document_tools(documents) if documents else ()

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """As the line's grader says; its ``metadata`` stands in the detail."""
        task = self.problem(sample.id)
        grade = await GRADERS[task.grader].grade(task, answer)
        kept = task.metadata if len(json.dumps(task.metadata)) <= MOST_METADATA else None
        return Grade(
            grade.score, {"grader": task.grader, **grade.detail, **({} if kept is None else {"metadata": kept})}
        )

    def oracle(self) -> Oracle:
        """For the simulated model: every line of the file, whatever ``limit`` and ``sample_ids`` leave."""
        self.load()

        def place(head: str) -> int | None:
            return next((self._places[i] for i in ids_of(head) if i in self._places), None)

        return LabelOracle(place, self._item)

    def key(self, sample_id: str) -> str:
        """A perfect answer in the form that is asked for; if the line gives none, what a right one has to fulfil."""
        task = self.problem(sample_id)
        grader = GRADERS[task.grader]
        right = grader.right(task)
        return grader.criterion(task) if right is None else grader.written(task, right)

    def _item(self, place: int) -> Item:
        lines = self._read_lines()
        near = ((place + step) % len(lines) for step in range(1, min(NEARBY, len(lines) - 1) + 1))
        nearby = [keyed(lines.row(i), lines.numbers[i], self.grader) for i in near]
        return oracle.item(self._task(place), nearby)

    def _task(self, place: int) -> Task:
        lines = self._read_lines()
        faults, task = task_of(lines.row(place), lines.numbers[place], self._shelf, self.grader)
        if task is None:  # a document is not what it was
            raise CorpusError(f"{lines.path.name}:{lines.numbers[place]}: {'; '.join(faults)}", path=str(lines.path))
        return task

    def _read_lines(self) -> JsonLines:
        self.load()
        if self._lines is None:
            raise CorpusError(f"task.path={self.path} did not load.")
        return self._lines


@dataclass(frozen=True)
class VisibleTests:
    """Whether an answer has the form that is asked for (``harness.suite.Sample.visible``). ``task``: without its
    key."""

    task: Task

    async def __call__(self, answer: str) -> Sequence[str]:
        """What fails, a sentence each, whatever the text."""
        return GRADERS[self.task.grader].visible(self.task, answer)


def _sample(task: Task) -> Sample:
    """Graph: every document can be read independently of the others (weight: its tokens), then one step reads the
    statement and answers (weight: the statement's tokens)."""
    grader = GRADERS[task.grader]
    text = statement(task)
    sizes = [document.tokens for document in task.documents]
    merge = count_tokens(text)
    schema = grader.output_schema(task)
    material = [document.material for document in task.documents]
    key = [task.grader, list(task.targets), str(task.tolerance), task.schema]
    return Sample(
        id=task.id,
        statement=text,
        brief=BRIEF,
        output_schema=schema,
        material_tokens=sum(sizes) + merge,
        material_hash=digest(text, BRIEF, schema, material, key),
        graph_work=float(sum(sizes) + merge),
        graph_critical_path=float(max(sizes, default=0) + merge),
        cluster_id=task.cluster or task.id,
        tags=task.tags,
        visible=VisibleTests(replace(task, targets=(), solution=None, wrong=(), evidence=(), metadata=None)),
    )
