"""The suite: options in, samples, tools, grades and an oracle out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.errors import ConfigError, unknown
from harness.models.oracle import Oracle
from harness.suite import Grade, Sample
from tasks.common.document_tools import document_tools
from tasks.common.hashing import digest
from tasks.common.oracle import LineOracle
from tasks.common.sampled import Sampled, at_least, numbered
from tasks.review import grading
from tasks.review.cases import Case, Draft
from tasks.review.drafts import PAIRS
from tasks.review.selection import Selection
from tasks.review.statement import BRIEF, OUTPUT_SCHEMA, by_others, by_self, drafts, request, task
from tasks.review.visible import VisibleTests

SELF, FRESH, OTHER_MODEL = "self", "fresh", "other_model"
REVIEWERS = (SELF, FRESH, OTHER_MODEL)
OTHER_ROLE = "reviewer"
"""The name in ``model.roles`` of the other model."""
LEAST = 2
"""Drafts of either kind that a sample needs, so that both rates mean something."""
TIMES = 2
"""How often each group of pairs makes a sample by default: once with either half defective."""


@dataclass
class Review(Sampled[Case]):
    """Frozen drafts, some with planted defects, to be judged (``harness.suite.Suite``). Its fields are the options of
    ``conf/task/review.yaml``, described there, beside those that every suite has (``tasks.common.sampled``)."""

    reviewer: str = FRESH
    drafts: int = 8
    defective: float = 0.5
    samples: int | None = None
    pass_threshold: float = field(default=0.5, kw_only=True)

    name = "review"
    id_options = "task.drafts and task.seed"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.reviewer not in REVIEWERS:
            raise ConfigError(unknown("task.reviewer", self.reviewer, REVIEWERS))
        at_least(2 * LEAST, drafts=self.drafts)
        if self.drafts > len(PAIRS):
            raise ConfigError(f"task.drafts={self.drafts} is too large: there are {len(PAIRS)} drafts.")
        if not 0 <= self.defective <= 1:
            raise ConfigError(f"task.defective={self.defective} is a share: it must be between 0 and 1.")
        broken = round(self.drafts * self.defective)
        if not LEAST <= broken <= self.drafts - LEAST:
            raise ConfigError(
                f"task.defective={self.defective} makes {broken} of task.drafts={self.drafts} defective: at least "
                f"{LEAST} must be, and at least {LEAST} must be clean. Choose another share or more drafts."
            )
        self._selection = Selection(PAIRS, self.drafts, broken, self.seed)

    def read(self) -> Sequence[str]:
        """Nothing to read: the drafts are part of the suite. Samples by size, seed and number, whoever reviews."""
        count = TIMES * len(self._selection.groups) if self.samples is None else self.samples
        return numbered(f"review-{self.drafts}-s{self.seed}", count)

    def build(self, sample_id: str, number: int) -> tuple[Sample, Case]:
        """One sample and the drafts behind it. Graph: each draft can be judged alone, with its contract and the file
        that this names (weight: their tokens); one step then gathers the verdicts (weight: those of the answer)."""
        case = self._case(number)
        mine = self.reviewer == SELF
        statement = by_self(case) if mine else by_others(case)
        earlier = ((request(case), drafts(case)),) if mine else ()
        beside = {c.file: count_tokens(c.text) for c in case.contexts}
        said = sum(map(count_tokens, (statement, *(text for turn in earlier for text in turn))))
        units = [
            count_tokens(d.text) + count_tokens(d.line) + (beside[d.pair.context.file] if d.pair.context else 0)
            for d in case.drafts
        ]
        merge = count_tokens(json.dumps(case.key()))
        sample = Sample(
            id=sample_id,
            statement=statement,
            brief=BRIEF,
            output_schema=OUTPUT_SCHEMA,
            material_tokens=said + sum(beside.values()),
            material_hash=digest(
                BRIEF, OUTPUT_SCHEMA, request(case), drafts(case), task(case), [c.text for c in case.contexts],
                case.key(),
            ),
            graph_work=float(sum(units) + merge),
            graph_critical_path=float(max(units) + merge),
            cluster_id=f"review-{self.drafts}-s{self.seed}-group-{self._selection.group_of(number)}",
            tags=tuple(sorted({draft.pair.kind for draft in case.drafts if draft.defective})),
            visible=VisibleTests(tuple((d.label, d.pair.file, d.text) for d in case.drafts)),
            earlier=earlier,
            model=OTHER_ROLE if self.reviewer == OTHER_MODEL else None,
        )  # fmt: skip
        return sample, case

    def tools(self, sample: Sample) -> Sequence[Tool]:
        """``list_documents``, ``read_document`` and ``search_documents`` over all files, drafts included."""
        return document_tools(self.problem(sample.id).documents)

    async def grade(self, sample: Sample, answer: str) -> Grade:
        """Youden's J over the drafts; see ``grading.grade``."""
        return grading.grade(self.problem(sample.id), answer)

    def oracle(self) -> Oracle:
        """For the simulated model: every draft of the suite, whatever ``limit`` and ``sample_ids`` leave."""
        return LineOracle(draft.item for number in range(len(self.read())) for draft in self._case(number).drafts)

    def key(self, sample_id: str) -> str:
        """The perfect answer as JSON text, for tests. Topologies cannot reach it."""
        return json.dumps(self.problem(sample_id).key(), indent=1)

    def _case(self, number: int) -> Case:
        shown = self._selection.shown(number)
        return Case(tuple(Draft(f"D{number:02d}-{n:02d}", *version) for n, version in enumerate(shown, 1)))
