"""The suite review: the same drafts whoever reviews, which of them form a sample, and what the simulated model makes of
them, alone and in teams."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain
from math import comb, sqrt
from pathlib import Path
from typing import Any

import pytest

from harness.accounting.tokens import count_tokens
from harness.entry.command import run
from harness.errors import ConfigError, CorpusError, HarnessError
from harness.models.simulated import SimulatedModel
from harness.models.simulated import behaviour as rates
from harness.models.simulated.prompt.findings import files_in
from harness.records import RunRecord
from harness.suite import Sample
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from tasks.review import Review
from tasks.review.drafts import PAIRS
from tasks.review.pairs import KINDS
from tasks.review.statement import BY_OTHERS, BY_SELF
from topologies.bus import Bus
from topologies.moa import Moa
from topologies.single import Single
from topologies.sync import Sync
from topologies.vote import Vote

BOUND = 3.29
"""Standard errors: two-sided one in a thousand; the seeds are fixed."""
SELF, FRESH, OTHER = (Review(reviewer=reviewer) for reviewer in ("self", "fresh", "other_model"))


def told(sample: Sample) -> list[str]:
    """All texts that the owner of a sample is told, in order, its own among them."""
    return [*chain(*sample.earlier), sample.statement]


# -- the same drafts ---------------------------------------------------------------------------------------------------


def test_whoever_reviews_gets_the_same_samples() -> None:
    """Runs are paired by sample and material."""
    assert list(SELF.sample_ids()) == list(FRESH.sample_ids()) == list(OTHER.sample_ids())
    for sample_id in SELF.sample_ids():
        mine, theirs, others = (suite.sample(sample_id) for suite in (SELF, FRESH, OTHER))
        assert mine.material_hash == theirs.material_hash and mine.brief == theirs.brief
        assert (mine.graph_work, mine.graph_critical_path) == (theirs.graph_work, theirs.graph_critical_path)
        assert (mine.cluster_id, mine.tags) == (theirs.cluster_id, theirs.tags)
        assert SELF.key(sample_id) == FRESH.key(sample_id)
        assert (mine.model, theirs.model, others.model) == (None, None, "reviewer")
        assert replace(others, model=None, visible=None) == replace(theirs, visible=None)


def test_self_and_fresh_read_the_same_texts_once_and_in_the_same_order() -> None:
    """All that differs is whose words the drafts are, and one sentence that says so."""
    for sample_id in SELF.sample_ids():
        mine, theirs = SELF.sample(sample_id), FRESH.sample(sample_id)
        assert len(mine.earlier) == 1 and theirs.earlier == ()
        request, drafts, task = told(mine)
        assert theirs.statement == f"{BY_OTHERS}\n\n{request}\n\n{drafts}\n\n{task.removeprefix(BY_SELF).strip()}"
        for draft in SELF.problem(sample_id).drafts:
            assert "".join(told(mine)).count(draft.text) == theirs.statement.count(draft.text) == 1
            assert draft.text not in task and draft.text in drafts
        assert abs(count_tokens("".join(told(mine))) - count_tokens(theirs.statement)) <= 16
        assert abs(mine.material_tokens - theirs.material_tokens) <= 0.01 * theirs.material_tokens


def test_the_hash_covers_what_is_shown_and_the_key() -> None:
    suites = [Review(seed=0), Review(seed=1), Review(defective=0.25), Review(drafts=9), Review(drafts=10)]
    assert len({s.sample(s.sample_ids()[0]).material_hash for s in suites}) == 5


# -- which drafts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_groups_share_no_draft_and_show_each_in_both_versions(seed: int) -> None:
    suite = Review(seed=seed)
    ids = list(suite.sample_ids())
    assert ids == [f"review-8-s{seed}-{n:02d}" for n in range(12)]
    clusters: dict[str, list[dict[str, bool]]] = {}
    for sample_id in ids:
        drafts = suite.problem(sample_id).drafts
        assert [d.pair.file for d in drafts] == sorted(d.pair.file for d in drafts)
        assert sorted(d.pair.kind for d in drafts) == sorted(KINDS), "one of each kind"
        assert sum(d.defective for d in drafts) == 4
        across = [d.defective for d in drafts if d.pair.context is not None]
        assert True in across and False in across, "something can be seen only from another file, and something not"
        clusters.setdefault(suite.sample(sample_id).cluster_id, []).append({d.pair.file: d.defective for d in drafts})
    assert len(clusters) == 6
    for once, again in clusters.values():
        assert {file: not defective for file, defective in once.items()} == again
    assert sorted(file for once, _ in clusters.values() for file in once) == sorted(p.file for p in PAIRS)


def test_more_samples_are_other_defects_in_the_same_groups() -> None:
    suite = Review(samples=30)
    shown = [(s.cluster_id, suite.key(s.id)) for s in map(suite.sample, suite.sample_ids())]
    assert len({cluster for cluster, _ in shown}) == 6
    assert [cluster for cluster, _ in shown[:12]] == [cluster for cluster, _ in shown[12:24]]
    versions = [tuple(d.defective for d in suite.problem(s).drafts) for s in suite.sample_ids()]
    assert versions[:12] != versions[12:24]
    assert Review().sample("review-8-s0-03") == suite.sample("review-8-s0-03")


@pytest.mark.parametrize(("drafts", "groups"), [(4, 12), (5, 9), (8, 6), (10, 4), (24, 2), (48, 1)])
def test_the_size_knob(drafts: int, groups: int) -> None:
    suite = Review(drafts=drafts, reviewer="self")
    assert len(suite.sample_ids()) == 2 * groups
    sample = suite.sample(suite.sample_ids()[-1])
    assert len(suite.problem(sample.id).drafts) == drafts
    assert sum(d.defective for d in suite.problem(sample.id).drafts) == round(drafts / 2)
    assert drafts < 48 or 7_000 < sample.material_tokens < 9_000, "some 8,000 tokens, as the README says"
    assert 1.5 < sample.graph_work / sample.graph_critical_path < drafts


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"reviewer": "selfish"}, ConfigError, "unknown task.reviewer 'selfish'. Did you mean 'self'?"),
        ({"drafts": 3}, ConfigError, "task.drafts=3 is too small: it must be at least 4."),
        ({"drafts": 49}, ConfigError, "task.drafts=49 is too large: there are 48 drafts."),
        ({"defective": 0.18}, ConfigError, "task.defective=0.18 makes 1 of task.drafts=8 defective: at least 2 must"),
        ({"defective": 0.82}, ConfigError, "task.defective=0.82 makes 7 of task.drafts=8 defective"),
        ({"defective": 1.5}, ConfigError, "task.defective=1.5 is a share"),
        ({"defective": float("nan")}, ConfigError, "is a share"),
        ({"samples": 0}, ConfigError, "task.samples=0 is too small"),
        ({"limit": 0}, ConfigError, "task.limit=0"),
        ({"pass_threshold": 2}, ConfigError, "task.pass_threshold=2"),
        ({"only": ["review-8-s1-00"]}, CorpusError, "Did you mean 'review-8-s0-00'"),
    ],
)
def test_bad_options_give_one_clear_error(options: dict[str, Any], error: type[HarnessError], words: str) -> None:
    with pytest.raises(error) as caught:
        Review(**options).load()
    assert words in str(caught.value)


@pytest.mark.parametrize(("share", "defective"), [(0.2, 2), (0.25, 2), (0.75, 6)])
def test_the_share_of_defective_drafts(share: float, defective: int) -> None:
    suite = Review(defective=share)
    assert {sum(d.defective for d in suite.problem(i).drafts) for i in suite.sample_ids()} == {defective}


# -- what is shown -----------------------------------------------------------------------------------------------------


def test_the_statement_lists_all_files_and_asks_about_each_draft_on_a_line() -> None:
    labels: list[str] = []
    for sample_id in FRESH.sample_ids():
        sample, case = FRESH.sample(sample_id), FRESH.problem(sample_id)
        lines = sample.statement.split("\n")
        sizes = {f.name: f.tokens for f in files_in(sample.statement) if f.tokens is not None}
        assert sizes == {d.name: d.tokens for d in case.documents}
        assert {f.name for f in files_in(sample.statement)} == set(sizes), "no other file could be asked for"
        assert all(draft.line in lines for draft in case.drafts)
        labels += [draft.label for draft in case.drafts]
        assert not set(labels) & set(sizes)
    assert len(set(labels)) == len(labels)


def test_the_oracle_knows_every_draft_and_its_entries_grade_as_they_claim() -> None:
    limited = Review(limit=1)
    oracle = limited.oracle()
    for sample_id in FRESH.sample_ids():
        case = FRESH.problem(sample_id)
        for draft in case.drafts:
            item = oracle.lookup(f"- {draft.line} ")
            assert item is not None and item is oracle.lookup(draft.label) and item.right == draft.right
            assert draft.right in case.key() and len(item.wrong) >= 2
            told = "\n".join(document.text for document in case.documents)
            assert all(piece in told for piece in item.evidence)
            assert (len(item.evidence) == 2) is (draft.pair.context is not None) is (item.partial is not None)
    assert oracle.lookup("D99-01") is None and oracle.lookup("") is None


def test_another_model_must_be_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["harness/__main__.py", "task=review", "task.reviewer=other_model", f"store.dir={tmp_path}"]
    assert run([*words, "progress=none", "summary=false"]) == 2
    assert "'+model.roles.reviewer=MODEL'" in capsys.readouterr().err


# -- the simulated model -----------------------------------------------------------------------------------------------


def runs(topology: Any, suite: Review, model: SimulatedModel | None = None, **more: Any) -> list[RunRecord]:
    found = records(cell(topology, model or faultless(suite.oracle()), suite=suite), **more)
    assert {r.run.status for r in found} == {"ok"}
    return found


def detail(record: RunRecord) -> dict[str, Any]:
    (event,) = [e for e in record.events if e.type == "graded"]
    found: dict[str, Any] = json.loads(event.data)
    return found


def readers(record: RunRecord) -> dict[str, set[str]]:
    """Agent → the files that it has read."""
    found: dict[str, set[str]] = {}
    for event in record.events:
        if event.type == "tool" and (told := json.loads(event.data))["tool"] == "read_document":
            found.setdefault(event.agent, set()).add(told["arguments"]["document"])
    return found


@pytest.mark.parametrize("reviewer", ["self", "fresh"])
@pytest.mark.parametrize("topology", [Single(), Moa(), Sync(), Bus()], ids=lambda t: type(t).__name__)
def test_a_faultless_reviewer_misses_only_what_takes_two_files_that_nobody_reads_together(
    topology: Any, reviewer: str, tmp_path: Path
) -> None:
    suite = Review(reviewer=reviewer, limit=4)
    found = runs(topology, suite)
    assert faults(found, tmp_path) == []
    lost = 0
    for record in found:
        own, case = readers(record), suite.problem(record.run.sample_id)
        whole = not isinstance(topology, Sync | Bus)
        outcomes = {row["file"]: row["outcome"] for row in detail(record)["drafts"]}
        for draft in case.drafts:
            beside = draft.pair.context
            judges = [agent for agent, files in own.items() if draft.pair.file in files] or ["lead"]
            assert not whole or judges == ["lead"], "what stands in one's own conversation is not read again"
            together = whole or beside is None or any(beside.file in own.get(agent, ()) for agent in judges)
            assert outcomes[draft.pair.file] == (("caught" if together else "missed") if draft.defective else "cleared")
            lost += draft.defective and not together
        if whole:
            assert record.run.score == 1.0
    assert whole is not bool(lost), "dividing the files loses something somewhere"


def test_a_single_reviewer_s_tokens_are_the_same_whoever_wrote_the_drafts() -> None:
    """At equal tokens and calls, as the comparison needs it: within one per cent of the prompts."""
    mine, theirs = (runs(Single(), Review(reviewer=reviewer, limit=6)) for reviewer in ("self", "fresh"))
    for one, other in zip(mine, theirs, strict=True):
        assert (one.run.calls, one.run.answer) == (other.run.calls, other.run.answer)
        assert abs(one.run.prompt_tokens - other.run.prompt_tokens) <= 0.01 * other.run.prompt_tokens
        assert one.run.completion_tokens == other.run.completion_tokens


def _binomial(k: int, n: int, p: float) -> float:
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def expected(catch: float, alarm: float, each: int = 4) -> tuple[float, float]:
    """Mean and standard deviation of J, at least 0, of one sample with so many drafts of either kind."""
    chance = {
        (c, a): _binomial(c, each, catch) * _binomial(a, each, alarm)
        for c in range(each + 1)
        for a in range(each + 1)
    }  # fmt: skip
    score = {(c, a): max(0, c - a) / each for c, a in chance}
    mean = sum(chance[k] * score[k] for k in chance)
    return mean, sqrt(sum(chance[k] * (score[k] - mean) ** 2 for k in chance))


def reviewing(suite: Review) -> SimulatedModel:
    """No errors but those of a reviewer, at the default rates."""
    model = faultless()
    model = replace(model, behaviour=replace(model.behaviour, review=rates.Review()))
    model.consult(suite.oracle())
    return model


def test_a_fresh_reader_catches_more_than_the_author_as_the_rates_say() -> None:
    """Catch 0.6 against 0.2, and 0.02 false alarms: about 0.58 against 0.18, and a little more because no sample scores
    below 0."""
    scores: dict[str, list[float]] = {}
    for reviewer, catch in (("fresh", 0.6), ("self", 0.2)):
        suite = Review(reviewer=reviewer, samples=96)
        found = runs(Single(), suite, reviewing(suite), concurrency=8)
        scores[reviewer] = [r.run.score or 0.0 for r in found]
        mean, deviation = expected(catch, 0.02)
        assert abs(mean - (catch - 0.02)) < 0.012
        assert abs(sum(scores[reviewer]) / 96 - mean) <= BOUND * deviation / sqrt(96)
        caught = [detail(r)["caught"] for r in found]
        assert abs(sum(caught) / (4 * 96) - catch) <= BOUND * sqrt(catch * (1 - catch) / (4 * 96))
    gain = sum(f - s for f, s in zip(scores["fresh"], scores["self"], strict=True)) / 96
    (fresh, wide), (own, narrow) = expected(0.6, 0.02), expected(0.2, 0.02)
    assert abs(gain - (fresh - own)) <= BOUND * sqrt((wide**2 + narrow**2) / 96)


def test_votes_of_authors_are_an_author_s() -> None:
    """Each voter is taken to have written the drafts: more of them are no fresh reader."""
    votes = {}
    for reviewer in ("self", "fresh"):
        suite = Review(reviewer=reviewer, samples=24)
        found = runs(Vote(), suite, reviewing(suite), concurrency=8)
        votes[reviewer] = sum(r.run.score or 0.0 for r in found) / 24
    assert votes["self"] < 0.35 < 0.45 < votes["fresh"]
